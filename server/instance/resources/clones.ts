/**
 * `instance_clone_imports` and `instance_clone_exports`: a copy of an installation, which whoever asks for it begins here, hands the answer
 * to the installation that is copied, and asks here for the state.
 */
import * as z from 'zod'
import { instanceId } from '../identity.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'
import { newKey } from '../sent-keys.ts'
import { begun, rowNamed, stateOf } from '../transfers/replies.ts'
import { addTransfer, giveUpClone, giveUpWaiting, type TransferRow } from '../transfers/rows.ts'

export const startClone: Resource = {
  method: 'POST',
  path: 'app_builder/instance_clone_imports',
  // The copy takes the place of all that is here.
  scopes: ['admin'],
  async answer({ sql, addresses }, { request }) {
    const key = newKey(await instanceId(sql), 'clones')
    const id = await addTransfer(sql, { kind: 'clone', key }, true)
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
    const row = await rowNamed(parts, ask, 'clone')
    return json(200, stateOf(row, { status: { name: nameOf(row) }, statuses: row.steps }))
  },
}

/** What is being done is named by its step. */
function nameOf({ status, steps }: TransferRow): string {
  if (status === 'waiting') return 'pending'
  return status === 'in_progress' ? (steps.at(-1)?.name ?? status) : status
}

const ITSELF = 'an installation is not copied onto itself: the address is one of this one'

const sent = z.object({ address: z.url({ protocol: /^https?$/ }).max(4_000) })

export const startCopy: Resource = {
  method: 'POST',
  path: 'app_builder/instance_clone_exports',
  // All data goes out, with the site.
  scopes: ['admin'],
  async answer({ sql, addresses }, { body, request: { protocol, host } }) {
    const read = sent.safeParse(await body.json())
    if (!read.success)
      throw new Refusal(422, 'the body is the answer of the other installation, whose `address` is told of the copy')
    const key = addresses.keyIn(read.data.address, 'send')
    if (key !== null && (await giveUpClone(sql, key, ITSELF))) throw new Refusal(422, ITSELF)
    return begun(await addTransfer(sql, { kind: 'copy', address: read.data.address, at: `${protocol}://${host}` }))
  },
}
