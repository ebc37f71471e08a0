// Owns: finding names of one directory that differ only in Unicode composition (NFC, NFD) and so look the same.
// Leaves to others: showing the difference (shared/displayText.ts).

/** The names among `names` that another one equals after normalisation. */
export function compositionTwins(names: readonly string[]): ReadonlySet<string> {
  const byForm = new Map<string, string[]>();
  for (const name of names) {
    // ASCII, the usual case, has no second form.
    if (/^[\x00-\x7F]*$/.test(name)) continue;
    const form = name.normalize("NFC");
    const same = byForm.get(form);
    if (same === undefined) byForm.set(form, [name]);
    else if (!same.includes(name)) same.push(name);
  }
  return new Set([...byForm.values()].filter((same) => same.length > 1).flat());
}
