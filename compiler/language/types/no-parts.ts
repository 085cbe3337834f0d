/** Detects values without named fields, so that reading a key from them is always nil. */
import type { Type } from '../../core/model/type.ts'
import { members } from './relate.ts'

const PSEUDO: ReadonlySet<string> = new Set(['size', 'first', 'last'])
const SCALARS: ReadonlySet<Type['kind']> = new Set(['string', 'integer', 'float', 'number', 'boolean', 'range'])

/** Returns whether every value of the type is a list, text, number or similar without this field. `dotted`: written with a dot. */
export function hasNoParts(type: Type, key: string, dotted: boolean): boolean {
  if (type.kind === 'unknown' || (dotted && PSEUDO.has(key))) return false
  const membersWithoutNil = members(type).filter((member) => member.kind !== 'nil')
  return (
    membersWithoutNil.length > 0 &&
    membersWithoutNil.every((member) => SCALARS.has(member.kind) || (member.kind === 'list' && !/^-?\d+$/.test(key)))
  )
}
