/** How types relate: the type of either of two values, whether a value fits, what a condition says about it, and its name. */
import { attached } from '../../core/model/attached.ts'
import { keptList } from '../../core/model/kept.ts'
import { INTEGER, type MissingKey, NEVER, NIL, NUMBER, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'

/** Types that are deeper, and unions of more members, become unknown, so that every inference ends. */
const MOST_DEPTH = 8
const MOST_MEMBERS = 16

/** A coarse kind of values: two values of different categories are never equal. */
export type Category = 'text' | 'number' | 'boolean' | 'nil' | 'list' | 'hash' | 'range' | 'moment' | 'unknown'

/** Parts of a type in all, where a part that occurs twice counts twice: larger types become unknown, too. */
const MOST_PARTS = 1000

interface TypeSize {
  readonly depth: number
  readonly size: number
}

const sizes = attached<Type, TypeSize>()

function sizeOf(type: Type): TypeSize {
  const parts = partsOf(type)
  if (parts.length === 0) return { depth: 0, size: 1 }
  const known = sizes.get(type)
  if (known !== undefined) return known
  let depth = 0
  let size = 1
  for (const part of parts) {
    const inner = sizeOf(part)
    depth = Math.max(depth, inner.depth)
    size += inner.size
  }
  const measured = { depth: depth + (type.kind === 'union' ? 0 : 1), size }
  sizes.set(type, measured)
  return measured
}

function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
    case 'hash':
      return [type.of]
    case 'record':
      return [...type.fields.values()]
    case 'union':
      return type.of
    default:
      return []
  }
}

/**
 * A type as a part of a larger one: the characters of a text are no longer known, and a type of the largest size becomes unknown.
 */
export function asPart(type: Type): Type {
  const { depth, size } = sizeOf(type)
  return depth >= MOST_DEPTH || size > MOST_PARTS ? UNKNOWN : plainText(type)
}

export function members(type: Type): readonly Type[] {
  return type.kind === 'union' ? type.of : [type]
}

/** The type of a value that is of one type or of the other. */
export function join(a: Type, b: Type, depth = 0): Type {
  if (a === b || b.kind === 'never') return a
  if (a.kind === 'never') return b
  if (depth > MOST_DEPTH) return UNKNOWN
  if (a.kind === 'unknown' || b.kind === 'unknown') return joinLikely(a, b, depth)
  let of: readonly Type[] = members(a)
  for (const member of members(b)) of = include(of, member, depth)
  return a.kind === 'union' && of === a.of ? a : union(of)
}

/** Two values of which one may be anything: what is known of both is still likely. */
function joinLikely(a: Type, b: Type, depth: number): Type {
  const [one, other] = [a, b].map((each) => (each.kind === 'unknown' ? each.likely : each))
  return one === undefined || other === undefined ? UNKNOWN : likely(join(one, other, depth))
}

const likelyTypes = attached<Type, Type>()

/** A value that may be anything, and that is of the type wherever something is known of it. */
export function likely(type: Type): Type {
  if (type.kind === 'unknown' || !members(type).some(({ kind }) => kind === 'record' || kind === 'list'))
    return type.kind === 'unknown' ? type : UNKNOWN
  let made = likelyTypes.get(type)
  if (made === undefined) likelyTypes.set(type, (made = { kind: 'unknown', likely: type }))
  return made
}

export function joinAll(types: Iterable<Type>): Type {
  let result: Type = NEVER
  for (const type of types) result = join(result, type)
  return result
}

function union(of: readonly Type[]): Type {
  if (of.some((member) => member.kind === 'unknown')) return UNKNOWN
  const kept = of.length > MOST_MEMBERS ? withoutLiterals(of) : of
  const [only] = kept
  if (only !== undefined && kept.length === 1) return only
  return kept.length > MOST_MEMBERS ? UNKNOWN : unionOf(kept)
}

/** Unions of types without parts, which occur everywhere: each is one object. */
const plainUnions = new Map<string, Type>()

function unionOf(of: readonly Type[]): Type {
  let key = ''
  for (const member of of) {
    const plain = plainKey(member)
    if (plain === null) return { kind: 'union', of: keptList(of) }
    key += `${plain} `
  }
  let known = plainUnions.get(key)
  if (known === undefined) plainUnions.set(key, (known = { kind: 'union', of: keptList(of) }))
  return known
}

