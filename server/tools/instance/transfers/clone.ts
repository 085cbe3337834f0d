/**
 * Gives a copy of this installation to another one: packs the site, the data, the constants and the translations, and tells the other one
 * where they are, which fetches them. Both ask only addresses that servers may ask.
 */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { createSeal, readSecret, type Seal } from '../../../web/graphql/values/secrets.ts'
import { createOutgoing, OutgoingFailure } from '../../../core/net/outgoing.ts'
import { keepBackup } from '../deploys/backup.ts'
import { DeployRefused } from '../deploys/change.ts'
import { treeOf } from '../deploys/site.ts'
import { instanceId } from '../identity.ts'
import { newKey } from '../sent-keys.ts'
import { keepFile, writtenData } from './export.ts'
import { TransferRefused, type TransferParts } from './parts.ts'
import { endTransfer, type TransferOf } from './rows.ts'
import { setupOf } from './setup.ts'

/** What is told of a copy: the addresses of its archives, or why there is none. */
export const told = z.union([
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
export function ownSeal({ settings: { secret, dataFolder } }: Pick<TransferParts, 'settings'>): Seal {
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
