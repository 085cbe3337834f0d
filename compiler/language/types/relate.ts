/** Relations between types: joining, assignability, narrowing by conditions, and descriptions. */
import { attached } from '../../core/model/attached.ts'
import { earliest } from '../../core/source/span.ts'
import { shareList } from '../../core/model/shared-values.ts'
import { INTEGER, type MissingKey, NEVER, NIL, NUMBER, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import { getOrMake } from '../../core/source/maps.ts'
import { derived } from '../../core/model/derived.ts'

/** Maximum depth of types and maximum number of union members. Larger types become unknown, so that every inference ends. */
const MAX_DEPTH = 8
const MAX_MEMBERS = 16

/** A coarse kind of values. Values of different categories are never equal. */
export type Category = 'text' | 'number' | 'boolean' | 'nil' | 'list' | 'hash' | 'range' | 'moment' | 'unknown'

/** Maximum number of parts of a type. Repeated parts count each time. Larger types become unknown. */
const MAX_PARTS = 1000

interface TypeSize {
  readonly depth: number
  readonly size: number
}

const sizes = attached<Type, TypeSize>()

function sizeOf(type: Type): TypeSize {
  const parts = partsOf(type)
  if (parts.length === 0) return { depth: 0, size: 1 }
  const cachedSize = sizes.get(type)
  if (cachedSize !== undefined) return cachedSize
  let depth = 0
  let size = 1
  for (const part of parts) {
    const partSize = sizeOf(part)
    depth = Math.max(depth, partSize.depth)
    size += partSize.size
  }
  const typeSize = { depth: depth + (type.kind === 'union' ? 0 : 1), size }
  sizes.set(type, typeSize)
  return typeSize
}

function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
    case 'hash':
      return [type.element]
    case 'record':
      return [...type.fields.values()]
    case 'union':
      return type.members
    default:
      return []
  }
}

/**
 * Returns a type for use inside a larger one: literal texts become plain texts, and a type of the maximum size becomes unknown.
 */
export function asPart(type: Type): Type {
  const { depth, size } = sizeOf(type)
  return depth >= MAX_DEPTH || size > MAX_PARTS ? UNKNOWN : plainText(type)
}

export function members(type: Type): readonly Type[] {
  return type.kind === 'union' ? type.members : [type]
}

/** Returns the type of a value that has one of the two types. */
export function join(a: Type, b: Type, depth = 0): Type {
  if (a === b || b.kind === 'never') return a
  if (a.kind === 'never') return b
  if (depth > MAX_DEPTH) return UNKNOWN
  if (a.kind === 'unknown' || b.kind === 'unknown') return joinLikely(a, b, depth)
  let memberTypes: readonly Type[] = members(a)
  for (const member of members(b)) memberTypes = include(memberTypes, member, depth)
  return a.kind === 'union' && memberTypes === a.members ? a : union(memberTypes)
}

/** Joins two types of which one may be anything. The known parts of both remain likely. */
function joinLikely(a: Type, b: Type, depth: number): Type {
  const [one, otherType] = [a, b].map((each) => (each.kind === 'unknown' ? each.likely : each))
  return one === undefined || otherType === undefined ? UNKNOWN : likely(join(one, otherType, depth))
}

const unknownLikely = derived((type: Type): Type => ({ kind: 'unknown', likely: type }))

/** Returns the type of a value that may be anything, but probably has this type. */
export function likely(type: Type): Type {
  if (type.kind === 'unknown' || !members(type).some(({ kind }) => kind === 'record' || kind === 'list'))
    return type.kind === 'unknown' ? type : UNKNOWN
  return unknownLikely(type)
}

export function joinAll(types: Iterable<Type>): Type {
  let result: Type = NEVER
  for (const type of types) result = join(result, type)
  return result
}

function union(members: readonly Type[]): Type {
  if (members.some((member) => member.kind === 'unknown')) return UNKNOWN
  const memberTypes = members.length > MAX_MEMBERS ? withoutLiterals(members) : members
  const [only] = memberTypes
  if (only !== undefined && memberTypes.length === 1) return only
  return memberTypes.length > MAX_MEMBERS ? UNKNOWN : unionOf(memberTypes)
}