/** Null for types of which there is no end. */
function plainKey(type: Type): string | null {
  switch (type.kind) {
    case 'list':
    case 'hash':
    case 'record':
    case 'union':
    case 'unknown':
      return null
    case 'string':
      return type.literal === undefined ? `${type.kind} ${type.safe ?? ''}` : null
    default:
      return type.kind
  }
}

function withoutLiterals(of: readonly Type[]): readonly Type[] {
  let kept: readonly Type[] = []
  for (const member of of) kept = include(kept, plainText(member), 0)
  return kept
}

/** A text without what is known of its characters. */
function plainText(type: Type): Type {
  if (type.kind !== 'string' || type.literal === undefined) return type
  return type.safe === undefined ? STRING : { kind: 'string', safe: type.safe }
}

function include(of: readonly Type[], added: Type, depth: number): readonly Type[] {
  for (let at = 0; at < of.length; at++) {
    const member = of[at]
    const merged = member === undefined ? null : merge(member, added, depth)
    if (merged !== null) return merged === member ? of : [...of.slice(0, at), merged, ...of.slice(at + 1)]
  }
  // A plain text swallows the texts that are known.
  if (added.kind === 'string' && added.literal === undefined) {
    const rest = of.filter((each) => each.kind !== 'string' || each.safe !== added.safe)
    return [...rest, added]
  }
  return [...of, added]
}

/** Two members as one, or null where they stand side by side. */
function merge(a: Type, b: Type, depth: number): Type | null {
  if (a === b) return a
  switch (a.kind) {
    case 'string':
      if (b.kind !== 'string' || a.safe !== b.safe) return null
      return a.literal === undefined || a.literal === b.literal ? a : null
    case 'integer':
    case 'float':
    case 'number':
      if (b.kind === a.kind) return a
      return b.kind === 'integer' || b.kind === 'float' || b.kind === 'number' ? NUMBER : null
    case 'list':
      return b.kind === 'list' ? listOf(join(a.of, b.of, depth + 1), a) : null
    case 'hash':
      if (b.kind === 'hash') return { kind: 'hash', of: join(a.of, b.of, depth + 1) }
      return b.kind === 'record' ? { kind: 'hash', of: UNKNOWN } : null
    case 'record':
      if (b.kind === 'hash') return { kind: 'hash', of: UNKNOWN }
      return b.kind === 'record' ? mergeRecords(a, b, depth) : null
    default:
      return a.kind === b.kind ? a : null
  }
}

type RecordType = Extract<Type, { kind: 'record' }>

/** The first of them where the other one adds nothing. */
function mergeRecords(a: RecordType, b: RecordType, depth: number): Type {
  const fields = new Map<string, Type>()
  const lacking = new Map(a.lacking)
  for (const [key, missing] of b.lacking ?? []) lacking.set(key, missing)
  let isFirst = b.lacking === undefined && (a.open || !b.open) && (a.origin ?? b.origin) === a.origin
  // A key that only one of two known shapes has may be missing.
  for (const [key, type] of a.fields) {
    const other = b.fields.get(key)
    const joined = join(type, other ?? typeOfAbsentKey(b, key), depth + 1)
    if (joined !== type) isFirst = false
    fields.set(key, joined)
    if (other === undefined) addLacking(lacking, key, b)
  }
  for (const [key, type] of b.fields) {
    if (fields.has(key)) continue
    isFirst = false
    fields.set(key, join(type, typeOfAbsentKey(a, key), depth + 1))
    addLacking(lacking, key, a)
  }
  const possible = bothOf(a.possible, b.possible)
  if (isFirst && possible === a.possible && lacking.size === (a.lacking?.size ?? 0)) return a
  return {
    kind: 'record',
    fields,
    open: a.open || b.open,
    origin: a.origin ?? b.origin,
    ...(lacking.size === 0 ? {} : { lacking }),
    ...(possible === undefined ? {} : { possible }),
  }
}

