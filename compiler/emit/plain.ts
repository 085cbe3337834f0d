/** Plain values of settings as TypeScript. */
import { propertyName } from './names.ts'
import { quoted } from './writer.ts'

/** A `Setting` of a plain value. `float`: it was written as one, also when it is whole. */
export function plain(value: unknown, float = false): string {
  return `{ kind: 'plain', value: ${data(value, float)} }`
}

/** A literal of the value: texts, numbers, booleans, lists and maps. */
export function data(value: unknown, float = false): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return float && Number.isInteger(value) ? `new Float(${value})` : String(value)
  if (typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => data(item)).join(', ')}]`
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${propertyName(key)}: ${data(item)}`)
    .join(', ')} }`
}
