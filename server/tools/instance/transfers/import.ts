/**
 * Brings data into the site that was sent in a form of the platform's service: all of it or nothing. The file is read twice, first for what
 * has to be there before the rows are: how many they are, what their ids mean, and the files that they name.
 */
import type { TransactionSql } from 'postgres'
import { hashPassword } from '../../../web/accounts/passwords.ts'
import { createImportSchema } from '../../../web/transfer/check.ts'
import { faultLine } from '../../../web/transfer/faults.ts'
import { readFiles } from '../../../web/transfer/files.ts'
import { importRows, type ImportOptions, type ImportResult, PHASES } from '../../../web/transfer/import.ts'
import type { ReadRow, RowError } from '../../../web/transfer/rows.ts'
import { sourceKey } from '../../../web/transfer/service/source.ts'
import type { ValueOptions } from '../../../web/transfer/service/values.ts'
import { formatNumber } from '../../../web/transfer/progress.ts'
import { type NamedFile, withFiles } from './named-files.ts'
import { TransferRefused, type TransferParts } from './parts.ts'
import { endTransfer, type TransferResult } from './rows.ts'
import { takeFiles } from './take-files.ts'

/** What is brought in. */
export interface Incoming {
  /** Path of the file. */
  readonly path: string
  readonly form: 'json' | 'zip'
  /** Whether rows change stored ones only. */
  readonly changing: boolean
  /** What is done before, in the same transaction. */
  before?(client: TransactionSql): Promise<void>
}

/** Faults and warnings that are told. */
const MOST_TOLD = 20

/**
 * Brings data in, and ends the row: as done in the transaction that has written the rows.
 * @throws TransferRefused where nothing was brought in, and the errors of the database client
 */
export async function bringIn(parts: TransferParts, incoming: Incoming): Promise<void> {
  const { sql, site, row, progress } = parts
  const { data, ids } = await site.now()
  const schema = createImportSchema(data)
  const own = await sourceKey(sql)
  const rowsOf = (keysOf: string | null, hash: ValueOptions['hash'], told?: (raw: boolean) => void) => {
    const { path, form } = incoming
    const service = { schema, keysOf, hash }
    const name = `data.${form}`
    return readFiles([{ path, name, format: form === 'zip' ? 'service-zip' : 'service', table: null, size: null }], {
      schema,
      service,
      ...(told && { rawIds: told }),
    })
  }

  let count = 0
  let saysRaw = false
  // An export with the ids of rows has their external ids beside them: to change rows, it says which ones.
  let hasBoth = false
  const named = new Map<string, NamedFile>()
  // Passwords are not read here: to hash them takes long.
  const first = rowsOf(
    null,
    async () => '',
    (raw) => {
      saysRaw = raw
    },
  )
  for await (const each of first) {
    if (each.kind !== 'left out' && ++count % 1_000 === 0) progress.tell('looking through', count, null)
    hasBoth ||= each.kind === 'row' && isNamedTwice(each.value)
    withFiles(each, schema, (file) => {
      named.set(file.name, file)
      return null
    })
  }
  const warnings = new Told()
  const files = await takeFiles(parts, named, (sentence) => warnings.add(sentence))

  const rawIds = saysRaw || (incoming.changing && hasBoth)
  const faults = new Told()
  const counted: ImportOptions['progress'] = (phase, rows, of) =>
    progress.tell(PHASES[phase], rows, phase === 'read' ? count : of)
  const result = await importRows(sql, replaced(rowsOf(rawIds ? null : own, hashPassword)), {
    ...{ data, ids, policy: 'replace', dryRun: false, known: false, strict: true, changing: incoming.changing },
    ...(incoming.before && { before: incoming.before }),
    report: (fault: RowError) => faults.add(faultLine(fault)),
    warn: (fault: RowError) => warnings.add(`Left out: ${faultLine(fault)}`),
    progress: counted,
    seal: (client, done) => endTransfer(client, row.id, 'done', resultOf(done, warnings)),
  })
  if (result.undone) throw new TransferRefused(undone(result, faults))

  async function* replaced(rows: AsyncIterable<ReadRow>): AsyncGenerator<ReadRow> {
    for await (const each of rows)
      yield files.size === 0 ? each : withFiles(each, schema, ({ name }) => files.get(name) ?? null)
  }
}

function isNamedTwice(row: unknown): boolean {
  if (typeof row !== 'object' || row === null || !('id' in row) || !('external_id' in row)) return false
  return /^\d+$/.test(String(row.id)) && row.id !== row.external_id
}

function resultOf({ read, added, changed, same }: ImportResult, warnings: Told): TransferResult {
  return { counts: { read, added, changed, same }, warnings: warnings.lines() }
}

function undone({ refused, read }: ImportResult, faults: Told): string {
  const first = `Nothing was brought in: ${formatNumber(refused)} of ${formatNumber(read)} rows cannot be.`
  return [first, ...faults.lines()].join('\n')
}

/** The first sentences of many, and how many more there are. */
class Told {
  readonly #lines: string[] = []
  #count = 0

  add(line: string): void {
    if (this.#count++ < MOST_TOLD) this.#lines.push(line)
  }

  lines(): string[] {
    const more = this.#count - this.#lines.length
    return more === 0 ? [...this.#lines] : [...this.#lines, `… and ${formatNumber(more)} more`]
  }
}
