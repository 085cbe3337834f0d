/**
 * Computes the type of a value that other code may have changed in place: keys that were written become unknown in all of its hashes,
 * and the rest is unchanged.
 */
import { isUnknown, type Type, UNKNOWN } from '../../core/model/type.ts'
import { isMutable, joinKeySets, likely, members } from './relate.ts'
import { getOrMake } from '../../core/source/maps.ts'

/** Keys that were written into values that other code can access; null: any key. */
export type ChangedKeys = ReadonlySet<string> | null

/** The marker for changed elements of lists, in the set of keys. */
export const ELEMENTS = '[]'

/** Maximum number of known keys. A larger set counts as any key. */
const MAX_KEYS = 40

export const NO_KEYS: ReadonlySet<string> = new Set()

/** Returns the union of both; the first one itself if it contains all keys of the second. */
export function joinKeys(a: ChangedKeys, b: ChangedKeys): ChangedKeys {
  if (a === null || b === null) return null
  const all = joinKeySets(a, b)
  return all !== a && all.size > MAX_KEYS ? null : all
}

export function sameKeys(a: ChangedKeys, b: ChangedKeys): boolean {
  if (a === null || b === null) return a === b
  return a.size === b.size && joinKeySets(a, b) === a
}

/** Returns which keys change in the elements of a list when an element is added: the keys of a hash. */
export function keysOfElement(type: Type): ChangedKeys {
  const keys = new Set([ELEMENTS])
  for (const member of members(type)) {
    if (!isMutable(member)) continue
    if (member.kind !== 'record' || member.open) return null
    for (const key of member.fields.keys()) keys.add(key)
  }
  return keys.size > MAX_KEYS ? null : keys
}

const changedTypes = new WeakMap<ReadonlySet<string>, WeakMap<Type, Type>>()

/** Returns the type of a value after such a change. */
export function withChangedKeys(type: Type, keys: ChangedKeys): Type {
  if (!isMutable(type) || keys?.size === 0) return type
  if (keys === null) return UNKNOWN
  const typesForKeys = getOrMake(changedTypes, keys, () => new WeakMap<Type, Type>())
  return getOrMake(typesForKeys, type, () => change(type, keys))
}

/** Returns the same type if nothing known would change. */
function change(type: Type, keys: ReadonlySet<string>): Type {
  switch (type.kind) {
    case 'unknown': {
      const likelyType = type.likely === undefined ? undefined : withChangedKeys(type.likely, keys)
      return likelyType === undefined || likelyType === type.likely ? type : likely(likelyType)
    }
    case 'union': {
      const memberTypes = type.members.map((member) => withChangedKeys(member, keys))
      if (memberTypes.some((member) => member.kind === 'unknown')) return UNKNOWN
      return memberTypes.every((member, at) => member === type.members[at])
        ? type
        : { kind: 'union', members: memberTypes }
    }
    case 'list': {
      const isOfHashes = members(type.element).every((member) => member.kind === 'record' || member.kind === 'nil')
      const elementType = keys.has(ELEMENTS) && !isOfHashes ? UNKNOWN : withChangedKeys(type.element, keys)
      return elementType === type.element ? type : { kind: 'list', element: elementType }
    }
    case 'hash':
      return isUnknown(type.element) ? type : { kind: 'hash', element: UNKNOWN }
    case 'record':
      return changedRecord(type, keys)
    default:
      return type
  }
}

function changedRecord(type: Extract<Type, { kind: 'record' }>, keys: ReadonlySet<string>): Type {
  let isSame = true
  const fields = new Map<string, Type>()
  for (const [key, field] of type.fields) {
    const changedField = keys.has(key) ? UNKNOWN : withChangedKeys(field, keys)
    if (changedField !== field) isSame = false
    fields.set(key, changedField)
  }
  const possible = joinKeySets(type.possible ?? NO_KEYS, keys)
  return isSame && possible === type.possible ? type : { ...type, fields, possible }
}
