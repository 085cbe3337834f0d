/** Applies the settings of a check to its schema: defaults, and values of the wrong type. */
import type { Answer } from '../messages.ts'

/** A property of a schema, as the builders of the service's checker make it, or as a plain object. */
interface Property {
  readonly type: string | null
  readonly isOptional: boolean
  readonly defaultValue: unknown
  readonly items: unknown
  readonly properties: unknown
}

/**
 * Returns the value of each setting that the schema has. A value of the wrong type is reported, and its default is used.
 * @param check the name with which the settings name the check
 * @param options the settings as written
 */
export function applySettings(
  check: string,
  options: Readonly<Record<string, unknown>>,
  schema: unknown,
  answer: (answer: Answer) => void,
): Readonly<Record<string, unknown>> {
  const properties = new Map(isObject(schema) ? Object.entries(schema) : [])
  const names = [...properties.keys()]
  for (const key of Object.keys(options))
    if (!properties.has(key)) answer({ kind: 'setting', check, key, problem: 'unknown', expected: names })
  const settings: Record<string, unknown> = {}
  for (const [key, written] of properties) {
    const property = readProperty(written)
    const value = options[key] ?? undefined
    const expected = value === undefined ? null : expectedInstead(value, property)
    if (expected !== null) answer({ kind: 'setting', check, key, problem: 'type', expected: [expected] })
    if (value === undefined && property.defaultValue === undefined && !property.isOptional)
      answer({ kind: 'setting', check, key, problem: 'missing', expected: [] })
    settings[key] = value === undefined || expected !== null ? property.defaultValue : value
  }
  return settings
}

/** Returns what a value should be; null if it is that. */
function expectedInstead(value: unknown, { type, items, properties }: Property): string | null {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? null : 'a text'
    case 'number':
      return typeof value === 'number' ? null : 'a number'
    case 'boolean':
      return typeof value === 'boolean' ? null : '`true` or `false`'
    case 'array': {
      if (!Array.isArray(value)) return 'a list'
      const wrong = items === undefined ? [] : value.flatMap((each) => expectedInstead(each, readProperty(items)) ?? [])
      return wrong[0] === undefined ? null : `a list; each value of it must be ${wrong[0]}`
    }
    case 'object': {
      if (!isObject(value)) return 'a mapping'
      const entries = isObject(properties) ? Object.entries(properties) : []
      const wrong = entries.flatMap(([key, written]) => {
        const expected = value[key] === undefined ? null : expectedInstead(value[key], readProperty(written))
        return expected === null ? [] : [`\`${key}\` must be ${expected}`]
      })
      return wrong[0] === undefined ? null : `a mapping; its ${wrong[0]}`
    }
    default:
      return null
  }
}

function readProperty(written: unknown): Property {
  const property = isObject(written) ? written : {}
  const options = isObject(property['options']) ? property['options'] : property
  const { defaultValue } = property
  return {
    type: typeof options['type'] === 'string' ? options['type'] : null,
    isOptional: options['optional'] === true,
    defaultValue: typeof defaultValue === 'function' ? defaultValue.call(written) : options['defaultValue'],
    items: options['itemType'],
    properties: options['properties'],
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
