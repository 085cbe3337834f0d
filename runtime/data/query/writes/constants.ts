/** Constants: named secrets. The host encrypts them, and the database stores the encrypted values. */
import type { Build, Input, JsonExpression, Selected } from '../model.ts'
import { idFilter, textFilter, timeFilter } from '../rows/column-filter.ts'
import { fieldsOf } from '../rows/input.ts'
import { NULL_JSON } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { timeJson } from '../rows/property-json.ts'
import { plainCollection, plainOrder, plainRow } from '../rows/plain-collection.ts'
import { checkLiteral, columnText, invalidValue } from './columns.ts'
import { leafOf } from '../rows/input.ts'
import { identifier, join, sql, type Sql } from '../../sql/sql.ts'

/** Returns a function that gives the JSON of a selected field of the constant under the alias. */
function constantField(alias: Sql): (call: Selected) => JsonExpression {
  return (call) => {
    const type = scalarResultType(call.type)
    switch (call.name) {
      case 'value':
        return { sql: sql`${alias}.value`, shape: (value, host) => host.open(String(value)), type }
      case 'name':
        return { sql: sql`${alias}.name`, shape: null, type }
      case 'created_at':
      case 'updated_at':
        return { sql: timeJson(sql`${alias}.${identifier(call.name)}`), shape: null, type }
      default:
        return { sql: sql`null::text`, shape: null, type }
    }
  }
}

const MAX_LENGTH = 1_000_000

/** Creates or replaces a constant. */
export function setConstant(call: Selected, build: Build): JsonExpression {
  const name = nameParameter(call, build)
  const leaf = leafOf(call.args['value'])
  const value =
    leaf === null
      ? sql`null::text`
      : build.bind(leaf, 'text', (plainValue, host) => {
          const text = String(plainValue)
          if (text.length > MAX_LENGTH)
            throw invalidValue('value', 'The value of a constant is longer than a million characters.', leaf.range)
          return host.seal(text)
        })
  const alias = build.newAlias('c')
  const row = plainRow(call, constantField(alias))
  const changedRows = sql`changed as (insert into ingot.constants as c (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value, updated_at = clock_timestamp() returning c.*)`
  return {
    sql: sql`with ${changedRows} select ${row.sql} from changed as ${alias}`,
    shape: row.shape,
    type: wrapType(call.type, row.type),
  }
}

function nameParameter(call: Selected, build: Build): Sql {
  const leaf = leafOf(call.args['name'])
  if (leaf === null) return sql`null::text`
  const convert = (value: unknown): string => {
    if (value === '') throw invalidValue('name', 'A constant needs a name.', leaf.range)
    return columnText('name', 'text', value, leaf.range)
  }
  checkLiteral(leaf, convert, build)
  return build.bind(leaf, 'text', convert)
}

/** Returns SQL that removes a constant. Its result is the removed constant, or null if there was none. */
export function unsetConstant(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('c')
  const row = plainRow(call, constantField(alias))
  const changedRows = sql`changed as (delete from ingot.constants as c where c.name = ${nameParameter(call, build)} returning c.*)`
  return {
    sql: sql`with ${changedRows} select (select ${row.sql} from changed as ${alias})`,
    shape: row.shape,
    type: wrapType(call.type, row.type),
  }
}

const SORTED = new Set(['created_at', 'id', 'name', 'updated_at'])

/** Returns the conditions on the constants under the alias. */
function conditions(filter: Input | undefined, alias: Sql, build: Build): readonly Sql[] {
  const fields = fieldsOf(filter) ?? {}
  const site = { build, need: null }
  const name = leafOf(fields['name'])
  return [
    ...idFilter(sql`${alias}.id`, { name: 'id', as: 'id' }, fields['id'], site),
    ...textFilter(sql`${alias}.name`, NAME, name === null ? fields['name'] : { value: name }, site),
    ...timeFilter(sql`${alias}.created_at`, { name: 'created_at', as: 'time' }, fields['created_at'], site),
    ...timeFilter(sql`${alias}.updated_at`, { name: 'updated_at', as: 'time' }, fields['updated_at'], site),
  ]
}

const NAME = { name: 'name', as: 'text', folded: false, required: true } as const

/** Returns a page of constants. */
export function constantsJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('c')
  const rows = {
    from: sql`ingot.constants ${alias}`,
    alias,
    conditions: conditions(call.args['filter'], alias, build),
    order: plainOrder(call.args['sort'], alias, SORTED, build),
    field: constantField(alias),
  }
  return plainCollection(call, rows, build)
}

/** Returns the first constant that matches the filter; null when none does. */
export function constantJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('c')
  const whereConditions = conditions(call.args['filter'], alias, build)
  const row = plainRow(call, constantField(alias))
  // A filter without conditions matches nothing.
  const expression =
    whereConditions.length === 0
      ? NULL_JSON
      : sql`(select ${row.sql} from ingot.constants ${alias} where ${join(whereConditions, ' and ')} order by ${alias}.id limit 1)`
  return {
    sql: expression,
    shape: whereConditions.length === 0 ? null : nullable(row),
    type: wrapType(call.type, row.type),
  }
}

function nullable({ shape }: JsonExpression): JsonExpression['shape'] {
  return shape === null
    ? null
    : (value, host, variables) => (value === null || value === undefined ? null : shape(value, host, variables))
}