/** Only records as queries give them are noted: other hashes often leave out keys without a value. */
function addLacking(lacking: Map<string, MissingKey>, key: string, without: RecordType): void {
  if (without.open || without.origin?.of !== 'query' || lacking.has(key) || without.possible !== undefined) return
  lacking.set(key, { known: [...without.fields.keys()], origin: without.origin })
}

function typeOfAbsentKey(record: RecordType, key: string): Type {
  return record.open || record.possible?.has(key) === true ? UNKNOWN : NIL
}

function bothOf(a: RecordType['possible'], b: RecordType['possible']): RecordType['possible'] {
  return a === undefined || b === undefined ? (a ?? b) : joinKeySets(a, b)
}

/** Both together; the first where it has all of them. */
export function joinKeySets(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  if (a === b) return a
  let all: Set<string> | null = null
  for (const key of b) if (!a.has(key)) (all ??= new Set(a)).add(key)
  return all ?? a
}

/** A list of `of`; `known` is given back where it is that already. */
function listOf(of: Type, known: Extract<Type, { kind: 'list' }>): Type {
  return known.of === of ? known : { kind: 'list', of }
}

/** Whether two types are the same, to the depth of the bound. */
export function same(a: Type, b: Type, depth = 0): boolean {
  if (a === b) return true
  if (a.kind !== b.kind || depth > MOST_DEPTH) return false
  switch (a.kind) {
    case 'string':
      return b.kind === 'string' && a.safe === b.safe && a.literal === b.literal
    case 'unknown':
      return b.kind === 'unknown' && sameLikely(a.likely, b.likely, depth)
    case 'list':
    case 'hash':
      return (b.kind === 'list' || b.kind === 'hash') && same(a.of, b.of, depth + 1)
    case 'record':
      return (
        b.kind === 'record' &&
        a.open === b.open &&
        a.fields.size === b.fields.size &&
        a.lacking?.size === b.lacking?.size &&
        a.possible?.size === b.possible?.size &&
        sameFields(a, b, depth)
      )
    case 'union':
      return (
        b.kind === 'union' &&
        a.of.length === b.of.length &&
        a.of.every((each, at) => {
          const other = b.of[at]
          return other !== undefined && same(each, other, depth + 1)
        })
      )
    default:
      return true
  }
}

function sameLikely(a: Type | undefined, b: Type | undefined, depth: number): boolean {
  return a === undefined || b === undefined ? a === b : same(a, b, depth + 1)
}

function sameFields(a: RecordType, b: RecordType, depth: number): boolean {
  for (const [key, type] of a.fields) {
    const other = b.fields.get(key)
    if (other === undefined || !same(type, other, depth + 1)) return false
  }
  return true
}

export function categoryOf(type: Type): Category {
  switch (type.kind) {
    case 'string':
      return 'text'
    case 'integer':
    case 'float':
    case 'number':
      return 'number'
    case 'boolean':
    case 'nil':
    case 'range':
    case 'list':
      return type.kind
    case 'record':
    case 'hash':
      return 'hash'
    case 'date':
    case 'time':
      return 'moment'
    default:
      return 'unknown'
  }
}

/** Sets of one category, which most values have. */
const ALONE = new Map<Category, ReadonlySet<Category>>()

function alone(category: Category): ReadonlySet<Category> {
  let set = ALONE.get(category)
  if (set === undefined) ALONE.set(category, (set = new Set([category])))
  return set
}

/** The categories that a value can have; null where something is unknown. */
export function categories(type: Type): ReadonlySet<Category> | null {
  if (type.kind === 'unknown') return null
  if (type.kind !== 'union') {
    const category = categoryOf(type)
    return category === 'unknown' ? null : alone(category)
  }
  const found = new Set<Category>()
  for (const member of members(type)) {
    const category = categoryOf(member)
    if (category === 'unknown') return null
    found.add(category)
  }
  return found
}

/** The one category that every value of the type has, or null. */
export function onlyCategory(type: Type): Category | null {
  const found = categories(type)
  if (found === null || found.size !== 1) return null
  const [category] = found
  return category ?? null
}

/**
 * Whether a value of the type can be used where `expected` is asked for. In doubt it can: only what surely is something
 * else cannot. nil fits everywhere, since any value may be missing.
 */