/** Cached unions of types without parts, which are very frequent. */
const plainUnions = new Map<string, Type>()

function unionOf(members: readonly Type[]): Type {
  let key = ''
  for (const member of members) {
    const plain = plainKey(member)
    if (plain === null) return { kind: 'union', members: shareList(members) }
    key += `${plain} `
  }
  return getOrMake(plainUnions, key, () => ({ kind: 'union', members: shareList(members) }))
}

/** Returns a key of the type; null for types with too many variants. */
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

function withoutLiterals(members: readonly Type[]): readonly Type[] {
  let result: readonly Type[] = []
  for (const member of members) result = include(result, plainText(member), 0)
  return result
}

/** Returns a text type without its literal value. */
function plainText(type: Type): Type {
  if (type.kind !== 'string' || type.literal === undefined) return type
  return type.safe === undefined ? STRING : { kind: 'string', safe: type.safe }
}

function include(members: readonly Type[], added: Type, depth: number): readonly Type[] {
  for (let at = 0; at < members.length; at++) {
    const member = members[at]
    const merged = member === undefined ? null : merge(member, added, depth)
    if (merged !== null)
      return merged === member ? members : [...members.slice(0, at), merged, ...members.slice(at + 1)]
  }
  // A plain text type replaces literal texts.
  if (added.kind === 'string' && added.literal === undefined) {
    const rest = members.filter((each) => each.kind !== 'string' || each.safe !== added.safe)
    return [...rest, added]
  }
  return [...members, added]
}

/** Merges two members of a union; null if both must be kept. */
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
      return b.kind === 'list' ? listOf(join(a.element, b.element, depth + 1), a) : null
    case 'hash':
      if (b.kind === 'hash') return { kind: 'hash', element: join(a.element, b.element, depth + 1) }
      return b.kind === 'record' ? { kind: 'hash', element: UNKNOWN } : null
    case 'record':
      if (b.kind === 'hash') return { kind: 'hash', element: UNKNOWN }
      return b.kind === 'record' ? mergeRecords(a, b, depth) : null
    default:
      return a.kind === b.kind ? a : null
  }
}

type RecordType = Extract<Type, { kind: 'record' }>

/** Returns the first record itself if the second one adds nothing. */
function mergeRecords(a: RecordType, b: RecordType, depth: number): Type {
  const fields = new Map<string, Type>()
  const lacking = new Map(a.lacking)
  for (const [key, missingKey] of b.lacking ?? []) lacking.set(key, missingKey)
  const origin = earliest(a.origin, b.origin)
  let isFirst = b.lacking === undefined && (a.open || !b.open) && origin === a.origin
  // A key that only one of the two shapes has may be missing.
  for (const [key, type] of a.fields) {
    const otherType = b.fields.get(key)
    const joined = join(type, otherType ?? typeOfAbsentKey(b, key), depth + 1)
    if (joined !== type) isFirst = false
    fields.set(key, joined)
    if (otherType === undefined) addLacking(lacking, key, b)
  }
  for (const [key, type] of b.fields) {
    if (fields.has(key)) continue
    isFirst = false
    fields.set(key, join(type, typeOfAbsentKey(a, key), depth + 1))
    addLacking(lacking, key, a)
  }
  const possible = unionOfSets(a.possible, b.possible)
  if (isFirst && possible === a.possible && lacking.size === (a.lacking?.size ?? 0)) return a
  return {
    kind: 'record',
    fields,
    open: a.open || b.open,
    origin,
    ...(lacking.size === 0 ? {} : { lacking }),
    ...(possible === undefined ? {} : { possible }),
  }
}

/** Records a missing key, only for records of queries, because other hashes often omit keys without a value. */
function addLacking(lacking: Map<string, MissingKey>, key: string, without: RecordType): void {
  if (without.open || without.origin?.source !== 'query' || lacking.has(key) || without.possible !== undefined) return
  lacking.set(key, { knownNames: [...without.fields.keys()], origin: without.origin })
}

