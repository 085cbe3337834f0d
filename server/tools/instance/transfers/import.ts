/**
 * Imports data in a format of the platform: all of it or nothing. The file is read twice. The first pass collects what must be known
 * before rows are imported: their number, the meaning of their ids, and the files that they name.
 */
import type { TransactionSql } from 'postgres'
import { hashPassword } from '../../../web/accounts/passwords.ts'
import { createImportSchema } from '../../../web/transfer/import-schema.ts'
import { faultLine } from '../../../web/transfer/faults.ts'
import { readFiles } from '../../../web/transfer/files.ts'
import { importRows, type ImportOptions, type ImportResult, PHASES } from '../../../web/transfer/import.ts'
import type { ReadRow, RowError } from '../../../web/transfer/rows.ts'
import { sourceKey } from '../../../web/transfer/service/source.ts'
import type { ValueOptions } from '../../../web/transfer/service/values.ts'
import { formatNumber } from '../../../web/transfer/progress.ts'
import { type NamedFile, withFiles } from './named-files.ts'
import { TransferRefused, type TransferContext } from './parts.ts'
import { endTransfer, type TransferResult } from './rows.ts'
import { fetchFiles } from './fetch-files.ts'

/** The data to import. */
export interface Incoming {
  /** Path of the file. */
  readonly path: string
  readonly form: 'json' | 'zip'
  /** Whether rows only change existing ones. */
  readonly changing: boolean
  /** Runs before the import, in the same transaction. */
  before?(client: TransactionSql): Promise<void>
}

/** Maximum number of reported errors, and of warnings. */
const MAX_REPORTED = 20

/**
 * Imports data, and ends the row as done in the transaction that writes the rows.
 * @throws TransferRefused when nothing was imported, and database errors
 */
export async function importData(parts: TransferContext, incoming: Incoming): Promise<void> {
  const { sql, site, row, progress } = parts
  const { data, ids } = await site.now()
  const schema = createImportSchema(data)
  const own = await sourceKey(sql)
  const rowsOf = (keysOf: string | null, hash: ValueOptions['hash'], onRawIds?: (raw: boolean) => void) => {
    const { path, form } = incoming
    const service = { schema, keysOf, hash }
    const name = `data.${form}`
    return readFiles([{ path, name, format: form === 'zip' ? 'service-zip' : 'service', table: null, size: null }], {
      schema,
      service,
      ...(onRawIds && { rawIds: onRawIds }),
    })
  }

  let count = 0
  let hasRawIds = false
  // An export with row ids also contains the external ids, which identify the rows to change.
  let hasBoth = false
  const named = new Map<string, NamedFile>()
  // Passwords are not hashed in this pass, because that takes long.
  const first = rowsOf(
    null,
    async () => '',
    (raw) => {
      hasRawIds = raw
    },
  )
  for await (const each of first) {
    if (each.kind !== 'left out' && ++count % 1_000 === 0) progress.report('checking', count, null)
    hasBoth ||= each.kind === 'row' && isNamedTwice(each.value)
    withFiles(each, schema, (file) => {
      named.set(file.name, file)
      return null
    })
  }
  const warnings = new LimitedLines()
  const files = await fetchFiles(parts, named, (sentence) => warnings.add(sentence))

  const rawIds = hasRawIds || (incoming.changing && hasBoth)
  const faults = new LimitedLines()
  const counted: ImportOptions['progress'] = (phase, rows, of) =>
    progress.report(PHASES[phase], rows, phase === 'read' ? count : of)
  const result = await importRows(sql, withReplacedFiles(rowsOf(rawIds ? null : own, hashPassword)), {
    ...{ data, ids, policy: 'replace', dryRun: false, isKnown: false, strict: true, changing: incoming.changing },
    ...(incoming.before && { beforeMerge: incoming.before }),
    report: (fault: RowError) => faults.add(faultLine(fault)),
    warn: (fault: RowError) => warnings.add(`Skipped: ${faultLine(fault)}`),
    progress: counted,
    afterMerge: (client, done) => endTransfer(client, row.id, 'done', resultOf(done, warnings)),
  })
  if (result.undone) throw new TransferRefused(failureMessage(result, faults))

  async function* withReplacedFiles(rows: AsyncIterable<ReadRow>): AsyncGenerator<ReadRow> {
    for await (const each of rows)
      yield files.size === 0 ? each : withFiles(each, schema, ({ name }) => files.get(name) ?? null)
  }
}

function isNamedTwice(row: unknown): boolean {
  if (typeof row !== 'object' || row === null || !('id' in row) || !('external_id' in row)) return false
  return /^\d+$/.test(String(row.id)) && row.id !== row.external_id
}

function resultOf({ rowsRead, added, changed, same, skipped }: ImportResult, warnings: LimitedLines): TransferResult {
  return { counts: { read: rowsRead, added, changed, same, skipped }, warnings: warnings.lines() }
}

function failureMessage({ refused, rowsRead }: ImportResult, faults: LimitedLines): string {
  const first = `Nothing was imported: ${formatNumber(refused)} of ${formatNumber(rowsRead)} rows have errors.`
  return [first, ...faults.lines()].join('\n')
}

/** Keeps the first lines of a long list, and counts the rest. */
class LimitedLines {
  readonly #lines: string[] = []
  #count = 0

  add(line: string): void {
    if (this.#count++ < MAX_REPORTED) this.#lines.push(line)
  }

  lines(): string[] {
    const more = this.#count - this.#lines.length
    return more === 0 ? [...this.#lines] : [...this.#lines, `… and ${formatNumber(more)} more`]
  }
}
