/** Runs a search with its aggregations. */
import type { Sql as Client } from 'postgres'
import * as z from 'zod'
import type { Sql } from '../../../../runtime/data/sql/sql.ts'
import { sendOnce } from '../../../data/store/send.ts'
import { parseSearch } from './parse.ts'
import { countStatement, paged, planned } from './plan.ts'
import { STREAMS } from './streams.ts'
import { SearchError } from './tokens.ts'

/** Maximum number of rows of a search, and maximum offset of the first one. */
const MAX_ROWS = 10_000
const MAX_OFFSET = 1_000_000_000
/** Maximum number of aggregations. */
const MAX_AGGREGATIONS = 20

/** Microseconds since 1970; 0 means no bound. */
const time = z.coerce
  .number()
  .nullish()
  .transform((value) => (value === null || value === undefined || !(value > 0) ? null : value))

const whole = (otherwise: number, most: number) =>
  z.coerce
    .number()
    .int()
    .min(0)
    .nullish()
    .transform((value) => Math.min(value ?? otherwise, most))

export const searchSchema = z.object({
  query: z.object({
    sql: z.string(),
    from: whole(0, MAX_OFFSET),
    size: whole(10, MAX_ROWS),
    start_time: time,
    end_time: time,
  }),
  aggs: z
    .record(z.string().max(100), z.string())
    .refine((aggs) => Object.keys(aggs).length <= MAX_AGGREGATIONS)
    .nullish(),
})

export interface SearchAnswer {
  /** Milliseconds. */
  readonly took: number
  readonly hits: readonly object[]
  readonly total: number
  readonly from: number
  readonly size: number
  readonly aggs?: Readonly<Record<string, readonly object[]>>
}

/**
 * Runs a search.
 * @throws SearchError, and database errors
 */
export async function runSearch(client: Client, request: z.infer<typeof searchSchema>): Promise<SearchAnswer> {
  const startedAt = performance.now()
  const { sql: text, from, size, start_time: since, end_time: until } = request.query
  const search = parseSearch(text)
  const stream = STREAMS.find(({ name }) => name === search.from)
  if (stream === undefined)
    throw new SearchError(`there is no stream '${search.from}': use ${STREAMS.map(({ name }) => name).join(' or ')}`)
  const rows = planned(search, stream, { since, until })
  // All statements are created before the first one runs, so that errors come first.
  const page = paged(rows, search, from, size)
  const aggregations = Object.entries(request.aggs ?? {}).map(([name, aggregation]) => {
    const inner = parseSearch(aggregation)
    return { name, statement: paged(planned(inner, rows), inner, 0, MAX_ROWS) }
  })
  return client.begin('read only', async (transaction) => {
    await transaction`set local statement_timeout = '10s'`
    const run = (statement: Sql) => sendOnce(transaction, statement)
    const hits = await run(page)
    const [count] = await run(countStatement(rows))
    const aggs: Record<string, readonly object[]> = {}
    for (const { name, statement } of aggregations) aggs[name] = await run(statement)
    return {
      took: Math.round(performance.now() - startedAt),
      hits,
      total: Number(count?.['total'] ?? 0),
      from,
      size,
      ...(aggregations.length > 0 && { aggs }),
    }
  })
}
