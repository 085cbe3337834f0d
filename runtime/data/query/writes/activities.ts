/** Activities, and the feeds to which they are published. */
import type { Build, JsonExpression, Selected } from '../model.ts'
import { fieldsOf, leafOf } from '../rows/input.ts'
import { constantJson, objectJson } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { timeJson } from '../rows/property-json.ts'
import { plainCollection, plainOrder, plainRow } from '../rows/plain-collection.ts'
import { idText, listConverter, plainText } from '../rows/comparison-values.ts'
import { checkLiteral, columnText, invalidValue, textForError } from './columns.ts'
import { changeStatementOrError } from './result.ts'
import { plainJson } from '../../values/json-text.ts'
import { sql, type Sql, join } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

/** Returns a function that gives the JSON of a selected field of the activity under the alias. */
function activityField(alias: Sql): (call: Selected) => JsonExpression {
  return (call) => ({ sql: activitySql(call.name, alias), shape: null, type: scalarResultType(call.type) })
}

/** Returns the SQL of a field. The payload contains the uuid, by which callers that have only the payload publish and find the activity. */
function activitySql(field: string, alias: Sql): Sql {
  if (field === 'id') return sql`${alias}.id::text`
  if (field === 'uuid') return sql`${alias}.uuid`
  return sql`(${alias}.payload || jsonb_build_object('uuid', ${alias}.uuid))`
}

/** Stores an activity. */
export function createActivity(call: Selected, build: Build): JsonExpression {
  const leaf = leafOf(call.args['payload'])
  const convert = (value: unknown): string => {
    const text = isObject(value) ? plainJson(value) : null
    if (text === null)
      throw invalidValue(
        'payload',
        'The payload of an activity must be an object without NUL characters.',
        leaf?.range ?? null,
      )
    return text
  }
  if (leaf !== null) checkLiteral(leaf, convert, build)
  const payload = leaf === null ? sql`'{}'` : build.bind(leaf, 'text', convert)
  const alias = build.newAlias('a')
  const row = plainRow(call, activityField(alias))
  const changedRows = sql`changed as (insert into ingot.activities as a (uuid, payload)
    values (gen_random_uuid()::text, ${payload}::jsonb) returning a.*)`
  return {
    ...row,
    sql: sql`with ${changedRows} select ${row.sql} from changed as ${alias}`,
    type: wrapType(call.type, row.type),
  }
}

/** Adds an activity to feeds, and returns the time of publishing. */
export function publishActivity(call: Selected, build: Build): JsonExpression {
  const ids = leafOf(call.args['ids'])
  const feeds = ids === null ? sql`'{}'::text[]` : build.bind(ids, 'text[]', listConverter(plainText))
  const type = feedType(call, build)
  const at = leafOf(call.args['at'])
  const convert = (value: unknown): string => columnText('at', 'time', value, at?.range ?? null)
  if (at !== null) checkLiteral(at, convert, build)
  const time = at === null ? sql`clock_timestamp()` : build.bind(at, 'timestamptz', convert)
  const uuid = textParameter(call, 'uuid', build)
  const changedRows = sql`published as (insert into ingot.feed_entries as e (feed_type, feed_id, activity_id, published_at)
    select ${type}, f.id, a.id, changed.at from changed join ingot.activities a on a.id = changed.id,
    (select distinct unnest(${feeds}) as id) f
    on conflict (feed_type, feed_id, activity_id) do update set published_at = excluded.published_at)`
  const publishedActivity = sql`changed as materialized (select a.id, ${time}::timestamptz(3) as at from ingot.activities a where a.uuid = ${uuid})`
  const alias = build.newAlias('p')
  const row: JsonExpression = { sql: timeJson(sql`${alias}.at`), shape: null, type: scalarResultType(call.type) }
  const missingActivity = sql`json_build_object('uuid', ${textForError(call.args['uuid'], build)})`
  return changeStatementOrError(
    sql`${publishedActivity}, ${changedRows}`,
    alias,
    row,
    missingActivity,
    (args) => `Can't find Activity with uuid=${String(args['uuid'])}`,
    call,
  )
}

