/** The state of what was asked, as the command-line client of the platform reads it. */
import type { Reply } from '../../../web/http/message.ts'
import { json, Refusal } from '../replies.ts'
import type { Ask, InstanceParts } from '../resource.ts'
import { findTransfer, type TransferRequest, type TransferRow } from './rows.ts'

/** The row that a path names. @throws Refusal where there is none of this kind */
export async function rowNamed(
  { sql }: InstanceParts,
  { path: { id = '' } }: Pick<Ask, 'path'>,
  kind: TransferRequest['kind'],
): Promise<TransferRow> {
  const row = await findTransfer(sql, kind, id)
  if (row === null) throw new Refusal(404, `there is nothing of the id '${id}'`)
  return row
}

/** What was asked was noted. */
export function begun(id: string): Reply {
  return json(200, { id: Number(id), status: 'pending' })
}

/** @param more what only this kind has */
export function stateOf({ id, status, progress, result }: TransferRow, more: object = {}): object {
  return {
    id: Number(id),
    status,
    ...(progress !== null && status === 'in_progress' && { progress }),
    ...(result.error !== null && { error: result.error }),
    ...(result.warnings.length > 0 && { warnings: result.warnings }),
    ...(result.counts !== null && { counts: result.counts }),
    ...more,
  }
}
