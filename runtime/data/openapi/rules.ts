/** Converts validations to keywords of a schema, and describes the rest in words. */
import { spanOf } from '../forms/validators/options.ts'
import type { FieldDef, ValidationDef } from '../../page/site.ts'
import type { DescribedSchema, WriteKind, Schema } from './model.ts'
import { schemaPattern } from './pattern.ts'
import { staticValueOf } from './static-setting.ts'

type RuleOptions = Readonly<Record<string, unknown>>
/** Converts a rule to a schema; returns null when a schema cannot express the rule. */
type Translate = (options: RuleOptions, field: FieldDef) => DescribedSchema | null

/** Returns whether a rule always applies in this operation. */
export function appliesAlways(rule: ValidationDef, on: WriteKind): boolean {
  return rule.if === null && (rule.on === null || rule.on === on)
}

/** Returns the schema that a rule requires of a value that is present. */
export function ruleKeywords(rule: ValidationDef, field: FieldDef): DescribedSchema {
  const pairs = Object.entries(rule.options).map(([name, setting]) => [name, staticValueOf(setting)] as const)
  const staticOptions = pairs.filter(([, value]) => value !== undefined && value !== null)
  const computed = pairs.filter(([, value]) => value === undefined).map(([name]) => name)
  const described = RULES.get(rule.kind)?.(Object.fromEntries(staticOptions), field) ?? NO_RULES
  if (computed.length === 0) return described
  return {
    ...described,
    notes: [...described.notes, `${readableName(rule.kind)}: ${computed.join(', ')} computed by the site.`],
  }
}

const NO_RULES: DescribedSchema = { keywords: {}, notes: [], refusesNil: false }

/** The schemas of values that are not blank, by type of the field. Like nil, `false` is blank. */
const PRESENT: Partial<Record<FieldDef['type'], Schema>> = {
  string: { minLength: 1, pattern: '\\S' },
  array: { minItems: 1 },
  boolean: { enum: [true] },
}

const RULES: ReadonlyMap<string, Translate> = new Map<string, Translate>([
  ['presence', (_, field) => schemaKeywords(PRESENT[field.type] ?? {}, true)],
  ['absence', () => schemaNote('Stays empty.')],
  ['email', () => schemaKeywords({ format: 'email' })],
  ['confirmation', (_, { name }) => schemaNote(`Must be sent again as \`${name}_confirmation\`.`)],
  ['length', length],
  ['inclusion', inclusion],
  ['exclusion', exclusion],
  ['format', format],
  ['numericality', numericality],
  ['unique', unique],
  ['uniqueness', unique],
  ['acceptance', acceptance],
  ['datetime', limits],
  ['date', limits],
  ['phone_number', () => schemaNote('A telephone number with its country.')],
  ['geometry', () => schemaNote('GeoJSON.')],
  ['file_content_type', contentType],
])

function length(options: RuleOptions, field: FieldDef): DescribedSchema {
  const suffix = field.type === 'array' ? 'Items' : 'Length'
  const range = rangeOf(options['in']) ?? rangeOf(options['within'])
  const is = count(options['is'])
  const minimum = range?.[0] ?? count(options['minimum']) ?? is
  const maximum = range?.[1] ?? count(options['maximum']) ?? is
  const schema = {
    ...(minimum === undefined ? {} : { [`min${suffix}`]: minimum }),
    ...(maximum === undefined ? {} : { [`max${suffix}`]: maximum }),
  }
  return schemaKeywords(schema, (minimum ?? 0) > 0)
}

function inclusion({ in: allowedValues }: RuleOptions, field: FieldDef): DescribedSchema {
  const range = typeof allowedValues === 'string' ? rangeOf(allowedValues) : null
  if (range !== null) return schemaKeywords({ minimum: range[0], maximum: range[1] }, true)
  const values = list(allowedValues)
  if (values === null) return NO_RULES
  return schemaKeywords(field.type === 'array' ? { items: { enum: values } } : { enum: values }, !values.includes(null))
}

function exclusion({ in: excludedValues }: RuleOptions, field: FieldDef): DescribedSchema {
  const values = list(excludedValues)
  if (values === null) return NO_RULES
  return schemaKeywords(field.type === 'array' ? { items: { not: { enum: values } } } : { not: { enum: values } })
}

function acceptance({ accept }: RuleOptions, field: FieldDef): DescribedSchema {
  const spelled = list(accept) ?? ['1', 'true', 'on']
  const agrees = spelled.some((value) => String(value) === 'true')
  const values = field.type === 'boolean' ? [true] : [...new Set([...spelled, ...(agrees ? [true] : [])])]
  return schemaKeywords({ enum: values }, true)
}

function format(options: RuleOptions): DescribedSchema {
  const multiline = options['multiline'] === true
  const parts = (['with', 'without'] as const).map((name): DescribedSchema => {
    const source = options[name]
    if (typeof source !== 'string' || source === '') return NO_RULES
    const pattern = schemaPattern(source, multiline)
    if (pattern === null) return schemaNote(`${name === 'with' ? 'Matches' : 'Does not match'} \`${source}\`.`)
    // A missing field is matched as an empty text.
    const empty = new RegExp(pattern, 'u').test('')
    return name === 'with'
      ? schemaKeywords({ pattern }, !empty)
      : schemaKeywords({ not: { type: 'string', pattern } }, empty)
  })
  return combineSchemas(parts)
}

