/**
 * What is known of a value that somebody else may have changed in place: keys that were written are unknown in all of its hashes, and
 * everything else is as it was.
 */
import { type Type, UNKNOWN } from '../model/type.ts'
import { isMutable, likely, members } from './relate.ts'

/** Keys that were written into values which somebody else may hold; null: any. */
export type ChangedKeys = ReadonlySet<string> | null

/** Stands beside the keys where elements of lists were written. */
export const ELEMENTS = '[]'

/** More keys than these count as any. */
const MOST_KEYS = 40

export const NO_KEYS: ReadonlySet<string> = new Set()

/** Both together; the first where it has all of them. */
export function joinKeys(a: ChangedKeys, b: ChangedKeys): ChangedKeys {
  if (a === null || b === null) return null
  if ([...b].every((key) => a.has(key))) return a
  const all = new Set([...a, ...b])
  return all.size > MOST_KEYS ? null : all
}

export function sameKeys(a: ChangedKeys, b: ChangedKeys): boolean {
  if (a === null || b === null) return a === b
  return a.size === b.size && [...a].every((key) => b.has(key))
}

/** What an element that was put into a list changes of those that are read from it: the keys of a hash. */
export function keysOfElement(type: Type): ChangedKeys {
  const keys = new Set([ELEMENTS])
  for (const member of members(type)) {
    if (!isMutable(member)) continue
    if (member.kind !== 'record' || member.open) return null
    for (const key of member.fields.keys()) keys.add(key)
  }
  return keys.size > MOST_KEYS ? null : keys
}

const made = new WeakMap<ReadonlySet<string>, WeakMap<Type, Type>>()

/** The type of a value behind such a change. */
export function withChangedKeys(type: Type, keys: ChangedKeys): Type {
  if (!isMutable(type) || keys?.size === 0) return type
  if (keys === null) return UNKNOWN
  let known = made.get(keys)
  if (known === undefined) made.set(keys, (known = new WeakMap()))
  let changed = known.get(type)
  if (changed === undefined) known.set(type, (changed = change(type, keys)))
  return changed
}

function change(type: Type, keys: ReadonlySet<string>): Type {
  switch (type.kind) {
    case 'unknown':
      return type.likely === undefined ? type : likely(withChangedKeys(type.likely, keys))
    case 'union': {
      const of = type.of.map((member) => withChangedKeys(member, keys))
      return of.some((member) => member.kind === 'unknown') ? UNKNOWN : { kind: 'union', of }
    }
    case 'list': {
      const isOfHashes = members(type.of).every((member) => member.kind === 'record' || member.kind === 'nil')
      if (keys.has(ELEMENTS) && !isOfHashes) return { kind: 'list', of: UNKNOWN }
      return { kind: 'list', of: withChangedKeys(type.of, keys) }
    }
    case 'hash':
      return { kind: 'hash', of: UNKNOWN }
    case 'record': {
      const fields = new Map<string, Type>()
      for (const [key, field] of type.fields) fields.set(key, keys.has(key) ? UNKNOWN : withChangedKeys(field, keys))
      return { ...type, fields, possible: new Set([...(type.possible ?? []), ...keys]) }
    }
    default:
      return type
  }
}