function typeOfAbsentKey(record: RecordType, key: string): Type {
  return record.open || record.possible?.has(key) === true ? UNKNOWN : NIL
}

function unionOfSets(a: RecordType['possible'], b: RecordType['possible']): RecordType['possible'] {
  return a === undefined || b === undefined ? (a ?? b) : joinKeySets(a, b)
}

/** Returns the union of both; the first one itself if it contains all keys of the second. */
export function joinKeySets(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  if (a === b) return a
  let joined: Set<string> | null = null
  for (const key of b) if (!a.has(key)) (joined ??= new Set(a)).add(key)
  return joined ?? a
}

/** Returns a list of `of`; returns `current` itself if it has these elements. */
function listOf(element: Type, current: Extract<Type, { kind: 'list' }>): Type {
  return current.element === element ? current : { kind: 'list', element }
}

/** Returns whether two types are the same, up to the maximum depth. */
export function same(a: Type, b: Type, depth = 0): boolean {
  if (a === b) return true
  if (a.kind !== b.kind || depth > MAX_DEPTH) return false
  switch (a.kind) {
    case 'string':
      return b.kind === 'string' && a.safe === b.safe && a.literal === b.literal
    case 'unknown':
      return b.kind === 'unknown' && sameLikely(a.likely, b.likely, depth)
    case 'list':
    case 'hash':
      return (b.kind === 'list' || b.kind === 'hash') && same(a.element, b.element, depth + 1)
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
        a.members.length === b.members.length &&
        a.members.every((each, at) => {
          const otherType = b.members[at]
          return otherType !== undefined && same(each, otherType, depth + 1)
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
    const otherType = b.fields.get(key)
    if (otherType === undefined || !same(type, otherType, depth + 1)) return false
  }
  return true
}

/** The categories of the kinds of types; those of other kinds are unknown. */
const CATEGORIES: Readonly<Partial<Record<Type['kind'], Category>>> = {
  string: 'text',
  integer: 'number',
  float: 'number',
  number: 'number',
  boolean: 'boolean',
  nil: 'nil',
  range: 'range',
  list: 'list',
  record: 'hash',
  hash: 'hash',
  date: 'moment',
  time: 'moment',
}

function categoryOf({ kind }: Type): Category {
  return CATEGORIES[kind] ?? 'unknown'
}

/** Cached sets with one category, which most values have. */
const SINGLE_CATEGORY_SETS = new Map<Category, ReadonlySet<Category>>()

function singleCategory(category: Category): ReadonlySet<Category> {
  return getOrMake(SINGLE_CATEGORY_SETS, category, () => new Set([category]))
}

/** Returns the categories that a value can have; null if it may be unknown. */
export function categories(type: Type): ReadonlySet<Category> | null {
  if (type.kind === 'unknown') return null
  if (type.kind !== 'union') {
    const category = categoryOf(type)
    return category === 'unknown' ? null : singleCategory(category)
  }
  const result = new Set<Category>()
  for (const member of members(type)) {
    const category = categoryOf(member)
    if (category === 'unknown') return null
    result.add(category)
  }
  return result
}

/** Returns the only category of the type; null if there are several. */
export function onlyCategory(type: Type): Category | null {
  const kinds = categories(type)
  if (kinds === null || kinds.size !== 1) return null
  const [category] = kinds
  return category ?? null
}

/**
 * Returns whether a value of the type can be used where `expected` is needed. It returns false only if the types certainly differ. nil
 * is always accepted, because any value may be missing.
 */
export function assignable(type: Type, expected: Type): boolean {
  const expectedCategories = categories(expected)
  const typeCategories = categories(type)
  if (expectedCategories === null || typeCategories === null) return true
  for (const category of typeCategories) {
    if (category === 'nil') continue
    if (expectedCategories.has(category)) return elementsFit(type, expected)
  }
  return typeCategories.size === 0 || (typeCategories.size === 1 && typeCategories.has('nil'))
}

function elementsFit(type: Type, expected: Type): boolean {
  if (type.kind !== 'list' || expected.kind !== 'list' || type.element.kind === 'never') return true
  return assignable(type.element, expected.element)
}

/** Returns the type of a value that is known to be truthy. */
export function truthy(type: Type): Type {
  const truthyMembers = members(type).filter((member) => member.kind !== 'nil')
  return truthyMembers.length === members(type).length
    ? type
    : truthyMembers.length === 0
      ? UNKNOWN
      : union(truthyMembers)
}

/** Returns the type of a value that is known to be falsy. */
export function falsy(type: Type): Type {
  const falsyMembers = members(type).filter(
    (member) => member.kind === 'nil' || member.kind === 'boolean' || member.kind === 'unknown',
  )
  return falsyMembers.length === members(type).length ? type : falsyMembers.length === 0 ? UNKNOWN : union(falsyMembers)
}

/** Returns true if every value of the type is truthy, false if every value is falsy, and null otherwise. */
export function constantTruth(type: Type): boolean | null {
  const memberTypes = members(type)
  if (memberTypes.every((member) => member.kind === 'nil')) return false
  return memberTypes.every(
    (member) =>
      member.kind !== 'nil' && member.kind !== 'boolean' && member.kind !== 'unknown' && member.kind !== 'never',
  )
    ? true
    : null
}

/** Returns all texts that a value can be, if they are known. */
export function literalTexts(type: Type): readonly string[] | null {
  const texts: string[] = []
  for (const member of members(type)) {
    if (member.kind !== 'string' || member.literal === undefined) return null
    texts.push(member.literal)
  }
  return texts
}

/** Returns whether a value of the type can be changed in place, so that the change is visible through other variables. */
export function isMutable(type: Type): boolean {
  if (type.kind === 'union') return type.members.some(isMutable)
  return type.kind === 'list' || type.kind === 'record' || type.kind === 'hash' || type.kind === 'unknown'
}

/** Returns the type with all mutable parts unknown, so that it stays correct if other code changes the value. */
export function unshared(type: Type): Type {
  return isMutable(type) ? UNKNOWN : type
}

/** Returns the type of an element in a loop over the value. */
export function elementOf(type: Type): Type {
  return joinAll(
    members(type).map((member): Type => {
      switch (member.kind) {
        case 'list':
          return member.element
        case 'range':
          return INTEGER
        case 'string':
          return plainText(member)
        case 'record':
        case 'hash':
          return { kind: 'list', element: UNKNOWN }
        case 'unknown':
          return member.likely === undefined ? UNKNOWN : likely(elementOf(member.likely))
        // There is nothing to loop over.
        default:
          return NEVER
      }
    }),
  )
}

/** Describes the type without an article: `text`, `number`, `array of texts`, `text or nil`. */
export function describe(type: Type): string {
  const words = new Set(members(type).map(describeOne))
  const sortedWords = [...words].sort((a, b) => Number(a === 'nil') - Number(b === 'nil'))
  const last = sortedWords.pop() ?? 'nothing'
  return sortedWords.length === 0 ? last : `${sortedWords.join(', ')} or ${last}`
}

const PLURALS: Readonly<Partial<Record<Category, string>>> = {
  text: 'texts',
  number: 'numbers',
  hash: 'hashes',
  list: 'arrays',
}

/** The words for kinds of types that are not described by their category. */
const KIND_WORDS: Readonly<Partial<Record<Type['kind'], string>>> = {
  boolean: 'true or false',
  date: 'date',
  time: 'time',
  unknown: 'value',
  never: 'nothing',
  union: 'nothing',
}

function describeOne(type: Type): string {
  if (type.kind !== 'list') return KIND_WORDS[type.kind] ?? categoryOf(type)
  const elements = PLURALS[onlyCategory(type.element) ?? 'unknown']
  return elements === undefined ? 'array' : `array of ${elements}`
}
