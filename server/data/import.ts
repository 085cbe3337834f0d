/** Imports rows in one transaction: all of them or none. */
import type { Sql } from 'postgres'
import type { DataSchema } from '../../runtime/page/compiled.ts'
import { sql as statement } from '../../runtime/data/sql/sql.ts'
import { sendOnce } from '../store/send.ts'
import { checkRow, type ImportSchema, schemaOf } from './check.ts'
import { checkDocument } from './documents.ts'
import { type MergeCounts, decide, merge, type Policy } from './merge.ts'
import type { CheckedRow, CheckedDocument, RowError, ReadRow } from './rows.ts'
import { giveIds, giveSlugs, giveTrialIds, settleReferences, settleTargets } from './settle.ts'
import { StagingTables } from './stage.ts'

export interface ImportOptions {
  /** The declared tables, and their numbers in the database. */
  readonly data: DataSchema
  readonly ids: ReadonlyMap<string, number>
  readonly policy: Policy
  /** Whether to check everything without changing anything. */
  readonly dryRun: boolean
  /** Whether every row must be identifiable when it is imported again. */
  readonly known: boolean
  /** Called for every rejected row, as soon as it is known. */
  report(fault: RowError): void
  /** Called with the number of rows read, and later with the number of rows written. */
  progress(phase: 'read' | 'settle' | 'write', rows: number, of: number | null): void
}

export interface ImportResult extends MergeCounts {
  /** Number of rows in the files. */
  readonly read: number
  /** Number of rejected rows. */
  readonly refused: number
}

/** The timeouts of requests do not apply to an import, and it needs memory for sorting and joining all its rows. */
const LIMITS = statement`
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local work_mem = '64MB'`
/** Only one import at a time, because two could contain the same external id. */
const LOCK = statement`select pg_advisory_xact_lock(hashtext('ingot.import'))`

class DryRunRollback extends Error {
  readonly counts: MergeCounts

  constructor(counts: MergeCounts) {
    super('a trial is undone')
    this.counts = counts
  }
}

/**
 * Imports rows.
 * @param sql has at least two connections
 * @throws DataError for a file that cannot be read to its end, and the errors of the database client; nothing is
 * imported then
 */
export async function importRows(
  sql: Sql,
  rows: AsyncIterable<ReadRow>,
  options: ImportOptions,
): Promise<ImportResult> {
  let read = 0
  let refused = 0
  // Each rejected row is counted once, although it may have several errors.
  const refuse = (...faults: readonly RowError[]): void => {
    refused++
    for (const fault of faults) options.report(fault)
  }
  const counts = await sql
    .begin(async (tx) => {
      await sendOnce(tx, LIMITS)
      await sendOnce(tx, LOCK)
      const stage = await StagingTables.open(tx, options.data, options.ids)
      const schema = schemaOf(options.data)
      for await (const row of rows) {
        read++
        const checked = checkedOf(row, schema, options)
        if (checked.kind === 'faults') refuse(...checked.faults)
        else await stage.add(checked)
        if (read % 256 === 0) options.progress('read', read, null)
      }
      await stage.flush()
      options.progress('settle', read, null)
      await settleTargets({ client: tx, stage, report: refuse })
      await (options.dryRun ? giveTrialIds(tx) : giveIds(tx, sql))
      await giveSlugs(tx)
      await settleReferences({ client: tx, stage, report: refuse })
      const decided = await decide(tx, options.policy)
      if (options.dryRun) throw new DryRunRollback(decided)
      await merge(tx, stage.count, options.policy, (done) => options.progress('write', done, stage.count))
      return decided
    })
    .catch((error: unknown) => {
      if (error instanceof DryRunRollback) return error.counts
      throw error
    })
  return { read, refused, ...counts }
}

function checkedOf(row: ReadRow, schema: ImportSchema, { known }: ImportOptions): CheckedRow | CheckedDocument {
  if (row.kind === 'row') return checkRow(row, schema, { known })
  if (row.kind === 'document') return checkDocument(row)
  return { kind: 'faults', faults: [{ location: row.location, property: null, reason: row.reason }] }
}