export function assignable(type: Type, expected: Type): boolean {
  const expectedCategories = categories(expected)
  const givenCategories = categories(type)
  if (expectedCategories === null || givenCategories === null) return true
  for (const category of givenCategories) {
    if (category === 'nil') continue
    if (expectedCategories.has(category)) return elementsFit(type, expected)
  }
  return givenCategories.size === 0 || (givenCategories.size === 1 && givenCategories.has('nil'))
}

function elementsFit(type: Type, expected: Type): boolean {
  if (type.kind !== 'list' || expected.kind !== 'list' || type.of.kind === 'never') return true
  return assignable(type.of, expected.of)
}

/** The type of a value of which is known that it counts as true. */
export function truthy(type: Type): Type {
  const kept = members(type).filter((member) => member.kind !== 'nil')
  return kept.length === members(type).length ? type : kept.length === 0 ? UNKNOWN : union(kept)
}

/** The type of a value of which is known that it counts as false. */
export function falsy(type: Type): Type {
  const kept = members(type).filter(
    (member) => member.kind === 'nil' || member.kind === 'boolean' || member.kind === 'unknown',
  )
  return kept.length === members(type).length ? type : kept.length === 0 ? UNKNOWN : union(kept)
}

/** Whether every value of the type counts as true (`true`), none does (`false`), or nobody knows. */
export function constantTruth(type: Type): boolean | null {
  const all = members(type)
  if (all.every((member) => member.kind === 'nil')) return false
  return all.every(
    (member) =>
      member.kind !== 'nil' && member.kind !== 'boolean' && member.kind !== 'unknown' && member.kind !== 'never',
  )
    ? true
    : null
}

/** The texts that a value can be, where each of them is known. */
export function literalTexts(type: Type): readonly string[] | null {
  const texts: string[] = []
  for (const member of members(type)) {
    if (member.kind !== 'string' || member.literal === undefined) return null
    texts.push(member.literal)
  }
  return texts
}

/** Whether a value of the type can be changed in place, so that another name may see the change. */
export function isMutable(type: Type): boolean {
  if (type.kind === 'union') return type.of.some(isMutable)
  return type.kind === 'list' || type.kind === 'record' || type.kind === 'hash' || type.kind === 'unknown'
}

/** The type with all that can be changed in place unknown: what remains true whoever else holds the value. */
export function unshared(type: Type): Type {
  return isMutable(type) ? UNKNOWN : type
}

/** What an element of a value is that a loop goes over. */
export function elementOf(type: Type): Type {
  return joinAll(
    members(type).map((member): Type => {
      switch (member.kind) {
        case 'list':
          return member.of
        case 'range':
          return INTEGER
        case 'string':
          return plainText(member)
        case 'record':
        case 'hash':
          return { kind: 'list', of: UNKNOWN }
        case 'unknown':
          return member.likely === undefined ? UNKNOWN : likely(elementOf(member.likely))
        // Nothing is looped over.
        default:
          return NEVER
      }
    }),
  )
}

/** The type in words without an article: `text`, `number`, `array of texts`, `text or nil`. */
export function describe(type: Type): string {
  const words = new Set(members(type).map(describeOne))
  const all = [...words].sort((a, b) => Number(a === 'nil') - Number(b === 'nil'))
  const last = all.pop() ?? 'nothing'
  return all.length === 0 ? last : `${all.join(', ')} or ${last}`
}

const PLURALS: Readonly<Partial<Record<Category, string>>> = {
  text: 'texts',
  number: 'numbers',
  hash: 'hashes',
  list: 'arrays',
}

function describeOne(type: Type): string {
  switch (type.kind) {
    case 'string':
      return 'text'
    case 'integer':
    case 'float':
    case 'number':
      return 'number'
    case 'boolean':
      return 'true or false'
    case 'list': {
      const of = PLURALS[onlyCategory(type.of) ?? 'unknown']
      return of === undefined ? 'array' : `array of ${of}`
    }
    case 'record':
    case 'hash':
      return 'hash'
    case 'unknown':
      return 'value'
    case 'never':
    case 'union':
      return 'nothing'
    default:
      return type.kind
  }
}
