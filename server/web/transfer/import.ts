/** Imports rows in one transaction: all of them or none. */
import type { Sql, TransactionSql } from 'postgres'
import type { DataSchema } from '../../../runtime/page/compiled.ts'
import { sql as statement } from '../../../runtime/data/sql/sql.ts'
import { sendOnce } from '../../data/store/send.ts'
import { checkActivity } from './activities.ts'
import { checkProfile, checkRow, type ImportSchema, schemaOf } from './check.ts'
import { completeRows } from './complete.ts'
import { checkDocument } from './documents.ts'
import { type MergeCounts, decide, merge, type Policy } from './merge.ts'
import type {
  CheckedActivity,
  CheckedDocument,
  CheckedProfile,
  CheckedRow,
  LeftOut,
  RowError,
  ReadRow,
} from './rows.ts'
import { settleReferences } from './references.ts'
import { giveIds, giveSlugs, giveTrialIds, rejectNew, settleTargets } from './settle.ts'
import { StagingTables } from './stage.ts'

type Checked = CheckedRow | CheckedProfile | CheckedActivity | CheckedDocument

export interface ImportOptions {
  /** The declared tables, and their numbers in the database. */
  readonly data: DataSchema
  readonly ids: ReadonlyMap<string, number>
  readonly policy: Policy
  /** Whether to check everything without changing anything. */
  readonly dryRun: boolean
  /** Whether every row must be identifiable when it is imported again. */
  readonly known: boolean
  /** Whether a single rejected row undoes the whole import. */
  readonly strict?: boolean
  /** Whether rows only change stored ones: a row that stands for none is rejected. */
  readonly changing?: boolean
  /** Called for every rejected row, as soon as it is known. */
  report(fault: RowError): void
  /** Called for what is left out of a row, or not written as it stands in the file. */
  warn?(fault: RowError): void
  /** Called in the transaction before rows are compared with stored ones: what it changes is undone with the import. */
  before?(client: TransactionSql): Promise<void>
  /** Called in the transaction when all rows are written: what it writes is there when the rows are. */
  seal?(client: TransactionSql, result: ImportResult): Promise<void>
  /** Called with the number of rows read, and later with the number of rows written. */
  progress(phase: 'read' | 'settle' | 'write', rows: number, of: number | null): void
}

export interface ImportResult extends MergeCounts {
  /** Number of rows in the files. */
  readonly read: number
  /** Number of rejected rows. */
  readonly refused: number
  /** Whether rejected rows have undone the whole import. */
  readonly undone: boolean
}

/** The timeouts of requests do not apply to an import, and it needs memory for sorting and joining all its rows. */
const LIMITS = statement`
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local work_mem = '64MB'`
/** Only one import at a time, because two could contain the same external id. */
const LOCK = statement`select pg_advisory_xact_lock(hashtext('ingot.import'))`

/** Undoes the transaction. */
class Rollback extends Error {
  readonly counts: MergeCounts

  constructor(counts: MergeCounts) {
    super('the import is undone')
    this.counts = counts
  }
}

/** How progress is told. */
export const PHASES = { read: 'reading', settle: 'comparing', write: 'writing' } as const

const NOTHING: MergeCounts = { added: 0, changed: 0, same: 0, kept: 0 }

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
  let undone = false
  // Each rejected row is counted once, although it may have several errors.
  const refuse = (...faults: readonly RowError[]): void => {
    refused++
    for (const fault of faults) options.report(fault)
  }
  const warn = (fault: RowError): void => options.warn?.(fault)
  const counts = await sql
    .begin(async (tx) => {
      await sendOnce(tx, LIMITS)
      await sendOnce(tx, LOCK)
      const stage = await StagingTables.open(tx, options.data, options.ids)
      const schema = schemaOf(options.data)
      for await (const row of rows) {
        if (row.kind === 'left out') {
          warn(row)
          continue
        }
        read++
        const checked = checkedOf(row, schema, options)
        if (checked.kind === 'faults') refuse(...checked.faults)
        else await stage.add(checked)
        if (read % 256 === 0) options.progress('read', read, null)
      }
      await stage.flush()
      options.progress('settle', read, null)
      await options.before?.(tx)
      const settled = { client: tx, stage, report: refuse, warn }
      await settleTargets(settled)
      if (options.changing === true) await rejectNew(settled)
      await (options.dryRun ? giveTrialIds(tx) : giveIds(tx, sql))
      await giveSlugs(tx)
      await completeRows(tx)
      await settleReferences(settled)
      undone = options.strict === true && refused > 0
      if (undone) throw new Rollback(NOTHING)
      const decided = await decide(tx, options.policy)
      if (options.dryRun) throw new Rollback(decided)
      await merge(tx, stage.count, options.policy, (done) => options.progress('write', done, stage.count))
      await options.seal?.(tx, { read, refused, undone, ...decided })
      return decided
    })
    .catch((error: unknown) => {
      if (error instanceof Rollback) return error.counts
      throw error
    })
  return { read, refused, undone, ...counts }
}

function checkedOf(row: Exclude<ReadRow, LeftOut>, schema: ImportSchema, { known }: ImportOptions): Checked {
  if (row.kind === 'row') return checkRow(row, schema, { known })
  if (row.kind === 'profile') return checkProfile(row, schema)
  if (row.kind === 'activity') return checkActivity(row)
  if (row.kind === 'document') return checkDocument(row)
  return { kind: 'faults', faults: [{ location: row.location, property: null, reason: row.reason }] }
}
