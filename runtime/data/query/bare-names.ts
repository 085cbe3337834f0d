/** Stored queries by the name of their file alone, as old sites call them; for the compiler and the server alike. */

/**
 * The whole names of queries by the last part of them (`find` for `users/find`, `modules/shop/find` for `modules/shop/users/find`). Left
 * out is what means nothing certain: a part that several queries of the application, or of one module, end with, and one that is the
 * whole name of a query.
 *
 * @param names whole names of the stored queries of a site
 */
export function bareQueryNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const whole = new Set(names)
  const found = new Map<string, string | null>()
  for (const name of whole) {
    const bare = withoutFolders(name)
    if (!whole.has(bare)) found.set(bare, found.has(bare) ? null : name)
  }
  return new Map([...found].flatMap(([bare, name]) => (name === null ? [] : [[bare, name] as const])))
}

function withoutFolders(name: string): string {
  const [, module = ''] = /^(modules\/[^/]+\/)./.exec(name) ?? []
  return module + name.slice(name.lastIndexOf('/') + 1)
}
