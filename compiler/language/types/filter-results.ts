/**
 * Result types of filters that depend on the input and are more exact than the filter's signature: the elements of a list, the keys of
 * a hash. Other filters have the result of their signature.
 */
import { INTEGER, NEVER, NIL, NUMBER, STRING, BOOLEAN, FLOAT, type Type, UNKNOWN } from '../../core/model/type.ts'
import { element, property } from './lookup.ts'
import { asPart, elementOf, join, joinAll, likely, literalTexts, members, truthy } from './relate.ts'

export interface TypedFilterCall {
  readonly input: Type
  readonly positional: readonly Type[]
  /** The named arguments as fields; null if there are none. */
  readonly named: ReadonlyMap<string, Type> | null
}

type Refinement = (use: TypedFilterCall, declared: Type) => Type

/** Returns the result type of the filter with this canonical name. `declared`: the type in its signature. */
export function refinedResult(filter: string, call: TypedFilterCall, declared: Type): Type {
  const refine = REFINEMENTS.get(filter)
  if (refine === undefined) return declared
  const { input } = call
  if (input.kind !== 'unknown' || input.likely === undefined || declared.kind !== 'unknown')
    return refine(call, declared)
  return likely(refine({ ...call, input: input.likely }, declared))
}

/** Returns the type of the elements of a list, which may be nil; null for other types. */
function elements(input: Type): Type | null {
  const lists = members(input).filter((member) => member.kind !== 'nil')
  return lists.length > 0 && lists.every((member) => member.kind === 'list') ? elementOf(input) : null
}

const sameElements: Refinement = ({ input }, declared) => {
  const elementType = elements(input)
  return input.kind === 'list' ? input : elementType === null ? declared : { kind: 'list', of: elementType }
}

const withoutNil: Refinement = ({ input }, declared) => {
  const of = elements(input)
  return of === null ? declared : { kind: 'list', of: of.kind === 'nil' ? NEVER : truthy(of) }
}

/** nil counts as an empty list. */
const withElement: Refinement = ({ input, positional: [item] }, declared) => {
  const of = input.kind === 'nil' ? NEVER : elements(input)
  return of === null || item === undefined ? declared : { kind: 'list', of: join(of, asPart(item)) }
}

const oneElement: Refinement = ({ input }, declared) => {
  const of = elements(input)
  return of !== null ? join(of, NIL) : input.kind === 'string' ? STRING : declared
}

/** The element that is found, or nil. */
const optionalElement: Refinement = ({ input }, declared) => {
  const of = elements(input)
  return of === null ? declared : join(of, NIL)
}

const mapField: Refinement = ({ input, positional: [key] }, declared) => {
  const of = elements(input)
  const text = keyText(key)
  return of === null || text === null ? declared : { kind: 'list', of: valueUnder(of, text) }
}

const mapRows: Refinement = ({ input, positional }, declared) => {
  const of = elements(input)
  if (of === null) return declared
  const values = positional.map((key) => {
    const text = keyText(key)
    return text === null ? UNKNOWN : valueUnder(of, text)
  })
  return { kind: 'list', of: { kind: 'list', of: joinAll(values) } }
}

const groupBy: Refinement = ({ input }, declared) => {
  const of = elements(input)
  return of === null ? declared : { kind: 'hash', of: { kind: 'list', of } }
}

const splitIntoGroups: Refinement = ({ input }, declared) => {
  const of = elements(input)
  return of === null ? declared : { kind: 'list', of: { kind: 'list', of: join(of, NIL) } }
}

const flatten: Refinement = ({ input }, declared) => {
  const of = elements(input)
  if (of === null) return declared
  const innerTypes = members(of)
  // Lists that are nested more than once are flattened too.
  if (innerTypes.some((member) => member.kind === 'unknown')) return declared
  if (innerTypes.every((member) => member.kind !== 'list')) return { kind: 'list', of }
  const flatType = joinAll(innerTypes.map((member) => (member.kind === 'list' ? member.of : member)))
  return members(flatType).some((member) => member.kind === 'list' || member.kind === 'unknown')
    ? declared
    : { kind: 'list', of: flatType }
}

const fieldValues: Refinement = ({ input }, declared) =>
  input.kind === 'record' && !input.open
    ? { kind: 'list', of: joinAll(input.fields.values()) }
    : input.kind === 'hash'
      ? { kind: 'list', of: input.of }
      : declared

/** Integer arithmetic has an integer result. */
const integerOfIntegers: Refinement = ({ input, positional }, declared) =>
  [input, ...positional].every(({ kind }) => kind === 'integer') ? INTEGER : declared

function keyText(key: Type | undefined): string | null {
  const texts = key === undefined ? null : literalTexts(key)
  return texts?.length === 1 ? (texts[0] ?? null) : null
}

/** Returns the type of the value under a key of a hash. For other types, it is unknown. */
function valueUnder(type: Type, key: string): Type {
  return joinAll(
    members(type).map((member) =>
      member.kind === 'record' || member.kind === 'hash'
        ? property(member, key, false).type
        : member.kind === 'nil'
          ? NIL
          : UNKNOWN,
    ),
  )
}

