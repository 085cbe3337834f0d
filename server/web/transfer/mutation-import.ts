/** Imports rows that a mutation contains, by the rules of the service's JSON format: either all rows or none. */
import type { Sql, TransactionSql } from 'postgres'
import { QueryError, RUN, valueError } from '../../../runtime/data/query/model.ts'
import type { ImportResult, ImportRequest } from '../../../runtime/data/query/effects.ts'
import { sql as statement } from '../../../runtime/data/sql/sql.ts'
import type { DataSchema } from '../../../runtime/page/compiled.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { sendOnce } from '../../data/store/send.ts'
import { createImportSchema } from './import-schema.ts'
import { faultLine } from './faults.ts'
import { importRows } from './import.ts'
import type { ReadRow, RowStyle } from './rows.ts'
import { sourceKey } from './service/source.ts'
import { convertRecord, convertUser, type ValueOptions } from './service/values.ts'

export interface MutationImportOptions {
  /** A client with at least two connections. */
  readonly sql: Sql
  readonly data: DataSchema
  /** Table ids by table name. */
  readonly ids: ReadonlyMap<string, number>
  /** Whether the caller has an open transaction. The import is then refused, because it has its own. */
  readonly inTransaction?: boolean | undefined
}

/** Maximum number of errors in the message. */
const MAX_REPORTED = 20

/**
 * Imports rows in a separate transaction.
 * @returns their ids and external ids in the order of the rows
 * @throws QueryError with the errors of the rows; then nothing is imported
 */
export async function importMutationRows(
  { sql, data, ids, inTransaction = false }: MutationImportOptions,
  request: ImportRequest,
): Promise<ImportResult> {
  if (inTransaction) {
    const message = `\`${request.name}\` has its own transaction, so it cannot be in the block \`transaction\`.`
    throw new QueryError([{ code: 'invalid', message, range: null, hint: null, mistake: RUN }])
  }
  const options: ValueOptions = {
    schema: createImportSchema(data),
    keysOf: request.remap ? await sourceKey(sql) : null,
    hash: hashPassword,
  }
  const errors: string[] = []
  const outcome: { imported: ImportResult } = { imported: { ids: [], external_ids: [] } }
  const result = await importRows(sql, rowsOf(request, options), {
    ...{ data, ids, policy: 'replace', dryRun: false, isKnown: false, strict: true },
    report: (fault) => {
      if (errors.length < MAX_REPORTED) errors.push(faultLine(fault))
    },
    progress: () => undefined,
    afterMerge: async (client) => {
      outcome.imported = await readImportedIds(client, request.kind)
    },
  })
  if (!result.undone) return outcome.imported
  const message = `Nothing was imported: ${result.refused} of ${result.rowsRead} rows are invalid.\n${errors.join('\n')}`
  throw valueError(message)
}

async function* rowsOf({ kind, name, rows }: ImportRequest, options: ValueOptions): AsyncGenerator<ReadRow> {
  const style: RowStyle = { properties: 'each', undeclared: 'refused', keysOf: options.keysOf }
  for (const [at, row] of rows.entries()) {
    const table = kind === 'users' ? null : String(row['type_name'] ?? '')
    const location = { file: name, line: at + 1, table, row: at + 1 }
    const converted = table === null ? await convertUser(row, options) : convertRecord(row, table, options)
    yield { kind: 'row', location, value: converted.value, style }
  }
}

async function readImportedIds(client: TransactionSql, kind: ImportRequest['kind']): Promise<ImportResult> {
  const staged = kind === 'users' ? statement`import_users` : statement`import_records`
  const rows = await sendOnce<{ id: string; external_id: string | null }[]>(
    client,
    statement`select coalesce(target, new_id)::text as id, external_id from ${staged} order by n`,
  )
  return { ids: rows.map(({ id }) => id), external_ids: rows.map(({ id, external_id }) => external_id ?? id) }
}
