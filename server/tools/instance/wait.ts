/** Requests that are answered only when their change is served. */
import { setTimeout as sleep } from 'node:timers/promises'
import { addDeploy, waitForDeploy, type DeployRequest, type DeployRow } from './deploys/rows.ts'
import { Refusal } from './replies.ts'
import type { InstanceContext } from './resource.ts'
import { transferState } from './transfers/replies.ts'
import { addTransfer, findTransfer } from './transfers/rows.ts'

/** Milliseconds to wait for a deploy. Clients wait longer. */
const DEPLOY_TIMEOUT = 60_000

/** Milliseconds to wait for an archive of files. */
const UPLOAD_TIMEOUT = 240_000
/** Milliseconds between two checks of a transfer. */
const CHECK_INTERVAL = 100

/** Adds a deploy request, and waits until it is served or refused. @throws Refusal when that takes too long */
export async function awaitDeploy({ sql, waits }: InstanceContext, request: DeployRequest): Promise<DeployRow> {
  const id = await addDeploy(sql, request)
  // The change may replace this process, which does not wait for such requests when it stops.
  waits.count++
  const row = await waitForDeploy(sql, id, AbortSignal.timeout(DEPLOY_TIMEOUT)).finally(() => {
    waits.count--
  })
  if (row === null)
    throw new Refusal(503, 'the request was received, but waits for another deploy: check the site again later')
  return row
}

/** Imports an archive of uploads, and waits until its files can be used. @throws Refusal when it is refused, or takes too long */
export async function awaitUploads({ sql, waits }: InstanceContext, key: string): Promise<object> {
  const id = await addTransfer(sql, { kind: 'uploads', key })
  waits.count++
  try {
    for (const until = performance.now() + UPLOAD_TIMEOUT; performance.now() < until; await sleep(CHECK_INTERVAL)) {
      const row = await findTransfer(sql, 'uploads', id)
      if (row?.status === 'done') return transferState(row)
      if (row?.status === 'failed') throw new Refusal(422, row.result.error ?? 'the archive was refused')
    }
  } finally {
    waits.count--
  }
  throw new Refusal(503, 'the archive was received, but is still being unpacked: try again later')
}
