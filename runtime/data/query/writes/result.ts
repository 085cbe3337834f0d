/** Results of mutations: the written row, or why there is none. */
import type { Build, Json, Selected, Shape } from '../model.ts'
import { QueryError } from '../model.ts'
import { constantJson, objectJson } from '../rows/json.ts'
import { rowJson } from '../rows/object.ts'
import { scalarType, wrapped } from '../result-type.ts'
import type { Scope } from '../rows/scope.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

/**
 * The JSON of a row of `changed`, as the call selects it. `tables` are its possible tables, null for any; `written` are
 * other relations that the statement writes.
 */
export function rowOf(
  rows: Scope['rows'],
  alias: Sql,
  tables: readonly string[] | null,
  call: Selected,
  build: Build,
  written: Pick<Scope, 'profiles' | 'authentications'> = {},
): Json {
  const row = rowJson(call, { rows, alias, tables, ...written }, build)
  return { ...row, type: wrapped(call.type, row.type) }
}

/** The statement of a change that always returns a row. `row` reads the alias. */
export function written(changed: Sql, alias: Sql, row: Json): Json {
  return { ...row, sql: sql`with ${changed} select ${row.sql} from changed as ${alias}` }
}

/** A statement that changes nothing and returns an error, for input whose absence only an execution shows. */
export function refusing(message: string, call: Selected, { type }: Json): Json {
  const shape: Shape = () => {
    throw new QueryError([{ code: 'value', message, at: call.at, hint: null }])
  }
  return { sql: sql`select 'null'::json`, shape, type }
}

/**
 * The same when no condition of a required filter has a value.
 * @param action such as `delete every row`
 */
export function refusingAll(action: string, call: Selected, json: Json): Json {
  const message =
    `No condition of the filter has a value, so \`${call.name}\` would ${action}. ` +
    'Leave `filter` out where that is meant.'
  return refusing(message, call, json)
}

/**
 * The statement of a change that may match no row. `why` is a JSON-valued expression, evaluated only then, from which
 * `complain` creates the error.
 */
export function writtenOr(
  changed: Sql,
  alias: Sql,
  row: Json,
  why: Sql,
  complain: (why: Readonly<Record<string, unknown>>) => string,
  call: Selected,
): Json {
  const statement = sql`with ${changed} select json_build_object('row', (select ${row.sql} from changed as ${alias}),
    'why', case when not exists (select from changed) then ${why} end)`
  const shape: Shape = (value, host, variables) => {
    if (!isObject(value)) throw new Error('The statement of a mutation returned no object.')
    const { row: changedRow, why: reason } = value
    if (isObject(reason)) {
      throw new QueryError([{ code: 'value', message: complain(reason), at: call.at, hint: null }])
    }
    return row.shape === null ? changedRow : row.shape(changedRow, host, variables)
  }
  return { sql: statement, shape, type: row.type }
}

/** The `ObjectCount` of the changed rows. */
export function counted(changed: Sql, call: Selected): Json {
  const parts = call.selection.map(({ key, name, type }) => ({
    key,
    json:
      name === '__typename'
        ? constantJson('ObjectCount', scalarType(type))
        : { sql: sql`count(*)`, shape: null, type: scalarType(type) },
  }))
  const row = objectJson(parts, call.at)
  return { sql: sql`with ${changed} select ${row.sql} from changed`, shape: null, type: wrapped(call.type, row.type) }
}
