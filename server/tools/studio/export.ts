/** Exports of the studio: the rows of a table, or the users, as a file of CSV or JSON that is written while it is read. */
import { pipeline } from 'node:stream/promises'
import type { Sql, TransactionSql } from 'postgres'
import type { TableIds } from '../../web/app-options.ts'
import { queryParams } from '../../web/http/params.ts'
import { plainReply } from '../../web/http/plain-reply.ts'
import type { Reply, Request, StreamBody } from '../../web/http/message.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import { csvExport, type ExportOptions, jsonExport, withSnapshot } from '../../web/transfer/export.ts'

/** Paths of exports within the studio. */
const PATH = /^\/data\/export\.(csv|json)$/
const TYPES = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

/** Maximum number of exports that a process writes at the same time. Each keeps a connection to the database. */
const MAX_EXPORTS = 2
/** Milliseconds after which an export is ended, because the database keeps all old versions of rows for it. */
const MAX_TIME = 15 * 60_000

interface ExportedSite {
  readonly loadedSite: LoadedSite
  readonly ids: TableIds
}

export type AnswerExport = (request: Request, site: ExportedSite) => Reply | null

/** Returns the function that answers requests for exports, and returns null for all other requests. */
export function createExports(sql: Sql): AnswerExport {
  let running = 0

  async function whileCounted(body: () => Promise<void>): Promise<void> {
    running++
    try {
      await body()
    } finally {
      running--
    }
  }

  return (request, { loadedSite, ids }) => {
    const [, ending] = PATH.exec(request.path) ?? []
    if (ending === undefined) return null
    const format = ending === 'csv' ? 'csv' : 'json'
    if (request.method !== 'GET' && request.method !== 'HEAD') return plainReply(404, 'html')
    const { data } = loadedSite.site
    const params = queryParams(request)
    const table = data.tables.find(({ name }) => name === params.table)?.name ?? null
    const isOfUsers = params.table === undefined && params.users === '1'
    if (table === null && !isOfUsers) return plainReply(404, 'html', 'The site has no such table')
    // HEAD runs no export.
    if (request.method === 'GET' && running >= MAX_EXPORTS) return plainReply(503, 'html', 'Other exports are running')
    const tables = table === null ? [] : [table]
    const options: ExportOptions = {
      ...{ data, ids, tables, users: isOfUsers, documents: false, withoutPasswords: true },
      progress: () => undefined,
    }
    const body: StreamBody = {
      kind: 'stream',
      write: (to) =>
        whileCounted(() =>
          withSnapshot(sql, (view) =>
            pipeline(textOf(view, format, options), to, { signal: AbortSignal.timeout(MAX_TIME) }),
          ),
        ),
    }
    const name = (table ?? 'users').replace(/[^\w-]+/g, '-')
    const headers = {
      'content-type': TYPES[format],
      'content-disposition': `attachment; filename="${name}.${format}"`,
    }
    return { status: 200, headers, body }
  }
}

async function* textOf(view: TransactionSql, format: 'csv' | 'json', options: ExportOptions): AsyncGenerator<string> {
  if (format === 'json') yield* jsonExport(view, options)
  else for await (const { text } of csvExport(view, options)) yield* text
}