function feedType(call: Selected, build: Build): Sql {
  return textParameter(call, 'feed_type', build)
}

function textParameter(call: Selected, name: string, build: Build): Sql {
  const leaf = leafOf(call.args[name])
  if (leaf === null) return sql`null::text`
  const convert = (value: unknown): string => columnText(name, 'text', value, leaf.range)
  checkLiteral(leaf, convert, build)
  return build.bind(leaf, 'text', convert)
}

/** Removes activities from all feeds, by uuid, id or object, and returns their ids. */
export function unpublishActivity(call: Selected, build: Build): JsonExpression {
  const conditions: Sql[] = []
  const id = leafOf(call.args['record_id'])
  if (id !== null) conditions.push(sql`a.id = ${build.bind(id, 'bigint', idText)}`)
  if (leafOf(call.args['uuid']) !== null) conditions.push(sql`a.uuid = ${textParameter(call, 'uuid', build)}`)
  const about = fieldsOf(call.args['related_to_object'])
  if (about !== null) conditions.push(relatedObjectSql(call, build))
  if (conditions.length === 0) {
    const message = '`activity_unpublish` needs `uuid`, `record_id` or `related_to_object`.'
    build.reportProblem({
      code: 'invalid',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'uuid', field: call.name },
    })
  }
  const changedRows = sql`changed as (delete from ingot.feed_entries e using ingot.activities a
    where e.activity_id = a.id and ${conditions.length === 0 ? sql`false` : join(conditions, ' and ')} returning a.id)`
  const statement = sql`with ${changedRows} select coalesce(json_agg(distinct id::text), '[]'::json) from changed`
  return { sql: statement, shape: null, type: scalarResultType(call.type) }
}

/** Removes all activities, and returns their ids. */
export function deleteActivities(call: Selected, build: Build): JsonExpression {
  return idsOfChanged(sql`delete from ingot.activities where ${confirmedSql(call, build)} returning id`, call)
}

/** Removes all activities from their feeds, and returns their ids. */
export function unpublishActivities(call: Selected, build: Build): JsonExpression {
  return idsOfChanged(
    sql`delete from ingot.feed_entries where ${confirmedSql(call, build)} returning activity_id as id`,
    call,
  )
}

/** Returns the condition that the argument `confirm` is true. It is required, because the mutation cannot be undone. */
function confirmedSql(call: Selected, build: Build): Sql {
  const leaf = leafOf(call.args['confirm'])
  if (leaf === null || (leaf.isKnown && leaf.value !== true)) {
    const message = `\`${call.name}\` needs \`confirm: true\`.`
    build.reportProblem({
      code: 'invalid',
      message,
      range: leaf?.range ?? call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'confirm', field: call.name },
    })
  }
  return leaf === null ? sql`false` : build.bind(leaf, 'boolean')
}

function idsOfChanged(changedRows: Sql, call: Selected): JsonExpression {
  const statement = sql`with changed as (${changedRows}) select coalesce(json_agg(distinct id::text), '[]'::json) from changed`
  return { sql: statement, shape: null, type: scalarResultType(call.type) }
}

/** Identifies the object of an activity by type and id. */
function relatedObjectSql(call: Selected, build: Build): Sql {
  const about = fieldsOf(call.args['related_to_object']) ?? {}
  const type = leafOf(about['type'])
  const ids = leafOf(about['ids'])
  const relatedId = leafOf(about['id'])
  const parts = [
    sql`lower(a.payload -> 'object' ->> 'type') = lower(${type === null ? sql`''` : build.bind(type, 'text', plainText)})`,
  ]
  const relatedConditions: Sql[] = []
  if (relatedId !== null)
    relatedConditions.push(sql`a.payload -> 'object' ->> 'id' = ${build.bind(relatedId, 'text', plainText)}`)
  if (ids !== null)
    relatedConditions.push(
      sql`a.payload -> 'object' ->> 'id' = any(${build.bind(ids, 'text[]', listConverter(plainText))})`,
    )
  parts.push(relatedConditions.length === 0 ? sql`false` : sql`(${join(relatedConditions, ' or ')})`)
  return sql`(${join(parts, ' and ')})`
}

