/** Validations as keywords of a schema, as far as there are keywords; what is left is said in words. */
import type { FieldDef, ValidationDef } from '../site.ts'
import type { Described, On, Schema } from './model.ts'
import { schemaPattern } from './pattern.ts'
import { plainOf } from './plain.ts'

type Options = Readonly<Record<string, unknown>>
/** Null where a schema can say nothing of it. */
type Translate = (options: Options, field: FieldDef) => Described | null

/** Whether a rule counts in this operation, whatever else is sent. */
export function counts(rule: ValidationDef, on: On): boolean {
  return rule.if === null && (rule.on === null || rule.on === on)
}

/** What a rule asks of a value that is there. */
export function ruleKeywords(rule: ValidationDef, field: FieldDef): Described {
  const pairs = Object.entries(rule.options).map(([name, setting]) => [name, plainOf(setting)] as const)
  const known = pairs.filter(([, value]) => value !== undefined)
  const computed = pairs.filter(([, value]) => value === undefined).map(([name]) => name)
  const described = RULES.get(rule.kind)?.(Object.fromEntries(known), field) ?? { keywords: {}, notes: [] }
  return computed.length === 0
    ? described
    : { ...described, notes: [...described.notes, `${words(rule.kind)}: ${computed.join(', ')} computed by the site.`] }
}

/** What is not blank; `false` is. */
const PRESENT: Partial<Record<FieldDef['type'], Schema>> = {
  string: { minLength: 1, pattern: '\\S' },
  array: { minItems: 1 },
  boolean: { enum: [true] },
}

const RULES: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ['presence', (_, field) => keywords(PRESENT[field.type] ?? {})],
  ['absence', () => note('Stays empty.')],
  ['email', () => keywords({ format: 'email' })],
  ['confirmation', (_, { name }) => note(`Is sent again as \`${name}_confirmation\`.`)],
  ['length', length],
  ['inclusion', among],
  ['exclusion', without],
  ['format', format],
  ['numericality', numericality],
  ['unique', unique],
  ['uniqueness', unique],
  ['acceptance', (options) => keywords({ enum: list(options['accept']) ?? ['1', true] })],
  ['datetime', limits],
  ['date', limits],
  ['phone_number', () => note('A telephone number.')],
  ['geometry', () => note('GeoJSON.')],
  ['file_content_type', contentType],
])

function length(options: Options, field: FieldDef): Described {
  const [least, most] = field.type === 'array' ? ['minItems', 'maxItems'] : ['minLength', 'maxLength']
  const range = rangeOf(options['in'] ?? options['within'])
  const is = count(options['is'])
  const minimum = is ?? count(options['minimum']) ?? range?.[0]
  const maximum = is ?? count(options['maximum']) ?? range?.[1]
  return keywords({
    ...(minimum === undefined ? {} : { [least as string]: minimum }),
    ...(maximum === undefined ? {} : { [most as string]: maximum }),
  })
}

function among(options: Options): Described | null {
  const values = list(options['in'] ?? options['within'])
  if (values !== null) return keywords({ enum: values })
  const range = rangeOf(options['in'] ?? options['within'])
  return range === null ? null : keywords({ minimum: range[0], maximum: range[1] })
}

function without(options: Options): Described | null {
  const values = list(options['in'] ?? options['within'])
  return values === null ? null : keywords({ not: { enum: values } })
}

function format(options: Options): Described {
  const parts = (['with', 'without'] as const).map((name): Described => {
    const source = options[name]
    if (typeof source !== 'string') return { keywords: {}, notes: [] }
    const pattern = schemaPattern(source)
    if (pattern === null)
      return { keywords: {}, notes: [`${name === 'with' ? 'Matches' : 'Does not match'} \`${source}\`.`] }
    return keywords(name === 'with' ? { pattern } : { not: { type: 'string', pattern } })
  })
  return joined(parts)
}

const NUMBERS: Readonly<Record<string, (value: number) => Schema>> = {
  greater_than: (value) => ({ exclusiveMinimum: value }),
  greater_than_or_equal_to: (value) => ({ minimum: value }),
  less_than: (value) => ({ exclusiveMaximum: value }),
  less_than_or_equal_to: (value) => ({ maximum: value }),
  equal_to: (value) => ({ const: value }),
  other_than: (value) => ({ not: { const: value } }),
}

function numericality(options: Options, field: FieldDef): Described {
  const parts = Object.entries(NUMBERS).flatMap(([name, keyword]) => {
    const value = number(options[name])
    return value === undefined ? [] : [keywords(keyword(value))]
  })
  if (options['even'] === true) parts.push(keywords({ multipleOf: 2 }))
  if (options['odd'] === true) parts.push(keywords({ not: { multipleOf: 2 } }))
  if (options['only_integer'] === true) parts.push(keywords({ type: 'integer' }))
  else if (isText(field)) parts.push(keywords({ type: 'number' }))
  return joined(parts)
}

function unique(options: Options): Described {
  const scope = list(options['scope']) ?? (typeof options['scope'] === 'string' ? [options['scope']] : [])
  return note(scope.length === 0 ? 'Unique.' : `Unique for each ${scope.join(' and ')}.`)
}

function limits(options: Options): Described | null {
  const known = Object.entries(options).map(([name, value]) => `${words(name)} ${String(value)}`)
  return known.length === 0 ? null : note(`Is ${known.join(' and ')}.`)
}

function contentType(options: Options): Described | null {
  const allowed = list(options['allow']) ?? (typeof options['allow'] === 'string' ? [options['allow']] : null)
  return allowed === null ? null : note(`A file of ${allowed.join(', ')}.`)
}

// ---- helpers ------------------------------------------------------------------------------------------------------------

function keywords(schema: Schema): Described {
  return { keywords: schema, notes: [] }
}

function note(text: string): Described {
  return { keywords: {}, notes: [text] }
}

/**
 * Two demands as one: a keyword that both have, each with its own value, stands in an `allOf`.
 * @param parts each valid alone
 */
export function joined(parts: readonly Described[]): Described {
  const own = new Map<string, unknown>()
  const more: Schema[] = []
  for (const part of parts) {
    const clashing: [string, unknown][] = []
    for (const [name, value] of Object.entries(part.keywords)) {
      if (!own.has(name)) own.set(name, value)
      else if (JSON.stringify(own.get(name)) !== JSON.stringify(value)) clashing.push([name, value])
    }
    if (clashing.length > 0) more.push(Object.fromEntries(clashing))
  }
  if (more.length > 0) own.set('allOf', more)
  return { keywords: Object.fromEntries(own), notes: parts.flatMap(({ notes }) => notes) }
}

function isText(field: FieldDef): boolean {
  return field.type === 'string'
}

function list(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) && value.length > 0 ? [...new Set<unknown>(value)] : null
}

function number(value: unknown): number | undefined {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined
}

function count(value: unknown): number | undefined {
  const read = number(value)
  return read !== undefined && Number.isInteger(read) && read >= 0 ? read : undefined
}

/** `3..20`, `[3, 20]`. */
function rangeOf(value: unknown): readonly [number, number] | null {
  const ends = typeof value === 'string' ? (/^\s*\(?(-?\d+)\.\.(-?\d+)\)?\s*$/.exec(value)?.slice(1) ?? []) : value
  if (!Array.isArray(ends) || ends.length !== 2) return null
  const [low, high] = [number(ends[0]), number(ends[1])]
  return low === undefined || high === undefined || low > high ? null : [low, high]
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}
