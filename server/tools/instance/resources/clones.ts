/**
 * `instance_clone_imports` and `instance_clone_exports`: copies an installation. A client starts the import on this server, sends its response
 * to the server to copy, and then reads the state here.
 */
import * as z from 'zod'
import { instanceId } from '../identity.ts'
import { json, Refusal } from '../replies.ts'
import { createAddressFilter } from '../../../core/net/addresses.ts'
import { createOutgoing, OutgoingFailure } from '../../../core/net/outgoing.ts'
import type { InstanceContext, Resource } from '../resource.ts'
import { newKey } from '../sent-keys.ts'
import { begun, requireTransfer, transferState } from '../transfers/replies.ts'
import { addTransfer, failClone, failExpired, type TransferRow } from '../transfers/rows.ts'

export const startClone: Resource = {
  method: 'POST',
  path: 'app_builder/instance_clone_imports',
  // This scope is required, because the copy replaces everything on this server.
  scopes: ['admin'],
  isSilent: true,
  async answer({ sql, addresses }, { request }) {
    const key = newKey(await instanceId(sql), 'clones')
    const id = await addTransfer(sql, { kind: 'clone', key, copy: null }, true)
    const address = addresses.address('send', request, key)
    return json(200, { id: Number(id), status: { name: 'pending' }, statuses: [], address })
  },
}

export const showClone: Resource = {
  method: 'GET',
  path: 'app_builder/instance_clone_imports/:id',
  scopes: ['admin'],
  async answer(parts, ask) {
    await failExpired(parts.sql)
    const row = await requireTransfer(parts, ask, 'clone')
    return json(200, transferState(row, { status: { name: stateName(row) }, statuses: row.steps }))
  },
}

/** Returns the name of the state. A running clone has the name of its current step. */
function stateName({ status, steps }: TransferRow): string {
  if (status === 'waiting') return 'pending'
  return status === 'in_progress' ? (steps.at(-1)?.name ?? status) : status
}

const SELF_COPY_MESSAGE = 'an installation cannot be copied to itself: give the address of another installation'

/** Milliseconds to check whether an installation responds. */
const CHECK_TIMEOUT = 10_000
/** Maximum number of bytes of its response. */
const MAX_RESPONSE_BYTES = 100_000

/** Returns why this server cannot reach an address; null when it can. */
async function checkReachable(
  address: string,
  { outgoing: opened, originOverrides }: InstanceContext['settings'],
): Promise<string | null> {
  const outgoing = createOutgoing({ originOverrides, guard: createAddressFilter(opened) })
  try {
    await outgoing.send({ url: address, method: 'HEAD', timeout: CHECK_TIMEOUT, limit: MAX_RESPONSE_BYTES })
    return null
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    const { origin, hostname } = new URL(address)
    const hint = error.reason === 'closed' ? `: set INGOT_OUTGOING=${hostname} for this server` : ''
    return `this server cannot reach the other installation at ${origin} (${error.message})${hint}`
  } finally {
    outgoing.close()
  }
}

const sent = z.object({ address: z.url({ protocol: /^https?$/ }).max(4_000) })

export const startCopy: Resource = {
  method: 'POST',
  path: 'app_builder/instance_clone_exports',
  // This scope is required, because the site and all its data are sent.
  scopes: ['admin'],
  isSilent: true,
  async answer({ sql, addresses, settings }, { body, request }) {
    const { protocol, host } = request
    const read = sent.safeParse(await body.json())
    if (!read.success)
      throw new Refusal(422, 'the body must be the response of the other installation, with its `address`')
    const key = addresses.keyIn(read.data.address, 'send')
    if (key !== null && (await failClone(sql, key, SELF_COPY_MESSAGE))) throw new Refusal(422, SELF_COPY_MESSAGE)
    // Checked now, because the client only reads the state on the other installation, which would get no message.
    const problem = await checkReachable(read.data.address, settings)
    if (problem !== null) throw new Refusal(422, problem)
    const at = `${protocol}://${host}`
    return begun(await addTransfer(sql, { kind: 'copy', address: read.data.address, at }))
  },
}
