/** Results of mutations: the written row, or the reason why no row was written. */
import type { Build, JsonExpression, Selected, Shape } from '../model.ts'
import { valueError } from '../model.ts'
import { constantJson, objectJson } from '../rows/json.ts'
import { rowJson } from '../rows/row-json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import type { RowScope } from '../rows/scope.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

/**
 * Returns the JSON of a row of `changed`, as the call selects it.
 * @param tables the possible tables of the row; null when any table is possible
 * @param writtenRelations the profiles and links that the same statement writes
 */
export function writtenRowJson(
  rows: RowScope['rows'],
  alias: Sql,
  tables: readonly string[] | null,
  call: Selected,
  build: Build,
  writtenRelations: Pick<RowScope, 'profiles' | 'authentications'> = {},
): JsonExpression {
  const row = rowJson(call, { rows, alias, tables, ...writtenRelations }, build)
  return { ...row, type: wrapType(call.type, row.type) }
}

/** Returns the statement of a change that always returns a row. `row` reads the columns of `alias`. */
export function changeStatement(changedRows: Sql, alias: Sql, row: JsonExpression): JsonExpression {
  return { ...row, sql: sql`with ${changedRows} select ${row.sql} from changed as ${alias}` }
}

/** Returns a statement that changes nothing and fails with a message, for missing input that only an execution can detect. */
export function errorStatement(message: string, call: Selected, { type }: JsonExpression): JsonExpression {
  const shape: Shape = () => {
    throw valueError(message, call.range)
  }
  return { sql: sql`select 'null'::json`, shape, type }
}

/**
 * Does the same as `errorStatement`, for a filter in which no condition has a value.
 * @param action the action in the message, such as `delete every row`
 */
export function emptyFilterError(action: string, call: Selected, json: JsonExpression): JsonExpression {
  const message = `No condition of the filter has a value, so \`${call.name}\` would ${action}. Omit \`filter\` to do so.`
  return errorStatement(message, call, json)
}

/**
 * Returns the statement of a change that may match no row. `reasonJson` is a JSON expression that is evaluated only when no row matches.
 * `createMessage` creates the error message from the value of `reasonJson`.
 */
export function changeStatementOrError(
  changedRows: Sql,
  alias: Sql,
  row: JsonExpression,
  reasonJson: Sql,
  createMessage: (why: Readonly<Record<string, unknown>>) => string,
  call: Selected,
): JsonExpression {
  const statement = sql`with ${changedRows} select json_build_object('row', (select ${row.sql} from changed as ${alias}),
    'why', case when not exists (select from changed) then ${reasonJson} end)`
  const shape: Shape = (value, host, variables) => {
    if (!isObject(value)) throw new Error('The statement of a mutation returned no object.')
    const { row: changedRow, why: reason } = value
    if (isObject(reason)) throw valueError(createMessage(reason), call.range)
    return row.shape === null ? changedRow : row.shape(changedRow, host, variables)
  }
  return { sql: statement, shape, type: row.type }
}

/** Returns the `ObjectCount` of the changed rows. */
export function countStatement(changedRows: Sql, call: Selected): JsonExpression {
  const parts = call.selection.map(({ responseKey, name, type }) => ({
    key: responseKey,
    json:
      name === '__typename'
        ? constantJson('ObjectCount', scalarResultType(type))
        : { sql: sql`count(*)`, shape: null, type: scalarResultType(type) },
  }))
  const row = objectJson(parts, call.range)
  return {
    sql: sql`with ${changedRows} select ${row.sql} from changed`,
    shape: null,
    type: wrapType(call.type, row.type),
  }
}
