/** The types of `forloop` and `tablerowloop`. */
import { BOOLEAN, INTEGER, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'

const COMMON: readonly (readonly [string, Type])[] = [
  ['index', INTEGER],
  ['index0', INTEGER],
  ['rindex', INTEGER],
  ['rindex0', INTEGER],
  ['length', INTEGER],
  ['first', BOOLEAN],
  ['last', BOOLEAN],
]

export const LOOP: Type = record([...COMMON, ['name', STRING], ['parentloop', UNKNOWN]])

export const TABLE_LOOP: Type = record([
  ...COMMON,
  ['col', INTEGER],
  ['col0', INTEGER],
  ['col_first', BOOLEAN],
  ['col_last', BOOLEAN],
  ['row', INTEGER],
])

function record(fields: readonly (readonly [string, Type])[]): Type {
  return { kind: 'record', open: false, origin: null, fields: new Map(fields) }
}