/**
 * The keywords for bounds of numbers. JSON Schema applies them only to numbers, although the value may also be a text that contains a
 * number.
 */
const NUMBERS: Readonly<Record<string, (value: number) => Schema>> = {
  greater_than: (value) => ({ exclusiveMinimum: value }),
  greater_than_or_equal_to: (value) => ({ minimum: value }),
  less_than: (value) => ({ exclusiveMaximum: value }),
  less_than_or_equal_to: (value) => ({ maximum: value }),
  equal_to: (value) => ({ minimum: value, maximum: value }),
  other_than: (value) => ({ not: { const: value } }),
}

function numericality(options: RuleOptions): DescribedSchema {
  const parts = Object.entries(NUMBERS).flatMap(([name, keyword]) => {
    const value = number(options[name])
    return value === undefined ? [] : [schemaKeywords(keyword(value))]
  })
  if (options['even'] === true) parts.push(schemaKeywords({ multipleOf: 2 }))
  if (options['odd'] === true) parts.push(schemaKeywords({ not: { type: 'number', multipleOf: 2 } }))
  const type = options['only_integer'] === true ? 'integer' : 'number'
  return combineSchemas([...parts, schemaKeywords({ type }, true)])
}

function unique(options: RuleOptions): DescribedSchema {
  const scope = list(options['scope']) ?? (typeof options['scope'] === 'string' ? [options['scope']] : [])
  return schemaNote(scope.length === 0 ? 'Unique.' : `Unique for each ${scope.join(' and ')}.`)
}

function limits(options: RuleOptions): DescribedSchema | null {
  const limitTexts = Object.entries(options).map(([name, value]) => `${readableName(name)} ${String(value)}`)
  return limitTexts.length === 0 ? null : schemaNote(`Is ${limitTexts.join(' and ')}.`)
}

function contentType(options: RuleOptions): DescribedSchema | null {
  const allowed = list(options['allow']) ?? (typeof options['allow'] === 'string' ? [options['allow']] : null)
  return allowed === null ? null : schemaNote(`A file of ${allowed.join(', ')}.`)
}

// ---- helpers ------------------------------------------------------------------------------------------------------------

function schemaKeywords(schema: Schema, refusesNil = false): DescribedSchema {
  return { keywords: schema, notes: [], refusesNil }
}

function schemaNote(text: string): DescribedSchema {
  return { keywords: {}, notes: [text], refusesNil: false }
}

function isBound(keyword: string): boolean {
  return /^(?:min|max|exclusiveM)/.test(keyword)
}

/** Combines schemas. The stricter of two bounds applies. A second value of any other keyword is added in an `allOf`. */
export function combineSchemas(parts: readonly DescribedSchema[]): DescribedSchema {
  const keywordValues = new Map<string, unknown>()
  const conflictingSchemas: Schema[] = []
  for (const part of parts) {
    const clashing: [string, unknown][] = []
    for (const [name, value] of Object.entries(part.keywords)) {
      const earlierValue = keywordValues.get(name)
      if (!keywordValues.has(name)) keywordValues.set(name, value)
      else if (typeof earlierValue === 'number' && typeof value === 'number' && isBound(name))
        keywordValues.set(name, /min/i.test(name) ? Math.max(earlierValue, value) : Math.min(earlierValue, value))
      else if (JSON.stringify(earlierValue) !== JSON.stringify(value)) clashing.push([name, value])
    }
    if (clashing.length > 0) conflictingSchemas.push(Object.fromEntries(clashing))
  }
  if (conflictingSchemas.length > 0) keywordValues.set('allOf', conflictingSchemas)
  return {
    keywords: Object.fromEntries(keywordValues),
    notes: parts.flatMap(({ notes }) => notes),
    refusesNil: parts.some(({ refusesNil }) => refusesNil),
  }
}

function list(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) && value.length > 0 ? [...new Set<unknown>(value)] : null
}

function number(value: unknown): number | undefined {
  const numericValue = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof numericValue === 'number' && Number.isFinite(numericValue) ? numericValue : undefined
}

function count(value: unknown): number | undefined {
  const numericValue = number(value)
  return numericValue !== undefined && Number.isInteger(numericValue) && numericValue >= 0 ? numericValue : undefined
}

/** Returns the bounds of a range such as `3..20` or `[3, 20]`. */
function rangeOf(value: unknown): readonly [number, number] | null {
  const span = spanOf(value)
  if (span !== null || !Array.isArray(value) || value.length !== 2) return span
  const [low, high] = [number(value[0]), number(value[1])]
  return low === undefined || high === undefined ? null : [low, high]
}

function readableName(name: string): string {
  return name.replaceAll('_', ' ')
}
