/**
 * What a filter gives for a certain input, where that says more than the filter's own signature: the elements of a list, the
 * keys of a hash. A filter that is not here has the result of its signature.
 */
import { INTEGER, NEVER, NIL, NUMBER, STRING, BOOLEAN, FLOAT, type Type, UNKNOWN } from '../model/type.ts'
import { property } from './lookup.ts'
import { asPart, join, joinAll, literalTexts, members, truthy } from './relate.ts'

export interface FilterUse {
  readonly input: Type
  readonly positional: readonly Type[]
  /** The named arguments as fields; null without any. */
  readonly named: ReadonlyMap<string, Type> | null
}

type Refinement = (use: FilterUse, declared: Type) => Type

/** The result of the filter with that (canonical) name; `declared` is what its signature says. */
export function resultOf(filter: string, use: FilterUse, declared: Type): Type {
  const refine = REFINEMENTS.get(filter)
  return refine === undefined ? declared : refine(use, declared)
}

const sameElements: Refinement = ({ input }, declared) => (input.kind === 'list' ? input : declared)

const added: Refinement = ({ input, positional }, declared) =>
  input.kind === 'list' && positional[0] !== undefined
    ? { kind: 'list', of: join(input.of, asPart(positional[0])) }
    : declared

const oneElement: Refinement = ({ input }, declared) =>
  input.kind === 'list' ? join(input.of, NIL) : input.kind === 'string' ? STRING : declared

const REFINEMENTS: ReadonlyMap<string, Refinement> = new Map<string, Refinement>([
  ...[
    'reverse',
    'sort',
    'sort_natural',
    'uniq',
    'compact',
    'reject',
    'array_compact',
    'array_uniq',
    'array_limit',
    'array_rotate',
    'array_select',
    'array_reject',
    'array_shuffle',
    'array_sort_by',
    'array_subtract',
  ].map((name): [string, Refinement] => [name, sameElements]),
  ['array_add', added],
  ['array_prepend', added],
  ['first', oneElement],
  ['last', oneElement],
  ['size', () => INTEGER],
  ['deep_clone', ({ input }) => input],
  ['default', ({ input, positional, named }) => defaulted(input, positional[0] ?? STRING, named !== null)],
  ['parse_json', ({ input }, declared) => parsed(input, declared)],
  ['hash_dig', ({ input, positional }, declared) => dug(input, positional, declared)],
  ['hash_merge', ({ input, positional, named }, declared) => merged(input, positional[0] ?? fieldsOf(named), declared)],
  ['hash_add_key', ({ input, positional: [key, value] }, declared) => withKey(input, key, value, declared)],
  [
    'concat',
    ({ input, positional: [other] }, declared) =>
      input.kind === 'list' && other?.kind === 'list' ? { kind: 'list', of: join(input.of, other.of) } : declared,
  ],
])

/** nil, false and what is empty give way; `options` may keep false. */
function defaulted(input: Type, fallback: Type, options: boolean): Type {
  if (input.kind === 'nil') return fallback
  const kept = truthy(input)
  return join(options ? input : kept, fallback)
}

const LONGEST_JSON = 2000

function parsed(input: Type, declared: Type): Type {
  const texts = literalTexts(input)
  const text = texts?.length === 1 ? texts[0] : undefined
  if (text === undefined || text.length > LONGEST_JSON) return declared
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
  const fields = new Map(
    Object.entries(value as Record<string, unknown>).map(([key, each]): [string, Type] => [key, typeOfJson(each)]),
  )
  return { kind: 'record', fields, open: false, origin: null }
}

function dug(input: Type, keys: readonly Type[], declared: Type): Type {
  let type = input
  for (const key of keys) {
    const texts = literalTexts(key)
    const text = texts?.length === 1 ? texts[0] : undefined
    if (text === undefined) return declared
    type = joinAll(
      members(type).map((member) =>
        member.kind === 'record' || member.kind === 'hash'
          ? property(member, text, false).type
          : member.kind === 'nil'
            ? NIL
            : UNKNOWN,
      ),
    )
  }
  return type
}

function fieldsOf(named: ReadonlyMap<string, Type> | null): Type | undefined {
  return named === null ? undefined : { kind: 'record', fields: named, open: false, origin: null }
}

function merged(input: Type, more: Type | undefined, declared: Type): Type {
  if (input.kind !== 'record' || more?.kind !== 'record') return declared
  const fields = new Map(input.fields)
  for (const [key, type] of more.fields) fields.set(key, asPart(type))
  // Keys that are not known may replace those that are.
  if (more.open) return { kind: 'hash', of: UNKNOWN }
  return { kind: 'record', fields, open: input.open, origin: input.origin ?? more.origin }
}

function withKey(input: Type, key: Type | undefined, value: Type | undefined, declared: Type): Type {
  const texts = key === undefined ? null : literalTexts(key)
  const text = texts?.length === 1 ? texts[0] : undefined
  if (input.kind !== 'record' || text === undefined || value === undefined) return declared
  return { ...input, fields: new Map(input.fields).set(text, asPart(value)) }
}
