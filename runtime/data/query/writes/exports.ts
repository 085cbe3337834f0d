/** Exports: a request is stored as a row, and a job writes the file. */
import { createBuild } from '../build.ts'
import type { EffectHost } from '../effects.ts'
import { type Build, type Input, type JsonExpression, type Selected, valueError } from '../model.ts'
import { rowQuery } from '../rows/filter.ts'
import { fieldsOf, asOneLeaf } from '../rows/input.ts'
import { orderSql } from '../rows/order.ts'
import { NULL_JSON } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { timeJson } from '../rows/property-json.ts'
import { plainCollection, plainOrder, plainRow } from '../rows/plain-collection.ts'
import { type PlainKeys, plainConditions } from '../rows/plain-filter.ts'
import { idParameter, textForError } from './columns.ts'
import { changeStatementOrError } from './result.ts'
import { identifier, sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

/** Lifetime of a file's URL in seconds. */
const URL_LIFETIME = 3_600

function exportField(alias: Sql): (call: Selected) => JsonExpression {
  return (call) => {
    const type = scalarResultType(call.type)
    switch (call.name) {
      case 'id':
        return { sql: sql`${alias}.id::text`, shape: null, type }
      case 'status':
        return { sql: sql`${alias}.state`, shape: null, type }
      case 'url':
        return {
          sql: sql`${alias}.result`,
          shape: (value, host) => (isObject(value) ? host.fileUrl(value, URL_LIFETIME) : null),
          type,
        }
      case 'created_at':
      case 'updated_at':
        return { sql: timeJson(sql`${alias}.${identifier(call.name)}`), shape: null, type }
      default:
        return { sql: NULL_JSON, shape: null, type }
    }
  }
}

/** Requests an export. */
export function createExport(call: Selected, build: Build): JsonExpression {
  const { records, users } = call.args
  if (fieldsOf(records) === null && fieldsOf(users) === null) {
    const message = 'An export needs `records` or `users`, each with a filter or as `{}`.'
    build.reportProblem({
      code: 'invalid',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'records', field: call.name },
    })
  }
  checkFilter('records', records, build)
  checkFilter('users', users, build)
  const options = asOneLeaf(call.args)
  const alias = build.newAlias('e')
  const row = plainRow(call, exportField(alias))
  const changedRows = sql`changed as (insert into ingot.exports as e (options) values (${build.bind(options, 'jsonb')}) returning e.*)`
  const statement = sql`with ${changedRows} select json_build_object('id', ${alias}.id::text, 'row', ${row.sql}) from changed as ${alias}`
  return {
    sql: statement,
    shape: (value, host, variables) => {
      const created = isObject(value) ? value['row'] : null
      return row.shape === null ? created : row.shape(created, host, variables)
    },
    type: wrapType(call.type, row.type),
  }
}

/** Queues the job that writes the file of an export. */
export async function queueExport(exportRow: unknown, effects: EffectHost | null): Promise<void> {
  if (effects === null) throw valueError('Exports are not available here.')
  if (!isObject(exportRow)) throw new Error('The statement of an export returned no row.')
  await effects.export(String(exportRow['id']))
}

/** Reports errors of a filter or sort immediately, rather than in the job. */
function checkFilter(rows: 'records' | 'users', input: Input | undefined, build: Build): void {
  const fields = fieldsOf(input)
  if (fields === null) return
  const trial = createBuild(build.catalog, build.options, true)
  orderSql(fields['sort'], rowQuery({ rows, filter: fields['filter'] }, trial), trial)
  for (const problem of trial.problems) build.reportProblem(problem)
}

/** Deletes an export. Its file is then unreferenced, and the regular sweep of the storage removes it. */
export function deleteExport(call: Selected, build: Build): JsonExpression {
  const id = idParameter(call.args['id'], build)
  const alias = build.newAlias('e')
  const row = plainRow(call, exportField(alias))
  return changeStatementOrError(
    sql`changed as (delete from ingot.exports as e where e.id = ${id} returning e.*)`,
    alias,
    { ...row, type: wrapType(call.type, row.type) },
    sql`json_build_object('id', ${textForError(call.args['id'], build)})`,
    (args) => `Can't find DataExport with id=${String(args['id'])}`,
    call,
  )
}

const SORTED = new Set(['created_at', 'id', 'updated_at'])

/** Returns a page of exports. */
export function exportsJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('e')
  const keys: PlainKeys = {
    created_at: { sql: sql`${alias}.created_at`, as: 'time' },
    id: { sql: sql`${alias}.id`, as: 'id' },
    updated_at: { sql: sql`${alias}.updated_at`, as: 'time' },
  }
  const rows = {
    from: sql`ingot.exports ${alias}`,
    alias,
    conditions: plainConditions(call.args['filter'], keys, build),
    order: plainOrder(call.args['sort'], alias, SORTED, build),
    field: exportField(alias),
  }
  return plainCollection(call, rows, build)
}
