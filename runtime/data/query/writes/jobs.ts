/** Background jobs, read from the view `ingot.jobs` and changed by its functions, which skip running jobs. */
import type { Build, Input, JsonExpression, Selected } from '../model.ts'
import { fieldsOf, leafOf } from '../rows/input.ts'
import { jsonList, listShape, objectJson, NULL_JSON } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { timeJson } from '../rows/property-json.ts'
import { plainCollection, plainOrder, plainRow } from '../rows/plain-collection.ts'
import { type PlainKeys, plainConditions } from '../rows/plain-filter.ts'
import { idParameter, textForError } from './columns.ts'
import { emptyFilterError, changeStatementOrError } from './result.ts'
import { plainText } from '../rows/comparison-values.ts'
import { identifier, join, sql, type Sql } from '../../sql/sql.ts'

/** Further columns of the view, under the names that filters and sorts use. */
const NAMES = sql`form_name as form_configuration_name, kind as source_type, kind as class_name, created_at as enqueued_at,
  retry_at as retry, null::text as resource_type`
const JOBS = sql`(select *, ${NAMES} from ingot.jobs)`

const TIMES = [
  'created_at',
  'dead_at',
  'failed_at',
  'locked_at',
  'retry_at',
  'run_at',
  'started_at',
  'updated_at',
] as const
const FIELDS: ReadonlySet<string> = new Set([
  'arguments',
  'attempts',
  'error_class',
  'error_message',
  'form_configuration_name',
  'form_name',
  'label',
  'partial_name',
  'queue',
  'resource_id',
  'resource_type',
  'source_name',
  'source_type',
  'stack',
])

function jobField(alias: Sql): (call: Selected) => JsonExpression {
  return (call) => {
    const plain = (expression: Sql): JsonExpression => ({
      sql: expression,
      shape: null,
      type: scalarResultType(call.type),
    })
    if (call.name === 'id') return plain(sql`${alias}.id::text`)
    if (TIMES.some((name) => name === call.name)) return plain(timeJson(sql`${alias}.${identifier(call.name)}`))
    if (call.name === 'error') return plain(sql`concat_ws(': ', ${alias}.error_class, ${alias}.error_message)`)
    if (FIELDS.has(call.name)) return plain(sql`${alias}.${identifier(call.name)}`)
    // The field `liquid_body`: null, because jobs run compiled code.
    return plain(NULL_JSON)
  }
}

const SORTED = new Set([
  'attempts',
  'class_name',
  'created_at',
  'enqueued_at',
  'failed_at',
  'form_configuration_name',
  'id',
  'label',
  'locked_at',
  'queue',
  'resource_id',
  'resource_type',
  'retry',
  'run_at',
  'source_name',
  'source_type',
  'updated_at',
])

function jobConditions(filter: Input | undefined, alias: Sql, build: Build): readonly Sql[] {
  const time = (name: string): { sql: Sql; as: 'time' } => ({ sql: sql`${alias}.${identifier(name)}`, as: 'time' })
  const text = (name: string): { sql: Sql; as: 'text' } => ({ sql: sql`${alias}.${identifier(name)}`, as: 'text' })
  const keys: PlainKeys = {
    created_at: time('created_at'),
    failed_at: time('failed_at'),
    form_configuration_name: text('form_configuration_name'),
    id: { sql: sql`${alias}.id`, as: 'id' },
    label: text('label'),
    locked_at: time('locked_at'),
    queue: text('queue'),
    resource_id: { sql: sql`${alias}.resource_id`, as: 'external' },
    resource_type: text('resource_type'),
    run_at: time('run_at'),
    source_name: text('source_name'),
    source_type: text('source_type'),
    timestamp: time('run_at'),
    type: {
      conditions: (input) => {
        const leaf = leafOf(input)
        return leaf === null ? [] : [sql`${alias}.state = ${build.bind(leaf, 'text', plainText)}`]
      },
    },
    updated_at: time('updated_at'),
  }
  return plainConditions(filter, keys, build)
}

