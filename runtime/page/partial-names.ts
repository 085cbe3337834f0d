/** Names of base Liquid's partials: looking a file up ignores case, and an ending `.liquid` that a template writes. */

/** What two spellings of one name have in common. */
export function foldedName(name: string): string {
  return name.toLowerCase().replace(/\.liquid$/, '')
}

/** Finds a partial by any spelling of its name; the exact one comes first. */
export function foldedNames<Partial>(partials: Iterable<readonly [string, Partial]>): ReadonlyMap<string, Partial> {
  const found = new Map<string, Partial>()
  for (const [name, partial] of partials) {
    const folded = foldedName(name)
    if (!found.has(folded)) found.set(folded, partial)
  }
  return found
}
