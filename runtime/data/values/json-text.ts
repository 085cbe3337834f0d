/** Creates JSON text that PostgreSQL can store. */
import { replaceLoneSurrogates } from '../../page/values/well-formed.ts'

/** Returns the JSON text of a string; null when it contains NUL, which PostgreSQL cannot store. */
export function textJson(text: string): string | null {
  return text.includes('\0') ? null : JSON.stringify(replaceLoneSurrogates(text))
}

/** Returns the JSON text of plain data; null when a string in it cannot be stored. */
export function plainJson(value: unknown): string | null {
  let storable = true
  const check = (text: string): string => {
    if (text.includes('\0')) storable = false
    return replaceLoneSurrogates(text)
  }
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return Number(item)
    if (typeof item === 'string') return check(item)
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
    if (Object.keys(item).every((key) => !key.includes('\0') && replaceLoneSurrogates(key) === key)) return item
    return Object.fromEntries(Object.entries(item).map(([key, of]) => [check(key), of]))
  })
  return storable ? (text ?? null) : null
}

/** Returns the JSON text of an object. The values are JSON texts. */
export function objectText(texts: Iterable<readonly [string, string]>): string {
  const parts: string[] = []
  for (const [name, text] of texts) parts.push(`${JSON.stringify(name)}:${text}`)
  return `{${parts.join(',')}}`
}
