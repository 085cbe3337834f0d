/**
 * Replaces this installation by a copy of another one: first the site, then the data, in whose transaction the copy is completed. The fetched
 * archives are stored here first, so that a repeated attempt does not need the other installation. If the data cannot be imported,
 * the previous site is restored.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql, TransactionSql } from 'postgres'
import * as z from 'zod'
import { removeAllData } from '../../../web/transfer/clean.ts'
import { createSeal } from '../../../web/graphql/values/secrets.ts'
import { storeBackup } from '../deploys/backup.ts'
import { storeFile } from '../deploys/blobs.ts'
import { addDeploy, waitForDeploy, type DeployRequest } from '../deploys/rows.ts'
import { treeOf } from '../deploys/site.ts'
import { formatErrorLines } from '../deploys/lines.ts'
import { sentDigest } from '../sent-keys.ts'
import { copyMessage, ownSeal } from './clone.ts'
import { downloadArchive } from './download-archive.ts'
import { importData } from './import.ts'
import { sentPath, TransferRefused, type TransferContext } from './parts.ts'
import { type KeptCopy, recordCopy, recordStep, type TransferOf } from './rows.ts'
import { parseSetup, type Setup, writeSetup } from './setup.ts'

/** Replaces the site and the data of this installation. @throws TransferRefused when both are unchanged */
export async function importCopy(
  parts: TransferContext,
  request: TransferOf<'clone'>,
  over: AbortSignal,
): Promise<void> {
  const { sql, row, blobs } = parts
  const copy = request.copy ?? (await fetchCopy(parts, request.key))
  const setup = await openSetup(parts, copy)
  let isServed = false
  try {
    await recordStep(sql, row.id, 'deploying')
    const id = await addDeploy(sql, { kind: 'deploy', archive: copy.site, partial: false, dryRun: false })
    const deployed = await waitForDeploy(sql, id, over)
    if (deployed === null) throw new Error('the process is stopping')
    if (deployed.status === 'error')
      throw new TransferRefused(
        ['The site was refused, and nothing was changed:', ...formatErrorLines(deployed.result)].join('\n'),
      )
    isServed = true
    await recordStep(sql, row.id, 'importing')
    const before = async (client: TransactionSql): Promise<void> => {
      await removeAllData(client)
      if (setup !== null) await writeSetup(client, setup, ownSeal(parts))
      await recordCopy(client, row.id, null)
    }
    const path = await blobs.get(sql, copy.data)
    await importData(parts, { path, form: 'zip', changing: false, before })
  } catch (error) {
    if (error instanceof TransferRefused && isServed) await restoreSite(sql, row.id, copy, over)
    throw error
  }
  // The message of the copy contains the secret of the constants.
  await sql`delete from ingot.sent_files where key = ${request.key}`
}

/** Restores the site that was served before a copy. */
export async function restoreSite(sql: Sql, id: string, { before }: KeptCopy, over: AbortSignal): Promise<void> {
  const request: DeployRequest =
    before === null ? { kind: 'clear' } : { kind: 'deploy', archive: before, partial: false, dryRun: false }
  const done = await waitForDeploy(sql, await addDeploy(sql, request), over)
  if (done === null) throw new Error('the process is stopping')
  await recordCopy(sql, id, null)
}

/** Fetches the copy, and stores it with a backup of the site that it replaces. @throws TransferRefused */
async function fetchCopy(parts: TransferContext, key: string): Promise<KeptCopy> {
  const { sql, row, folder, releases } = parts
  const copy = await readCopyMessage(parts, key)
  if ('error' in copy) throw new TransferRefused(`The other installation has no copy: ${copy.error}`)
  await recordStep(sql, row.id, 'fetching')
  const store = async (address: string, name: string): Promise<string> =>
    (await storeFile(sql, await downloadArchive(parts, address, join(folder, name)))).digest
  const [site, data] = [await store(copy.site, 'site.zip'), await store(copy.data, 'data.zip')]
  const { setup = null } = copy
  const sealed = setup && { digest: await store(setup.at, 'setup.sealed'), secret: setup.secret }
  const pointer = await releases.current()
  const tree = pointer === null ? new Map() : await treeOf(sql, pointer)
  const textBefore =
    tree.size === 0 ? null : await sentDigest(sql, await storeBackup(parts, { kind: 'backup', module: null }, tree))
  const kept: KeptCopy = { site, data, setup: sealed, before: textBefore }
  await recordCopy(sql, row.id, kept)
  return kept
}

/** Decrypts the setup of a copy. @throws TransferRefused */
async function openSetup({ sql, blobs }: TransferContext, { setup }: KeptCopy): Promise<Setup | null> {
  if (setup === null) return null
  const text = await readFile(await blobs.get(sql, setup.digest), 'utf8')
  try {
    return parseSetup(createSeal(setup.secret).open(text))
  } catch (error) {
    if (error instanceof TransferRefused) throw error
    throw new TransferRefused(
      'The constants and translations of the copy were changed in transit: start the clone again.',
    )
  }
}

async function readCopyMessage(parts: TransferContext, key: string): Promise<z.infer<typeof copyMessage>> {
  const path = await sentPath(parts, key)
  try {
    return copyMessage.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new TransferRefused('The message about the copy is invalid: start the clone again.')
    throw error
  }
}
