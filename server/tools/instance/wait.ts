/** Requests that are answered when what they ask for is served. */
import { setTimeout as sleep } from 'node:timers/promises'
import { addDeploy, deployDone, type DeployRequest, type DeployRow } from './deploys/rows.ts'
import { Refusal } from './replies.ts'
import type { InstanceParts } from './resource.ts'
import { stateOf } from './transfers/replies.ts'
import { addTransfer, findTransfer } from './transfers/rows.ts'

/** Milliseconds that an answer is waited for; a client gives up later. */
const LONGEST = 60_000

/** The same, for an archive of files, and milliseconds between two looks at what becomes of it. */
const LONGEST_UPLOAD = 240_000
const LOOK_EVERY = 100

/** Has something made, and waits until it is served or refused. @throws Refusal where that takes too long */
export async function awaitDeploy({ sql, waits }: InstanceParts, request: DeployRequest): Promise<DeployRow> {
  const id = await addDeploy(sql, request)
  // What is asked may replace the process that answers: it is not kept from it.
  waits.count++
  const row = await deployDone(sql, id, AbortSignal.timeout(LONGEST)).finally(() => {
    waits.count--
  })
  if (row === null) throw new Refusal(503, 'the request was received, and another deploy is still being made before it')
  return row
}

/** Has an archive of uploads taken in, and waits until its files can be named. @throws Refusal where it is refused, or that takes too long */
export async function awaitUploads({ sql, waits }: InstanceParts, key: string): Promise<object> {
  const id = await addTransfer(sql, { kind: 'uploads', key })
  waits.count++
  try {
    for (const until = performance.now() + LONGEST_UPLOAD; performance.now() < until; await sleep(LOOK_EVERY)) {
      const row = await findTransfer(sql, 'uploads', id)
      if (row?.status === 'done') return stateOf(row)
      if (row?.status === 'failed') throw new Refusal(422, row.result.error ?? 'the archive was refused')
    }
  } finally {
    waits.count--
  }
  throw new Refusal(503, 'the archive was received, and is still being unpacked')
}
