/**
 * Copies an installation to another one. Whoever is copied packs its site and its data and tells the other one where they are; that one
 * fetches them, deploys the site, and brings the data in place of its own. Both ask only addresses that servers may ask.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { cleanData } from '../../data/clean.ts'
import { createOutgoing, OutgoingFailure } from '../../net/outgoing.ts'
import { keepBackup } from '../deploys/backup.ts'
import { keepBlob } from '../deploys/blobs.ts'
import { DeployRefused } from '../deploys/change.ts'
import { addDeploy, deployDone } from '../deploys/rows.ts'
import { treeOf } from '../deploys/site.ts'
import { instanceId } from '../identity.ts'
import { linesOf } from '../lines.ts'
import { newKey } from '../sent-keys.ts'
import { keepFile, writtenData } from './export.ts'
import { fetched } from './fetched.ts'
import { bringIn } from './import.ts'
import { sentPath, TransferRefused, type TransferParts } from './parts.ts'
import { endTransfer, noteStep, type TransferOf } from './rows.ts'

/** What is told of a copy: the addresses of its archives, or why there is none. */
const told = z.union([
  z.object({ site: z.string().max(4_000), data: z.string().max(4_000) }),
  z.object({ error: z.string().max(100_000) }),
])

/** Milliseconds for telling, and bytes of the answer. */
const PATIENCE = 30_000
const ANSWER = 100_000

/** Packs this installation, and tells where it is, or why it could not be packed. */
export async function giveCopy(parts: TransferParts, request: TransferOf<'copy'>): Promise<void> {
  const { sql, row } = parts
  try {
    await tell(parts, request.address, await packed(parts, request))
  } catch (error) {
    const why = error instanceof DeployRefused ? new TransferRefused(error.message) : error
    // Who waits for the copy is told, where that is possible.
    if (why instanceof TransferRefused)
      await tell(parts, request.address, { error: why.message }).catch((other: unknown) => {
        if (!(other instanceof TransferRefused)) throw other
      })
    throw why
  }
  await endTransfer(sql, row.id, 'done', {})
}

async function packed(parts: TransferParts, { at }: TransferOf<'copy'>): Promise<z.input<typeof told>> {
  const { sql, releases, addresses } = parts
  const pointer = await releases.current()
  const tree = pointer === null ? new Map() : await treeOf(sql, pointer)
  const site = await keepBackup(parts, { kind: 'backup', module: null }, tree)
  const data = newKey(await instanceId(sql), 'exports', '.zip')
  const { path } = await writtenData(parts, { csv: true, rawIds: true, at })
  await keepFile(parts, data, path)
  const { protocol, host } = new URL(at)
  const from = { protocol: protocol.replace(/:$/, ''), host }
  return { site: addresses.address('see', from, site), data: addresses.address('see', from, data) }
}

/** @throws TransferRefused where it is not taken */
async function tell(
  { reachable, settings: { standIns } }: TransferParts,
  address: string,
  copy: z.input<typeof told>,
): Promise<void> {
  const outgoing = createOutgoing({ standIns, guard: reachable })
  try {
    const { status } = await outgoing.send({
      url: address,
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(copy),
      timeout: PATIENCE,
      limit: ANSWER,
    })
    if (status >= 300) throw new TransferRefused(`The other installation did not take the copy: it answered ${status}.`)
  } catch (error) {
    if (error instanceof OutgoingFailure)
      throw new TransferRefused(`The other installation could not be told of the copy: ${error.message}.`)
    throw error
  } finally {
    outgoing.close()
  }
}

/** Puts the copy in the place of this installation's site and data. */
export async function takeCopy(parts: TransferParts, request: TransferOf<'clone'>, over: AbortSignal): Promise<void> {
  const { sql, row, folder } = parts
  const copy = await copyTold(parts, request.key)
  if ('error' in copy) throw new TransferRefused(`There is no copy: ${copy.error}`)
  await noteStep(sql, row.id, 'fetching')
  const site = await fetched(parts, copy.site, join(folder, 'site.zip'))
  const data = await fetched(parts, copy.data, join(folder, 'data.zip'))
  await noteStep(sql, row.id, 'deploying')
  const { digest } = await keepBlob(sql, site)
  const id = await addDeploy(sql, { kind: 'deploy', archive: digest, partial: false, dryRun: false })
  const deployed = await deployDone(sql, id, over)
  if (deployed === null) throw new Error('the process ends')
  if (deployed.status === 'error')
    throw new TransferRefused(
      ['The site was not taken, and nothing was changed:', ...linesOf(deployed.result)].join('\n'),
    )
  await noteStep(sql, row.id, 'importing')
  await bringIn(parts, { path: data, form: 'zip', rawIds: true, changing: false, before: cleanData })
}

async function copyTold(parts: TransferParts, key: string): Promise<z.infer<typeof told>> {
  const path = await sentPath(parts, key)
  try {
    return told.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new TransferRefused('What was told of the copy cannot be read.')
    throw error
  }
}
