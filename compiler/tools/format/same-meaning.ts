/** Compares the meaning of two trees. */

/** Keys with the positions of a scalar's characters. They are ignored like spans. */
const POSITION_KEYS: ReadonlySet<string> = new Set(['segments'])

/** Returns true if two trees are equal except for spans and comments. */
export function sameMeaning(first: unknown, second: unknown): boolean {
  const queue: [unknown, unknown][] = [[first, second]]
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
      if (POSITION_KEYS.has(key) || (isComment && key === 'raw')) continue
      queue.push([Reflect.get(a, key), Reflect.get(b, key)])
    }
  }
  return true
}

function isSpan(keys: readonly string[]): boolean {
  return keys.length === 3 && keys.includes('file') && keys.includes('start') && keys.includes('end')
}
