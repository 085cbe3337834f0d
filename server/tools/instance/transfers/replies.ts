/** Creates responses about transfers for the platform's command-line client. */
import type { Reply } from '../../../web/http/message.ts'
import { json, Refusal } from '../replies.ts'
import type { Ask, InstanceContext } from '../resource.ts'
import { findTransfer, type TransferRequest, type TransferRow } from './rows.ts'

/** Returns the row of the id in a path. @throws Refusal when there is none of this kind */
export async function requireTransfer(
  { sql }: InstanceContext,
  { path: { id = '' } }: Pick<Ask, 'path'>,
  kind: TransferRequest['kind'],
): Promise<TransferRow> {
  const row = await findTransfer(sql, kind, id)
  if (row === null) throw new Refusal(404, `there is no ${kind} with the id '${id}'`)
  return row
}

/** Creates the response to a request that was added. */
export function begun(id: string): Reply {
  return json(200, { id: Number(id), status: 'pending' })
}

/** Creates the state of a transfer. @param more further fields of this kind */
export function transferState({ id, status, progress, result }: TransferRow, more: object = {}): object {
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
