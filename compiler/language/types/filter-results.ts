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
  readonly namedTypes: ReadonlyMap<string, Type> | null
}

type Refinement = (use: TypedFilterCall, declaredType: Type) => Type

/** Returns the result type of the filter with this canonical name. `declared`: the type in its signature. */
export function refinedResult(filter: string, call: TypedFilterCall, declaredType: Type): Type {
  const refine = REFINEMENTS.get(filter)
  if (refine === undefined) return declaredType
  const { input } = call
  if (input.kind !== 'unknown' || input.likely === undefined || declaredType.kind !== 'unknown')
    return refine(call, declaredType)
  return likely(refine({ ...call, input: input.likely }, declaredType))
}

/** Returns the type of the elements of a list, which may be nil; null for other types. */
function elements(input: Type): Type | null {
  const lists = members(input).filter((member) => member.kind !== 'nil')
  return lists.length > 0 && lists.every((member) => member.kind === 'list') ? elementOf(input) : null
}

const sameElements: Refinement = ({ input }, declaredType) => {
  const elementType = elements(input)
  return input.kind === 'list' ? input : elementType === null ? declaredType : { kind: 'list', element: elementType }
}

const withoutNil: Refinement = ({ input }, declaredType) => {
  const element = elements(input)
  return element === null ? declaredType : { kind: 'list', element: element.kind === 'nil' ? NEVER : truthy(element) }
}

/** nil counts as an empty list. */
const withElement: Refinement = ({ input, positional: [item] }, declaredType) => {
  const element = input.kind === 'nil' ? NEVER : elements(input)
  return element === null || item === undefined ? declaredType : { kind: 'list', element: join(element, asPart(item)) }
}

const oneElement: Refinement = ({ input }, declaredType) => {
  const element = elements(input)
  return element !== null ? join(element, NIL) : input.kind === 'string' ? STRING : declaredType
}

/** The element that is found, or nil. */
const optionalElement: Refinement = ({ input }, declaredType) => {
  const element = elements(input)
  return element === null ? declaredType : join(element, NIL)
}

const mapField: Refinement = ({ input, positional: [key] }, declaredType) => {
  const element = elements(input)
  const text = keyText(key)
  return element === null || text === null ? declaredType : { kind: 'list', element: valueUnder(element, text) }
}

const mapRows: Refinement = ({ input, positional }, declaredType) => {
  const element = elements(input)
  if (element === null) return declaredType
  const values = positional.map((key) => {
    const text = keyText(key)
    return text === null ? UNKNOWN : valueUnder(element, text)
  })
  return { kind: 'list', element: { kind: 'list', element: joinAll(values) } }
}

const groupBy: Refinement = ({ input }, declaredType) => {
  const element = elements(input)
  return element === null ? declaredType : { kind: 'hash', element: { kind: 'list', element } }
}

const splitIntoGroups: Refinement = ({ input }, declaredType) => {
  const element = elements(input)
  return element === null ? declaredType : { kind: 'list', element: { kind: 'list', element: join(element, NIL) } }
}

const flatten: Refinement = ({ input }, declaredType) => {
  const element = elements(input)
  if (element === null) return declaredType
  const innerTypes = members(element)
  // Lists that are nested more than once are flattened too.
  if (innerTypes.some((member) => member.kind === 'unknown')) return declaredType
  if (innerTypes.every((member) => member.kind !== 'list')) return { kind: 'list', element }
  const flatType = joinAll(innerTypes.map((member) => (member.kind === 'list' ? member.element : member)))
  return members(flatType).some((member) => member.kind === 'list' || member.kind === 'unknown')
    ? declaredType
    : { kind: 'list', element: flatType }
}

const fieldValues: Refinement = ({ input }, declaredType) =>
  input.kind === 'record' && !input.open
    ? { kind: 'list', element: joinAll(input.fields.values()) }
    : input.kind === 'hash'
      ? { kind: 'list', element: input.element }
      : declaredType

