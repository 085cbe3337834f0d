/** Reads the result of a mutation through a form: the row that the form has written. */
import { WRITTEN } from '../forms.ts'
import { type Build, type FormRoute, type Json, Leaf, type Selected } from '../model.ts'
import { read } from '../rows/filter.ts'
import { leafOf } from '../rows/input.ts'
import { foundById } from '../rows/need.ts'
import { firstJson } from '../rows/page.ts'
import { idText } from '../rows/values.ts'
import { tableOf } from './table.ts'
import { sql } from '../../sql/sql.ts'

/** Whether a call names a form. */
export function namesForm(call: Selected): boolean {
  return leafOf(call.args['form_name']) !== null || leafOf(call.args['form_configuration_name']) !== null
}

/** Reads the row that the form has written or deleted. */
export function shownRow(call: Selected, { rows }: FormRoute, build: Build): Json {
  const table = rows === 'records' ? tableOf([call.args['table']], build) : 'absent'
  const tables = typeof table === 'object' ? { tables: [table.name] } : {}
  const reading = read({ rows, filter: undefined, deleted: true, ...tables }, build)
  const written = new Leaf(null, { kind: 'variable', path: [WRITTEN] }, null, false)
  reading.where.push(sql`${reading.scope.alias}.id = ${build.bind(written, 'bigint', idText)}`)
  foundById(reading.need, written, build)
  return firstJson(call, reading, build)
}
