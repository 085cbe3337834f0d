/** Names of partials in base Liquid. The look-up ignores case and an ending `.liquid`. */

/** Normalizes a name. Two names mean the same partial when their results are equal. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.liquid$/, '')
}

/** Returns partials by normalized name. When names collide, the first one wins. */
export function indexByNormalizedName<Partial>(
  partials: Iterable<readonly [string, Partial]>,
): ReadonlyMap<string, Partial> {
  const partialByName = new Map<string, Partial>()
  for (const [name, partial] of partials) {
    const folded = normalizeName(name)
    if (!partialByName.has(folded)) partialByName.set(folded, partial)
  }
  return partialByName
}
