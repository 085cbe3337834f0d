/**
 * Copies an installation to another one. Whoever is copied packs its site, its data, its constants and its translations, and tells the other one where they are; that one
 * fetches them, deploys the site, and brings the data in place of its own. Both ask only addresses that servers may ask.
 */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TransactionSql } from 'postgres'
import * as z from 'zod'
import { cleanData } from '../../data/clean.ts'
import { createSeal, readSecret, type Seal } from '../../graphql/values/secrets.ts'
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
import { bringSetup, readSetup, type Setup, setupOf } from './setup.ts'

/** What is told of a copy: the addresses of its archives, or why there is none. */
const told = z.union([
  z.object({
    site: z.string().max(4_000),
    data: z.string().max(4_000),
    /** The constants and the translations, sealed with a secret that stands nowhere else. */
    setup: z.object({ at: z.string().max(4_000), secret: z.string().max(200) }).optional(),
  }),
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
  const setup = newKey(await instanceId(sql), 'exports', '.sealed')
  const secret = randomBytes(32).toString('hex')
  const sealed = join(parts.folder, 'setup.sealed')
  await writeFile(sealed, createSeal(secret).seal(JSON.stringify(await setupOf(sql, ownSeal(parts)))), { mode: 0o600 })
  await keepFile(parts, setup, sealed)
  const { protocol, host } = new URL(at)
  const from = { protocol: protocol.replace(/:$/, ''), host }
  const address = (key: string): string => addresses.address('see', from, key)
  return { site: address(site), data: address(data), setup: { at: address(setup), secret } }
}

/** The seal of this installation's constants. */
function ownSeal({ settings: { secret, dataFolder } }: TransferParts): Seal {
  return createSeal(readSecret(secret, dataFolder))
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
  const setup = copy.setup === undefined ? null : await setupTold(parts, copy.setup)
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
  const before = async (client: TransactionSql): Promise<void> => {
    await cleanData(client)
    if (setup !== null) await bringSetup(client, setup, ownSeal(parts))
  }
  await bringIn(parts, { path: data, form: 'zip', rawIds: true, changing: false, before })
  // The secret of the constants is in what was told.
  await sql`delete from ingot.sent_files where key = ${request.key}`
}

/** @throws TransferRefused */
async function setupTold(
  parts: TransferParts,
  { at, secret }: { readonly at: string; readonly secret: string },
): Promise<Setup> {
  const path = await fetched(parts, at, join(parts.folder, 'setup.sealed'))
  try {
    return readSetup(createSeal(secret).open(await readFile(path, 'utf8')))
  } catch (error) {
    if (error instanceof TransferRefused) throw error
    throw new TransferRefused('The constants and translations of the copy were changed on their way.')
  }
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
