/** Imports of the studio: the rows of a sent file of CSV or JSON, into one table. */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { TableIds } from '../../web/app-options.ts'
import type { ShownSite } from '../../web/graphql/site/shown-site.ts'
import { isSentFile, type SentFile } from '../../web/http/message.ts'
import type { Params } from '../../web/http/params.ts'
import type { LoadedSite } from '../../web/site/load.ts'
import { type InputFile, readFiles } from '../../web/transfer/files.ts'
import { importRows } from '../../web/transfer/import.ts'
import { createImportSchema } from '../../web/transfer/import-schema.ts'
import type { ReadRow, RowError } from '../../web/transfer/rows.ts'
import { describeFailure } from '../../web/transfer/sentence.ts'

/** Maximum number of refused rows that are shown. */
const MAX_SHOWN = 100
/** Maximum number of characters of a name or reason that is shown. */
const MAX_TEXT = 300

/** The result of an import, as the page shows it. */
interface ImportReport {
  /** Why nothing was read, as a sentence; null when the file was read to its end. */
  readonly problem: string | null
  readonly file: string
  /** Whether the file was only checked. */
  readonly checked: boolean
  readonly read: number
  readonly added: number
  readonly changed: number
  readonly same: number
  /** Rows that differ but were not written, because the stored row was changed later. */
  readonly kept: number
  readonly refused: number
  /** Whether nothing was written because of refused rows. */
  readonly undone: boolean
  /** The first errors of refused rows. */
  readonly errors: readonly { readonly line: number; readonly column: string | null; readonly reason: string }[]
}

/** What an import needs to know. */
interface ImportTask {
  readonly loadedSite: LoadedSite
  readonly ids: TableIds
  /** Fields of the form: `table`, `file`, `act` (`import`, otherwise the file is only checked), `strict` and `overwrite`. */
  readonly params: Params
  readonly actor: ReturnType<ShownSite['changes']>['actor']
}

export type RunImport = (task: ImportTask) => Promise<ImportReport>

const NOTHING = { read: 0, added: 0, changed: 0, same: 0, kept: 0, refused: 0, undone: false, errors: [] } as const

/**
 * Returns the function that checks and imports files. It never rejects for what a file contains.
 * @param sql a client with at least two connections
 */
export function createImports(sql: Sql): RunImport {
  let isRunning = false
  return async (task) => {
    const { params } = task
    const checked = params.act !== 'import'
    const sent = isSentFile(params.file) ? params.file : null
    const failed = (problem: string): ImportReport => ({ ...NOTHING, problem, file: sent?.fileName ?? '', checked })
    const table = task.loadedSite.site.data.tables.find(({ name }) => name === params.table)?.name
    if (table === undefined) return failed('The site has no such table.')
    if (sent === null || sent.fileName === '') return failed('Choose a file.')
    const format = formatOf(sent)
    if (format === null) return failed('The name of the file must end with .csv or .json.')
    // An import that waits for another one keeps the connections that the other one needs.
    if (isRunning) return failed('Another import is running. Try again when it has ended.')
    isRunning = true
    try {
      return { ...(await importFile(sql, task, sent, format, table)), checked }
    } catch (error) {
      const problem = describeFailure(error)
      if (problem === null) throw error
      return failed(shortened(problem))
    } finally {
      isRunning = false
    }
  }
}

async function importFile(
  sql: Sql,
  { loadedSite, ids, params, actor }: ImportTask,
  sent: SentFile,
  format: 'csv' | 'json',
  table: string,
): Promise<Omit<ImportReport, 'checked'>> {
  const { data } = loadedSite.site
  const file: InputFile = { path: sent.path, name: sent.fileName, format, table, size: sent.size }
  const rows = rowsOf(readFiles([file], { schema: createImportSchema(data) }), table)
  const errors: { line: number; column: string | null; reason: string }[] = []
  const report = ({ location, property, reason }: RowError): void => {
    if (errors.length < MAX_SHOWN)
      errors.push({
        line: location.line,
        column: property === null ? null : shortened(property),
        reason: shortened(reason),
      })
  }
  const { rowsRead: read, ...result } = await importRows(sql, rows, {
    ...{ data, ids, policy: params.overwrite === '1' ? 'replace' : 'keep newer', dryRun: params.act !== 'import' },
    ...{ isKnown: false, strict: params.strict === '1', report, progress: () => undefined },
    async beforeMerge(client) {
      await client`select set_config('ingot.actor', ${JSON.stringify(actor)}, true)`
    },
  })
  return { ...result, read, problem: null, file: sent.fileName, errors }
}

/** Returns the rows of a file. Everything that does not belong to the table becomes a refused row. */
async function* rowsOf(rows: AsyncIterable<ReadRow>, table: string): AsyncGenerator<ReadRow> {
  let count = 0
  for await (const row of rows) {
    // Other requests are answered meanwhile.
    if (++count % 1_000 === 0) await nextRound()
    const { location } = row
    if (row.kind === 'document') yield { kind: 'broken', location, reason: 'documents are not rows of a table' }
    else if (location.table === table) yield row
    else {
      const other = location.table === null ? 'the users' : `the table '${location.table}'`
      yield { kind: 'broken', location, reason: `it belongs to ${other}, but the import is for '${table}'` }
    }
  }
}

function formatOf({ fileName }: SentFile): 'csv' | 'json' | null {
  const ending = /\.(csv|json)$/i.exec(fileName)?.[1]?.toLowerCase()
  return ending === 'csv' || ending === 'json' ? ending : null
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}
