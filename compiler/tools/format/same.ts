/** Whether two trees mean the same, wherever their parts stand. */

/** Where the characters of a scalar stand is a place, too. */
const PLACES: ReadonlySet<string> = new Set(['segments'])

/** Whether two trees are equal but for the places of their nodes, and for what stands in comments. */
export function sameMeaning(one: unknown, other: unknown): boolean {
  const queue: [unknown, unknown][] = [[one, other]]
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const [a, b] = pair
    if (Object.is(a, b)) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    if (isSpan(keys)) continue
    const isComment = 'name' in a && a.name === 'comment'
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false
      if (PLACES.has(key) || (isComment && key === 'raw')) continue
      queue.push([Reflect.get(a, key), Reflect.get(b, key)])
    }
  }
  return true
}

function isSpan(keys: readonly string[]): boolean {
  return keys.length === 3 && keys.includes('file') && keys.includes('start') && keys.includes('end')
}