const SORTED = new Set(['created_at', 'id', 'updated_at'])

/** Returns a page of activities, limited to ids and uuids if any are given. */
export function activitiesJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('a')
  const conditions: Sql[] = []
  const ids = leafOf(call.args['ids'])
  if (ids !== null) conditions.push(sql`${alias}.id = any(${build.bind(ids, 'bigint[]', listConverter(idText))})`)
  const uuids = leafOf(call.args['uuids'])
  if (uuids !== null)
    conditions.push(sql`${alias}.uuid = any(${build.bind(uuids, 'text[]', listConverter(plainText))})`)
  const rows = {
    from: sql`ingot.activities ${alias}`,
    alias,
    conditions: conditions.length === 0 ? [] : [sql`(${join(conditions, ' or ')})`],
    order: plainOrder(call.args['sort'], alias, SORTED, build),
    field: activityField(alias),
  }
  return plainCollection(call, rows, build)
}

/**
 * Returns the activities of a feed, newest first. The feed is that of `feed_id` (formerly `feed_name`), otherwise that of the signed-in
 * user. Reading marks the feed as read, unless `reset_last_read` is false. `unread_count` counts the activities after the previous mark.
 */
export function streamsJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('a')
  const mark = build.newAlias('m')
  const name = ['feed_id', 'feed_name'].find((one) => leafOf(call.args[one]) !== null)
  const feed = name === undefined ? sql`${build.currentUserId()}::text` : textParameter(call, name, build)
  const type = feedType(call, build)
  const reset = leafOf(call.args['reset_last_read'])
  const moves = reset === null ? sql`false` : build.bind(reset, 'boolean')
  const entries = sql`ingot.feed_entries e join ingot.activities ${alias} on ${alias}.id = e.activity_id`
  const conditions = [sql`e.feed_type = ${type}`, sql`e.feed_id = ${feed}`]
  const collection = plainCollection(
    call,
    {
      from: entries,
      alias,
      conditions,
      order: sql`e.published_at desc, e.activity_id desc`,
      field: activityField(alias),
      additionalField: (field) => {
        if (field.name !== 'unread_count') return null
        const unread = sql`select count(*) from ingot.feed_entries e where ${join(conditions, ' and ')} and e.published_at > ${mark}.at`
        return { sql: sql`(${unread})`, shape: null, type: scalarResultType(field.type) }
      },
    },
    build,
  )
  const markAsRead = sql`(select ingot.feed_read(${type}, ${feed}, ${moves}) as at offset 0) ${mark}`
  // The mark is part of a condition, so that it moves even when no counter is selected.
  return { ...collection, sql: sql`(select ${collection.sql} from ${markAsRead} where ${mark}.at is not null)` }
}

/** Returns the types of feeds, and the feeds of each type. */
export function feedsJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('f')
  const row = objectJson(
    call.selection.map((field) => {
      const type = scalarResultType(field.type)
      const expression = FEED[field.name]?.(alias)
      return {
        key: field.responseKey,
        json:
          expression === undefined ? constantJson('ActivityStreamsFeed', type) : { sql: expression, shape: null, type },
      }
    }),
    call.range,
  )
  const types = sql`select feed_type, json_agg(feed_id order by feed_id) as ids
    from (select distinct feed_type, feed_id from ingot.feed_entries) d group by feed_type`
  const expression = sql`(select coalesce(json_agg(${row.sql} order by ${alias}.feed_type), '[]'::json) from (${types}) ${alias})`
  return { sql: expression, shape: null, type: wrapType(call.type, row.type) }
}

const FEED: Readonly<Record<string, (alias: Sql) => Sql>> = {
  name: (alias) => sql`${alias}.feed_type`,
  ids: (alias) => sql`${alias}.ids`,
}
