/** Finds stored queries by their file name alone, as old sites call them; used by the compiler and the server. */

/**
 * Maps the last part of each query name to the full name (`find` for `users/find`, `modules/shop/find` for `modules/shop/users/find`). A
 * part is omitted when several queries of the application or of one module share it, or when it is itself the full name of a query.
 * @param names full names of all stored queries of a site
 */
export function bareQueryNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const fullNames = new Set(names)
  const byName = new Map<string, string | null>()
  for (const name of fullNames) {
    const shortName = withoutFolders(name)
    if (!fullNames.has(shortName)) byName.set(shortName, byName.has(shortName) ? null : name)
  }
  return new Map([...byName].flatMap(([bareName, name]) => (name === null ? [] : [[bareName, name] as const])))
}

function withoutFolders(name: string): string {
  const [, module = ''] = /^(modules\/[^/]+\/)./.exec(name) ?? []
  return module + name.slice(name.lastIndexOf('/') + 1)
}
