/**
 * `instance_clone_imports` and `instance_clone_exports`: a copy of an installation, which whoever asks for it begins here, hands the answer
 * to the installation that is copied, and asks here for the state.
 */
import * as z from 'zod'
import { instanceId } from '../identity.ts'
import { json, Refusal } from '../replies.ts'
import { guardOf } from '../../../core/net/addresses.ts'
import { createOutgoing, OutgoingFailure } from '../../../core/net/outgoing.ts'
import type { InstanceParts, Resource } from '../resource.ts'
import { newKey } from '../sent-keys.ts'
import { begun, requireTransfer, transferState } from '../transfers/replies.ts'
import { addTransfer, giveUpClone, giveUpWaiting, type TransferRow } from '../transfers/rows.ts'

export const startClone: Resource = {
  method: 'POST',
  path: 'app_builder/instance_clone_imports',
  // The copy takes the place of all that is here.
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
    await giveUpWaiting(parts.sql)
    const row = await requireTransfer(parts, ask, 'clone')
    return json(200, transferState(row, { status: { name: nameOf(row) }, statuses: row.steps }))
  },
}

/** What is being done is named by its step. */
function nameOf({ status, steps }: TransferRow): string {
  if (status === 'waiting') return 'pending'
  return status === 'in_progress' ? (steps.at(-1)?.name ?? status) : status
}

const ITSELF = 'an installation is not copied onto itself: the address is one of this one'

/** Milliseconds and bytes for a look whether an installation answers. */
const PATIENCE = 10_000
const ANSWER = 100_000

/** Why this server cannot ask an address; null where it can. */
async function unreachable(
  address: string,
  { outgoing: opened, standIns }: InstanceParts['settings'],
): Promise<string | null> {
  const outgoing = createOutgoing({ standIns, guard: guardOf(opened) })
  try {
    await outgoing.send({ url: address, method: 'HEAD', timeout: PATIENCE, limit: ANSWER })
    return null
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    const { origin, hostname } = new URL(address)
    const mend = error.reason === 'closed' ? `: set INGOT_OUTGOING=${hostname} for this server` : ''
    return `this server cannot reach the other installation at ${origin} (${error.message})${mend}`
  } finally {
    outgoing.close()
  }
}

const sent = z.object({ address: z.url({ protocol: /^https?$/ }).max(4_000) })

export const startCopy: Resource = {
  method: 'POST',
  path: 'app_builder/instance_clone_exports',
  // All data goes out, with the site.
  scopes: ['admin'],
  isSilent: true,
  async answer({ sql, addresses, settings }, { body, request }) {
    const { protocol, host } = request
    const read = sent.safeParse(await body.json())
    if (!read.success)
      throw new Refusal(422, 'the body is the answer of the other installation, whose `address` is told of the copy')
    const key = addresses.keyIn(read.data.address, 'send')
    if (key !== null && (await giveUpClone(sql, key, ITSELF))) throw new Refusal(422, ITSELF)
    // Who waits for the copy asks the other one alone, which could not be told why none comes.
    const problem = await unreachable(read.data.address, settings)
    if (problem !== null) throw new Refusal(422, problem)
    const at = `${protocol}://${host}`
    return begun(await addTransfer(sql, { kind: 'copy', address: read.data.address, at }))
  },
}
