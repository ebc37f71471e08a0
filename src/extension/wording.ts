export function problemText(problem: { code: string; detail: string | null }): string {
  return problem.detail === null ? problem.code : `${problem.code} (${problem.detail})`;
}
