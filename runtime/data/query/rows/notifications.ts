/** Sent and failed notifications: rows of `ingot.notifications`. */
import type { Build, Input, JsonExpression, Selected } from '../model.ts'
import { negate } from './column-filter.ts'
import { fieldsOf, leafOf } from './input.ts'
import { scalarResultType } from '../result-type.ts'
import { timeJson } from './property-json.ts'
import { plainCollection, plainOrder } from './plain-collection.ts'
import { type PlainKeys, plainConditions } from './plain-filter.ts'
import { listConverter, plainText } from './comparison-values.ts'
import { identifier, sql, type Sql } from '../../sql/sql.ts'
import { NULL_JSON } from './json.ts'

/**
 * The notifications with the columns that the fields need. The content is the body, or the whole content when there is no body. The id is
 * the name of the template, or the id of the row. `once` begins with the id of the job that sent it.
 */
const NOTIFICATIONS = sql`(select n.*, upper(n.channel) as notification_type, coalesce(n.name, n.id::text) as notification_id,
  coalesce(n.content ->> 'body', n.content ->> 'content', n.content::text) as said,
  n.options || (n.content - 'body' - 'content') || jsonb_build_object('error', n.error)
    || case when n.once ~ '^[0-9]+-' then jsonb_build_object('job', split_part(n.once, '-', 1)) else '{}' end as told from ingot.notifications n)`

function field(alias: Sql): (call: Selected) => JsonExpression {
  return (call) => {
    const plain = (expression: Sql): JsonExpression => ({
      sql: expression,
      shape: null,
      type: scalarResultType(call.type),
    })
    switch (call.name) {
      case 'id':
        return plain(sql`${alias}.id::text`)
      case 'notification_id':
      case 'notification_type':
        return plain(sql`${alias}.${identifier(call.name)}`)
      case 'content':
        return plain(sql`${alias}.said`)
      case 'options':
        return plain(sql`${alias}.told`)
      case 'created_at':
      case 'updated_at':
        return plain(timeJson(sql`${alias}.${identifier(call.name)}`))
      default:
        return plain(NULL_JSON)
    }
  }
}

const SORTED = new Set(['created_at', 'id', 'updated_at'])

/** Returns a page of notifications. */
export function notificationsJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('n')
  const keys: PlainKeys = {
    content: { sql: sql`${alias}.said`, as: 'text' },
    created_at: { sql: sql`${alias}.created_at`, as: 'time' },
    id: { sql: sql`${alias}.id`, as: 'id' },
    notification_id: { sql: sql`${alias}.notification_id`, as: 'external' },
    notification_type: { conditions: (input) => typeConditions(sql`${alias}.notification_type`, input, build) },
    updated_at: { sql: sql`${alias}.updated_at`, as: 'time' },
  }
  const rows = {
    from: sql`${NOTIFICATIONS} ${alias}`,
    alias,
    conditions: plainConditions(call.args['filter'], keys, build),
    order: plainOrder(call.args['sort'], alias, SORTED, build),
    field: field(alias),
  }
  return plainCollection(call, rows, build)
}

function typeConditions(expression: Sql, input: Input, build: Build): readonly Sql[] {
  const fields = fieldsOf(input) ?? {}
  const parts: Sql[] = []
  for (const [name, negated] of [
    ['value', false],
    ['not_value', true],
  ] as const) {
    const singleType = leafOf(fields[name])
    const several = leafOf(fields[`${name}_in`])
    const conditions = [
      ...(singleType === null ? [] : [sql`${expression} = ${build.bind(singleType, 'text', plainText)}`]),
      ...(several === null
        ? []
        : [sql`${expression} = any(${build.bind(several, 'text[]', listConverter(plainText))})`]),
    ]
    parts.push(...(negated ? conditions.map(negate) : conditions))
  }
  return parts
}
