/** Requests that are answered when what they ask for is served. */
import { addDeploy, deployDone, type DeployRequest, type DeployRow } from './deploys/rows.ts'
import { Refusal } from './replies.ts'
import type { InstanceParts } from './resource.ts'

/** Milliseconds that an answer is waited for; a client gives up later. */
const LONGEST = 60_000

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
