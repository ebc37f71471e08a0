// Owns: which numbers are process ids that may reach the kernel.
// Leaves to others: asking the kernel (the observers).

/** Above it `process.kill` refuses; 0 and negative numbers would address groups of processes. */
export const largestPid = 2_147_483_647;

export function isRepresentablePid(pid: number): boolean {
  return Number.isInteger(pid) && pid >= 1 && pid <= largestPid;
}
