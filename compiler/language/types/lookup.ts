/** Computes the type of a field or element: `a.b`, `a[0]`, `a.size`. */
import { INTEGER, type MissingKey, NIL, type ShapeOrigin, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import { joinAll, likely, members } from './relate.ts'

export interface LookupResult {
  readonly type: Type
  /** Set if the value has a known shape without this key. */
  readonly missingKey: MissingKey | null
  /** Set if some of the possible query records do not have this key. */
  readonly missingInSome: MissingKey | null
  /** Set if no known value has the key, but other values may have it. */
  readonly unlikely?: MissingKey
}

const OF_UNKNOWN: LookupResult = { type: UNKNOWN, missingKey: null, missingInSome: null }

/**
 * Returns the type of `value.key` or `value['key']`. `pseudo`: the key is written with a dot, so `size`, `first` and `last` are
 * allowed.
 */
export function property(type: Type, key: string, pseudo: boolean): LookupResult {
  if (type.kind === 'unknown')
    return type.likely === undefined ? OF_UNKNOWN : propertyOfLikely(type.likely, key, pseudo)
  let missingKey: LookupResult['missingKey'] = null
  let missingInSome: LookupResult['missingInSome'] = null
  let isPresent = false
  const types = members(type).map((member) => {
    const memberType = propertyOfMember(member, key, pseudo)
    if (memberType === null && member.kind === 'record')
      missingKey = { knownNames: [...member.fields.keys()], origin: member.origin }
    // nil has no properties, and says nothing about the expected value.
    else if (member.kind !== 'nil') {
      isPresent = true
      if (member.kind === 'record') missingInSome ??= member.lacking?.get(key) ?? null
    }
    return memberType ?? NIL
  })
  return { type: joinAll(types), missingKey: isPresent ? null : missingKey, missingInSome }
}

function propertyOfLikely(type: Type, key: string, pseudo: boolean): LookupResult {
  const lookup = property(type, key, pseudo)
  return lookup.missingKey === null
    ? { ...OF_UNKNOWN, type: likely(lookup.type) }
    : { ...OF_UNKNOWN, unlikely: lookup.missingKey }
}

function propertyOfMember(type: Type, key: string, pseudo: boolean): Type | null {
  switch (type.kind) {
    case 'unknown':
      return UNKNOWN
    case 'record': {
      const field = type.fields.get(key)
      if (field !== undefined) return field
      if (type.open || type.possible?.has(key) === true) return UNKNOWN
      if (pseudo && key === 'size') return INTEGER
      if (pseudo && key === 'first') return { kind: 'list', element: UNKNOWN }
      return pseudo && key === 'last' ? NIL : null
    }
    case 'hash':
      return joinAll([type.element, NIL])
    case 'list':
      if (!pseudo) return NIL
      if (key === 'size') return INTEGER
      return key === 'first' || key === 'last' ? joinAll([type.element, NIL]) : NIL
    case 'string':
      if (!pseudo) return NIL
      if (key === 'size') return INTEGER
      return key === 'first' || key === 'last' ? STRING : NIL
    case 'range':
      return pseudo && (key === 'size' || key === 'first' || key === 'last') ? INTEGER : NIL
    case 'integer':
    case 'number':
      return pseudo && key === 'size' ? joinAll([INTEGER, NIL]) : NIL
    case 'date':
    case 'time':
      return UNKNOWN
    default:
      return NIL
  }
}

/** Returns the type of `value[index]` for an index that is not a known text. */
export function element(type: Type): Type {
  return joinAll(
    members(type).map((member): Type => {
      switch (member.kind) {
        case 'list':
        case 'hash':
          return joinAll([member.element, NIL])
        case 'record':
          return UNKNOWN
        case 'unknown':
          return member.likely === undefined ? UNKNOWN : likely(element(member.likely))
        default:
          return NIL
      }
    }),
  )
}

/** Returns where the elements of a list were selected or declared; null if it is not a list of such records. */
export function listElement(type: Type, isLikely = false): ShapeOrigin | null {
  if (isLikely && type.kind === 'unknown' && type.likely !== undefined) return listElement(type.likely)
  if (type.kind !== 'list' && type.kind !== 'union') return null
  const [list, ...otherLists] = members(type).filter((member) => member.kind !== 'nil')
  if (list?.kind !== 'list' || otherLists.length > 0) return null
  const [record, ...otherTypes] = members(list.element).filter((member) => member.kind !== 'nil')
  return record?.kind === 'record' && otherTypes.length === 0 && record.origin?.source !== undefined
    ? record.origin
    : null
}

/** The field with the list of results in query objects. */
export const LIST_FIELD = 'results'

/**
 * Returns where an object that wraps a list was selected in a query; its elements are in the field `results`. Returns null for other
 * types, and if the value may have another type.
 */
export function collection(type: Type): ShapeOrigin | null {
  const [record, ...otherTypes] = members(type).filter((member) => member.kind !== 'nil')
  if (record?.kind !== 'record' || record.open || otherTypes.length > 0 || record.origin?.source !== 'query')
    return null
  const list = record.fields.get(LIST_FIELD)
  return list !== undefined && listElement(list) !== null ? record.origin : null
}