/** Returns a page of jobs. The maximum is 50 pages of 100 jobs. */
export function jobsJson(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('j')
  const rows = {
    from: sql`${JOBS} ${alias}`,
    alias,
    conditions: jobConditions(call.args['filter'], alias, build),
    order: plainOrder(call.args['sort'], alias, SORTED, build),
    field: jobField(alias),
    maximum: { page: 50, size: 100 },
  }
  return plainCollection(call, rows, build)
}

/** Removes a job from the queue. */
export function deleteJob(call: Selected, build: Build): JsonExpression {
  return changeJob(call, 'delete_jobs', 'deleted', build)
}

/** Runs a job immediately, and restores all its attempts. */
export function retryJob(call: Selected, build: Build): JsonExpression {
  return changeJob(call, 'retry_jobs', 'retried', build)
}

type Change = 'delete_jobs' | 'retry_jobs'

/**
 * Returns the part of the statement with the jobs of `found` that a function has changed. Deleted jobs are shown as they were, and others
 * as they are now.
 */
function changedBy(name: Change): Sql {
  const called = sql`(select array(select id from found) as ids) i cross join lateral ingot.${identifier(name)}(i.ids) as c(id)`
  if (name === 'delete_jobs') return sql`changed as (select f.* from ${called} join found f on f.id = c.id)`
  return sql`changed as (select o.*, ${NAMES} from ${called} cross join lateral ingot.jobs_now(array[c.id]) as n(job)
    cross join lateral jsonb_populate_record(null::ingot.jobs, n.job) as o)`
}

function changeJob(call: Selected, change: Change, done: string, build: Build): JsonExpression {
  const id = idParameter(call.args['id'], build)
  const alias = build.newAlias('j')
  const row = plainRow(call, jobField(alias))
  const matchingJob = sql`found as materialized (select * from ${JOBS} o where o.id = ${id})`
  const jobState = sql`json_build_object('id', ${textForError(call.args['id'], build)}, 'state', (select state from found))`
  const errorMessage = ({ id: requestedId, state }: Readonly<Record<string, unknown>>): string =>
    state === null
      ? `Can't find BackgroundJob with id=${String(requestedId)}`
      : `The job ${String(requestedId)} is ${state === 'DONE' ? 'done' : 'running'} and cannot be ${done}.`
  return changeStatementOrError(
    sql`${matchingJob}, ${changedBy(change)}`,
    alias,
    { ...row, type: wrapType(call.type, row.type) },
    jobState,
    errorMessage,
    call,
  )
}

/** Removes all matching jobs from the queue, and returns them. */
export function deleteJobs(call: Selected, build: Build): JsonExpression {
  const alias = build.newAlias('j')
  const conditions = jobConditions(call.args['filter'], sql`o`, build)
  const matching = sql`found as materialized (select * from ${JOBS} o where ${join([sql`o.state <> 'RUNNING'`, ...conditions], ' and ')})`
  const parts = call.selection.map((field) => {
    if (field.name !== 'results')
      return {
        key: field.responseKey,
        json: { sql: sql`'BackgroundJobsResult'::text`, shape: null, type: scalarResultType(field.type) },
      }
    const row = plainRow(field, jobField(alias))
    const expression = jsonList(row.sql, sql`from (select * from changed order by id) ${alias}`)
    return {
      key: field.responseKey,
      json: { sql: expression, shape: listShape(row.shape), type: wrapType(field.type, row.type) },
    }
  })
  const object = objectJson(parts, call.range)
  // Always reads the rows of `changed`, because the functions run only when their result is read.
  const statement = sql`with ${matching}, ${changedBy('delete_jobs')} select ${object.sql} from (select count(*) as n from changed) c`
  const json = { sql: statement, shape: object.shape, type: wrapType(call.type, object.type) }
  return conditions.length === 0 && fieldsOf(call.args['filter']) !== null
    ? emptyFilterError('delete every job', call, json)
    : json
}
