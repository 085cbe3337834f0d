/**
 * Sends a copy of this installation to another one: packs the site, the data, the constants and the translations, and tells the other
 * installation their URLs, from which it fetches them. Only permitted addresses are contacted.
 */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { createSeal, readSecret, type Seal } from '../../../web/graphql/values/secrets.ts'
import { createOutgoing, OutgoingFailure } from '../../../core/net/outgoing.ts'
import { storeBackup } from '../deploys/backup.ts'
import { DeployRefused } from '../deploys/change.ts'
import { treeOf } from '../deploys/site.ts'
import { instanceId } from '../identity.ts'
import { newKey } from '../sent-keys.ts'
import { storeUnderKey, writeData } from './export.ts'
import { TransferRefused, type TransferContext } from './parts.ts'
import { endTransfer, type TransferOf } from './rows.ts'
import { readInstallationSetup } from './setup.ts'

/** The message about a copy: the URLs of its archives, or why there is none. */
export const copyMessage = z.union([
  z.object({
    site: z.string().max(4_000),
    data: z.string().max(4_000),
    /** The constants and the translations, encrypted with a secret that is used only for them. */
    setup: z.object({ at: z.string().max(4_000), secret: z.string().max(200) }).optional(),
  }),
  z.object({ error: z.string().max(100_000) }),
])

/** Milliseconds for sending the message. */
const SEND_TIMEOUT = 30_000
/** Maximum number of bytes of the response. */
const MAX_RESPONSE_BYTES = 100_000

/** Packs this installation, and sends its URLs to the other one, or why it could not be packed. */
export async function sendCopy(parts: TransferContext, request: TransferOf<'copy'>): Promise<void> {
  const { sql, row } = parts
  try {
    await sendMessage(parts, request.address, await pack(parts, request))
  } catch (error) {
    const why = error instanceof DeployRefused ? new TransferRefused(error.message) : error
    // The waiting installation gets the reason, if possible.
    if (why instanceof TransferRefused)
      await sendMessage(parts, request.address, { error: why.message }).catch((other: unknown) => {
        if (!(other instanceof TransferRefused)) throw other
      })
    throw why
  }
  await endTransfer(sql, row.id, 'done', {})
}

async function pack(parts: TransferContext, { at }: TransferOf<'copy'>): Promise<z.input<typeof copyMessage>> {
  const { sql, releases, addresses } = parts
  const pointer = await releases.current()
  const tree = pointer === null ? new Map() : await treeOf(sql, pointer)
  const site = await storeBackup(parts, { kind: 'backup', module: null }, tree)
  const data = newKey(await instanceId(sql), 'exports', '.zip')
  const { path } = await writeData(parts, { csv: true, rawIds: true, at })
  await storeUnderKey(parts, data, path)
  const setup = newKey(await instanceId(sql), 'exports', '.sealed')
  const secret = randomBytes(32).toString('hex')
  const sealed = join(parts.folder, 'setup.sealed')
  await writeFile(sealed, createSeal(secret).seal(JSON.stringify(await readInstallationSetup(sql, ownSeal(parts)))), {
    mode: 0o600,
  })
  await storeUnderKey(parts, setup, sealed)
  const { protocol, host } = new URL(at)
  const from = { protocol: protocol.replace(/:$/, ''), host }
  const address = (key: string): string => addresses.address('see', from, key)
  return { site: address(site), data: address(data), setup: { at: address(setup), secret } }
}

/** Returns the seal of this installation's constants. */
export function ownSeal({ settings: { secret, dataFolder } }: Pick<TransferContext, 'settings'>): Seal {
  return createSeal(readSecret(secret, dataFolder))
}

/** Sends the message about a copy. @throws TransferRefused when it is not accepted */
async function sendMessage(
  { reachable, settings: { originOverrides } }: TransferContext,
  address: string,
  copy: z.input<typeof copyMessage>,
): Promise<void> {
  const outgoing = createOutgoing({ originOverrides, guard: reachable })
  try {
    const { status } = await outgoing.send({
      url: address,
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(copy),
      timeout: SEND_TIMEOUT,
      limit: MAX_RESPONSE_BYTES,
    })
    if (status >= 300)
      throw new TransferRefused(`The other installation refused the copy with status ${status}: see its log.`)
  } catch (error) {
    if (error instanceof OutgoingFailure)
      throw new TransferRefused(`The other installation could not be reached: ${error.message}.`)
    throw error
  } finally {
    outgoing.close()
  }
}
