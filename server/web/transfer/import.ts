/** Imports rows in one transaction: either all rows or none. */
import type { Sql, TransactionSql } from 'postgres'
import type { DataSchema } from '../../../runtime/page/compiled.ts'
import { sql as statement } from '../../../runtime/data/sql/sql.ts'
import { sendOnce } from '../../data/store/send.ts'
import { checkActivity } from './activities.ts'
import { checkProfile, checkRow } from './check.ts'
import { type ImportSchema, createImportSchema } from './import-schema.ts'
import { completeRows } from './complete.ts'
import { checkDocument } from './documents.ts'
import { type MergeCounts, decideActions, merge, type Policy } from './merge.ts'
import type {
  CheckedActivity,
  CheckedDocument,
  CheckedProfile,
  CheckedRow,
  LeftOut,
  RowError,
  ReadRow,
} from './rows.ts'
import { resolveReferences } from './references.ts'
import { assignIds, assignSlugs, assignTrialIds, rejectNew, matchStoredRows } from './settle.ts'
import { StagingTables } from './stage.ts'

type Checked = CheckedRow | CheckedProfile | CheckedActivity | CheckedDocument

/** Options of an import. */
export interface ImportOptions {
  /** The declared tables, and their ids in the database. */
  readonly data: DataSchema
  readonly ids: ReadonlyMap<string, number>
  readonly policy: Policy
  /** Whether to check everything without changing anything. */
  readonly dryRun: boolean
  /** Whether every row must have a key by which a later import recognizes it. */
  readonly isKnown: boolean
  /** Whether a single rejected row rolls back the whole import. */
  readonly strict?: boolean
  /** Whether rows may only change stored rows. Then new rows are rejected. */
  readonly changing?: boolean
  /** Called for every error of a rejected row, as soon as the error is found. */
  report(fault: RowError): void
  /** Called when part of a row is not imported, or is changed before it is written. */
  warn?(fault: RowError): void
  /**
   * Called in the transaction before rows are compared with stored rows. Its changes are rolled back with the import.
   */
  beforeMerge?(client: TransactionSql): Promise<void>
  /** Called in the transaction after all rows are written. Its changes are committed with the rows. */
  afterMerge?(client: TransactionSql, result: ImportResult): Promise<void>
  /** Called with the number of rows read, and later with the number of rows written. */
  progress(phase: 'read' | 'settle' | 'write', rows: number, total: number | null): void
}

export interface ImportResult extends MergeCounts {
  /** Number of rows in the files. */
  readonly rowsRead: number
  /** Number of rejected rows. */
  readonly refused: number
  /** Number of rows, and of values of other rows, that Ingot does not support. They were not imported. */
  readonly skipped: number
  /** Whether rejected rows have rolled back the whole import. */
  readonly undone: boolean
}

/**
 * Settings of the transaction. The timeouts of requests do not apply to imports, and sorting and joining all rows needs
 * memory.
 */
const TRANSACTION_SETTINGS = statement`
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local work_mem = '64MB'`
/** Only one import runs at a time, because two imports could contain the same external id. */
const LOCK = statement`select pg_advisory_xact_lock(hashtext('ingot.import'))`

/** Rolls back the transaction. */
class Rollback extends Error {
  readonly counts: MergeCounts

  constructor(counts: MergeCounts) {
    super('the import is rolled back')
    this.counts = counts
  }
}

/** The names of the phases in the progress display. */
export const PHASES = { read: 'reading', settle: 'comparing', write: 'writing' } as const

const NO_CHANGES: MergeCounts = { added: 0, changed: 0, same: 0, kept: 0 }

/**
 * Imports rows. After an error, nothing is imported.
 * @param sql a client with at least two connections
 * @throws DataError for a file that cannot be read to its end, and the errors of the database client
 */
export async function importRows(
  sql: Sql,
  rows: AsyncIterable<ReadRow>,
  options: ImportOptions,
): Promise<ImportResult> {
  let rowsRead = 0
  let refused = 0
  let skipped = 0
  let undone = false
  // Each rejected row is counted once, although it may have several errors.
  const refuse = (...faults: readonly RowError[]): void => {
    refused++
    for (const fault of faults) options.report(fault)
  }
  const warn = (fault: RowError): void => options.warn?.(fault)
  const counts = await sql
    .begin(async (tx) => {
      await sendOnce(tx, TRANSACTION_SETTINGS)
      await sendOnce(tx, LOCK)
      const stage = await StagingTables.open(tx, options.data, options.ids)
      const schema = createImportSchema(options.data)
      for await (const row of rows) {
        if (row.kind === 'left out') {
          skipped++
          warn(row)
          continue
        }
        rowsRead++
        const checked = check(row, schema, options)
        if (checked.kind === 'faults') refuse(...checked.faults)
        else await stage.add(checked)
        if (rowsRead % 256 === 0) options.progress('read', rowsRead, null)
      }
      await stage.flush()
      options.progress('settle', rowsRead, null)
      await options.beforeMerge?.(tx)
      const context = { client: tx, stage, report: refuse, warn }
      await matchStoredRows(context)
      if (options.changing === true) await rejectNew(context)
      await (options.dryRun ? assignTrialIds(tx) : assignIds(tx, sql))
      await assignSlugs(tx)
      await completeRows(tx)
      await resolveReferences(context)
      undone = options.strict === true && refused > 0
      if (undone) throw new Rollback(NO_CHANGES)
      const decided = await decideActions(tx, options.policy)
      if (options.dryRun) throw new Rollback(decided)
      await merge(tx, stage.count, options.policy, (doneCount) => options.progress('write', doneCount, stage.count))
      await options.afterMerge?.(tx, { rowsRead, refused, skipped, undone, ...decided })
      return decided
    })
    .catch((error: unknown) => {
      if (error instanceof Rollback) return error.counts
      throw error
    })
  return { rowsRead, refused, skipped, undone, ...counts }
}

function check(row: Exclude<ReadRow, LeftOut>, schema: ImportSchema, { isKnown }: ImportOptions): Checked {
  if (row.kind === 'row') return checkRow(row, schema, { isKnown })
  if (row.kind === 'profile') return checkProfile(row, schema)
  if (row.kind === 'activity') return checkActivity(row)
  if (row.kind === 'document') return checkDocument(row)
  return { kind: 'faults', faults: [{ location: row.location, property: null, reason: row.reason }] }
}
