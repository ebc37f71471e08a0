// Owns: how many columns of a fixed-width font a text takes, near enough to line columns up.
// Leaves to others: everything about what is shown.

/** Code points: right for every alphabet; wide East Asian characters count once. */
export function widthOf(text: string): number {
  return Array.from(text).length;
}