/** Integer arithmetic has an integer result. */
const integerOfIntegers: Refinement = ({ input, positional }, declaredType) =>
  [input, ...positional].every(({ kind }) => kind === 'integer') ? INTEGER : declaredType

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
function deletedValue(input: Type, key: string | null, declaredType: Type): Type {
  const knownField = input.kind === 'record' && !input.open && key !== null ? input.fields.get(key) : undefined
  return knownField ?? declaredType
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
  ['hash_fetch', ({ input, positional }, declaredType) => valueAtPath(input, positional, declaredType)],
  ['first', oneElement],
  ['last', oneElement],
  ['size', () => INTEGER],
  ['split', ({ input }, declaredType) => (input.kind === 'string' ? { kind: 'list', element: STRING } : declaredType)],
  ['deep_clone', ({ input }) => input],
  ['default', ({ input, positional, namedTypes }) => withDefault(input, positional[0] ?? STRING, namedTypes !== null)],
  ['parse_json', ({ input }, declaredType) => typeOfJsonText(input, declaredType)],
  ['hash_dig', ({ input, positional }, declaredType) => valueAtPath(input, positional, declaredType)],
  [
    'hash_merge',
    ({ input, positional, namedTypes }, declaredType) =>
      mergedRecords(input, positional[0] ?? fieldsOf(namedTypes), declaredType),
  ],
  ['hash_delete_key', ({ input, positional: [key] }, declaredType) => deletedValue(input, keyText(key), declaredType)],
  ['hash_add_key', ({ input, positional: [key, value] }, declaredType) => withKey(input, key, value, declaredType)],
  [
    'concat',
    ({ input, positional: [otherType] }, declaredType) =>
      input.kind === 'list' && otherType?.kind === 'list'
        ? { kind: 'list', element: join(input.element, otherType.element) }
        : declaredType,
  ],
])

/** `default` replaces nil, false and empty values. `options` may keep false. */
function withDefault(input: Type, fallback: Type, options: boolean): Type {
  if (input.kind === 'nil') return fallback
  const truthyInput = truthy(input)
  return join(options ? input : truthyInput, fallback)
}

const MAX_JSON_LENGTH = 2000

function typeOfJsonText(input: Type, declaredType: Type): Type {
  const texts = literalTexts(input)
  const text = texts?.length === 1 ? texts[0] : undefined
  if (text === undefined || text.length > MAX_JSON_LENGTH) return declaredType
  try {
    return typeOfJson(JSON.parse(text))
  } catch {
    return declaredType
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
    return { kind: 'list', element: value.reduce<Type>((element, item) => join(element, typeOfJson(item)), NEVER) }
  const fields = new Map(Object.entries(value).map(([key, each]): [string, Type] => [key, typeOfJson(each)]))
  return { kind: 'record', fields, open: false, origin: null }
}

function valueAtPath(input: Type, keys: readonly Type[], declaredType: Type): Type {
  let type = input
  for (const key of keys) {
    const text = keyText(key)
    if (text !== null) type = valueUnder(type, text)
    else if (key.kind === 'integer') type = element(type)
    else return declaredType
  }
  return type
}

function fieldsOf(named: ReadonlyMap<string, Type> | null): Type | undefined {
  return named === null ? undefined : { kind: 'record', fields: named, open: false, origin: null }
}

function mergedRecords(input: Type, otherFields: Type | undefined, declaredType: Type): Type {
  if (input.kind !== 'record' || otherFields?.kind !== 'record') return declaredType
  const fields = new Map(input.fields)
  for (const [key, type] of otherFields.fields) fields.set(key, asPart(type))
  // Unknown keys may replace known ones.
  if (otherFields.open) return { kind: 'hash', element: UNKNOWN }
  return { kind: 'record', fields, open: input.open, origin: input.origin ?? otherFields.origin }
}

function withKey(input: Type, key: Type | undefined, value: Type | undefined, declaredType: Type): Type {
  const texts = key === undefined ? null : literalTexts(key)
  const text = texts?.length === 1 ? texts[0] : undefined
  if (input.kind !== 'record' || text === undefined || value === undefined) return declaredType
  return { ...input, fields: new Map(input.fields).set(text, asPart(value)) }
}
