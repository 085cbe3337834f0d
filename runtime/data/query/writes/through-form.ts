/** Reads the result of a mutation through a form: the row that the form has written. */
import { WRITTEN_VARIABLE } from '../forms.ts'
import { type Build, type FormRoute, type JsonExpression, Leaf, type Selected } from '../model.ts'
import { rowQuery } from '../rows/filter.ts'
import { leafOf } from '../rows/input.ts'
import { noteIdLookup } from '../rows/index-need.ts'
import { firstJson } from '../rows/page.ts'
import { idText } from '../rows/comparison-values.ts'
import { tableOf } from './table.ts'
import { sql } from '../../sql/sql.ts'

/** Returns whether a call names a form. */
export function namesForm(call: Selected): boolean {
  return leafOf(call.args['form_name']) !== null || leafOf(call.args['form_configuration_name']) !== null
}

/** Reads the row that the form has written or deleted. */
export function formRowJson(call: Selected, { rows }: FormRoute, build: Build): JsonExpression {
  const table = rows === 'records' ? tableOf([call.args['table']], build) : 'absent'
  const tables = typeof table === 'object' ? { tables: [table.name] } : {}
  const reading = rowQuery({ rows, filter: undefined, includesDeleted: true, ...tables }, build)
  const writtenId = new Leaf(null, { kind: 'variable', path: [WRITTEN_VARIABLE] }, null, false)
  reading.conditions.push(sql`${reading.scope.alias}.id = ${build.bind(writtenId, 'bigint', idText)}`)
  noteIdLookup(reading.need, writtenId, build)
  return firstJson(call, reading, build)
}
