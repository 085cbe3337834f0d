/** Names of components: letters, digits, dots, dashes and underscores, each once. */

/** Gives names that are still free. @param taken names that are in use already */
export function createNames(taken: Iterable<string>): (wanted: string) => string {
  // Generators make types of them, and some of those forget the case.
  const used = new Set([...taken].map((name) => name.toLowerCase()))
  return (wanted) => {
    const plain = wanted.replace(/[^A-Za-z0-9._-]+/g, '.')
    let name = plain
    for (let turn = 2; used.has(name.toLowerCase()); turn++) name = `${plain}-${turn}`
    used.add(name.toLowerCase())
    return name
  }
}
