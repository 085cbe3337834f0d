/** Unique names of components, of letters, digits, dots, dashes and underscores. */

/**
 * Creates a function that returns unused names.
 * @param reserved names in use
 */
export function createNameGenerator(reserved: Iterable<string>): (wanted: string) => string {
  // Compared without case, because some generators derive type names that ignore it.
  const used = new Set([...reserved].map((name) => name.toLowerCase()))
  return (wanted) => {
    const plain = wanted.replace(/[^A-Za-z0-9._-]+/g, '.')
    let name = plain
    for (let turn = 2; used.has(name.toLowerCase()); turn++) name = `${plain}-${turn}`
    used.add(name.toLowerCase())
    return name
  }
}
