/** Values that have no parts by name: what a key of one gives is always nil. */
import type { Type } from '../../core/model/type.ts'
import { members } from './relate.ts'

const PSEUDO: ReadonlySet<string> = new Set(['size', 'first', 'last'])
const SCALARS: ReadonlySet<Type['kind']> = new Set(['string', 'integer', 'float', 'number', 'boolean', 'range'])

/** Whether every value of the type is a list, a text, a number or the like, none of which has such a part. `dotted`: written with a dot. */
export function hasNoParts(type: Type, key: string, dotted: boolean): boolean {
  if (type.kind === 'unknown' || (dotted && PSEUDO.has(key))) return false
  const known = members(type).filter((member) => member.kind !== 'nil')
  return (
    known.length > 0 &&
    known.every((member) => SCALARS.has(member.kind) || (member.kind === 'list' && !/^-?\d+$/.test(key)))
  )
}
