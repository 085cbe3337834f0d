/** Unique names of components, of letters, digits, dots, dashes and underscores. */

/**
 * Creates a function that returns unused names.
 * @param reserved names in use
 */
export function createNameGenerator(reserved: Iterable<string>): (requestedName: string) => string {
  // Compared without case, because some generators derive type names that ignore it.
  const used = new Set([...reserved].map((name) => name.toLowerCase()))
  return (requestedName) => {
    const allowedName = requestedName.replace(/[^A-Za-z0-9._-]+/g, '.')
    let name = allowedName
    for (let suffix = 2; used.has(name.toLowerCase()); suffix++) name = `${allowedName}-${suffix}`
    used.add(name.toLowerCase())
    return name
  }
}