/** Returns the type of the value that is deleted from a hash with known keys. */
function deletedValue(input: Type, key: string | null, declared: Type): Type {
  const knownField = input.kind === 'record' && !input.open && key !== null ? input.fields.get(key) : undefined
  return knownField ?? declared
}

const REFINEMENTS: ReadonlyMap<string, Refinement> = new Map<string, Refinement>([
  ...[
    'reverse',
    'sort',
    'sort_natural',
    'uniq',
    'reject',
    'array_uniq',
    'array_limit',
    'array_rotate',
    'array_select',
    'array_reject',
    'array_shuffle',
    'array_sort_by',
    'array_subtract',
    'array_intersect',
    'array_delete',
    'array_delete_at',
    'where',
  ].map((name): [string, Refinement] => [name, sameElements]),
  ...['plus', 'minus', 'times', 'divided_by', 'modulo', 'abs'].map((name): [string, Refinement] => [
    name,
    integerOfIntegers,
  ]),
  ['array_add', withElement],
  ['array_prepend', withElement],
  ['compact', withoutNil],
  ['array_compact', withoutNil],
  ['find', optionalElement],
  ['array_detect', optionalElement],
  ['map', mapField],
  ['array_map', mapRows],
  ['array_group_by', groupBy],
  ['array_in_groups_of', splitIntoGroups],
  ['array_flatten', flatten],
  ['hash_values', fieldValues],
  ['hash_fetch', ({ input, positional }, declared) => valueAtPath(input, positional, declared)],
  ['first', oneElement],
  ['last', oneElement],
  ['size', () => INTEGER],
  ['deep_clone', ({ input }) => input],
  ['default', ({ input, positional, named }) => withDefault(input, positional[0] ?? STRING, named !== null)],
  ['parse_json', ({ input }, declared) => typeOfJsonText(input, declared)],
  ['hash_dig', ({ input, positional }, declared) => valueAtPath(input, positional, declared)],
  [
    'hash_merge',
    ({ input, positional, named }, declared) => mergedRecords(input, positional[0] ?? fieldsOf(named), declared),
  ],
  ['hash_delete_key', ({ input, positional: [key] }, declared) => deletedValue(input, keyText(key), declared)],
  ['hash_add_key', ({ input, positional: [key, value] }, declared) => withKey(input, key, value, declared)],
  [
    'concat',
    ({ input, positional: [other] }, declared) =>
      input.kind === 'list' && other?.kind === 'list' ? { kind: 'list', of: join(input.of, other.of) } : declared,
  ],
])

/** `default` replaces nil, false and empty values. `options` may keep false. */
function withDefault(input: Type, fallback: Type, options: boolean): Type {
  if (input.kind === 'nil') return fallback
  const truthyInput = truthy(input)
  return join(options ? input : truthyInput, fallback)
}

const MAX_JSON_LENGTH = 2000

function typeOfJsonText(input: Type, declared: Type): Type {
  const texts = literalTexts(input)
  const text = texts?.length === 1 ? texts[0] : undefined
  if (text === undefined || text.length > MAX_JSON_LENGTH) return declared
  try {
    return typeOfJson(JSON.parse(text))
  } catch {
    return declared
  }
}

function typeOfJson(value: unknown): Type {
  if (value === null) return NIL
  switch (typeof value) {
    case 'string':
      return STRING
    case 'boolean':
      return BOOLEAN
    case 'number':
      return Number.isInteger(value) ? NUMBER : FLOAT
    case 'object':
      break
    default:
      return UNKNOWN
  }
  if (Array.isArray(value))
    return { kind: 'list', of: value.reduce<Type>((of, item) => join(of, typeOfJson(item)), NEVER) }
  const fields = new Map(Object.entries(value).map(([key, each]): [string, Type] => [key, typeOfJson(each)]))
  return { kind: 'record', fields, open: false, origin: null }
}

function valueAtPath(input: Type, keys: readonly Type[], declared: Type): Type {
  let type = input
  for (const key of keys) {
    const text = keyText(key)
    if (text !== null) type = valueUnder(type, text)
    else if (key.kind === 'integer') type = element(type)
    else return declared
  }
  return type
}

function fieldsOf(named: ReadonlyMap<string, Type> | null): Type | undefined {
  return named === null ? undefined : { kind: 'record', fields: named, open: false, origin: null }
}

function mergedRecords(input: Type, otherFields: Type | undefined, declared: Type): Type {
  if (input.kind !== 'record' || otherFields?.kind !== 'record') return declared
  const fields = new Map(input.fields)
  for (const [key, type] of otherFields.fields) fields.set(key, asPart(type))
  // Unknown keys may replace known ones.
  if (otherFields.open) return { kind: 'hash', of: UNKNOWN }
  return { kind: 'record', fields, open: input.open, origin: input.origin ?? otherFields.origin }
}

function withKey(input: Type, key: Type | undefined, value: Type | undefined, declared: Type): Type {
  const texts = key === undefined ? null : literalTexts(key)
  const text = texts?.length === 1 ? texts[0] : undefined
  if (input.kind !== 'record' || text === undefined || value === undefined) return declared
  return { ...input, fields: new Map(input.fields).set(text, asPart(value)) }
}
