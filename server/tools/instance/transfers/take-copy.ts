/**
 * Puts a copy of another installation in the place of this one: its site, and then its data, in whose transaction all is done. What was fetched
 * is kept here first, so that whoever begins anew needs the other one no more; and where the data cannot be brought in, the site goes back.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql, TransactionSql } from 'postgres'
import * as z from 'zod'
import { removeAllData } from '../../../web/transfer/clean.ts'
import { createSeal } from '../../../web/graphql/values/secrets.ts'
import { keepBackup } from '../deploys/backup.ts'
import { keepBlob } from '../deploys/blobs.ts'
import { addDeploy, deployDone, type DeployRequest } from '../deploys/rows.ts'
import { treeOf } from '../deploys/site.ts'
import { linesOf } from '../deploys/lines.ts'
import { sentDigest } from '../sent-keys.ts'
import { ownSeal, told } from './clone.ts'
import { fetched } from './fetched.ts'
import { bringIn } from './import.ts'
import { sentPath, TransferRefused, type TransferParts } from './parts.ts'
import { type KeptCopy, noteCopy, noteStep, type TransferOf } from './rows.ts'
import { bringSetup, readSetup, type Setup } from './setup.ts'

/** Puts the copy in the place of this installation's site and data. @throws TransferRefused where both are what they were */
export async function takeCopy(parts: TransferParts, request: TransferOf<'clone'>, over: AbortSignal): Promise<void> {
  const { sql, row, blobs } = parts
  const copy = request.copy ?? (await keptCopy(parts, request.key))
  const setup = await setupIn(parts, copy)
  let isServed = false
  try {
    await noteStep(sql, row.id, 'deploying')
    const id = await addDeploy(sql, { kind: 'deploy', archive: copy.site, partial: false, dryRun: false })
    const deployed = await deployDone(sql, id, over)
    if (deployed === null) throw new Error('the process ends')
    if (deployed.status === 'error')
      throw new TransferRefused(
        ['The site was not taken, and nothing was changed:', ...linesOf(deployed.result)].join('\n'),
      )
    isServed = true
    await noteStep(sql, row.id, 'importing')
    const before = async (client: TransactionSql): Promise<void> => {
      await removeAllData(client)
      if (setup !== null) await bringSetup(client, setup, ownSeal(parts))
      await noteCopy(client, row.id, null)
    }
    const path = await blobs.get(sql, copy.data)
    await bringIn(parts, { path, form: 'zip', changing: false, before })
  } catch (error) {
    if (error instanceof TransferRefused && isServed) await takeBack(sql, row.id, copy, over)
    throw error
  }
  // The secret of the constants is in what was told.
  await sql`delete from ingot.sent_files where key = ${request.key}`
}

/** Has the site served again that was there before a copy. */
export async function takeBack(sql: Sql, id: string, { before }: KeptCopy, over: AbortSignal): Promise<void> {
  const request: DeployRequest =
    before === null ? { kind: 'clear' } : { kind: 'deploy', archive: before, partial: false, dryRun: false }
  const done = await deployDone(sql, await addDeploy(sql, request), over)
  if (done === null) throw new Error('the process ends')
  await noteCopy(sql, id, null)
}

/** Fetches the copy that is told of, and keeps it with what it will take the place of. @throws TransferRefused */
async function keptCopy(parts: TransferParts, key: string): Promise<KeptCopy> {
  const { sql, row, folder, releases } = parts
  const copy = await copyTold(parts, key)
  if ('error' in copy) throw new TransferRefused(`There is no copy: ${copy.error}`)
  await noteStep(sql, row.id, 'fetching')
  const keep = async (address: string, name: string): Promise<string> =>
    (await keepBlob(sql, await fetched(parts, address, join(folder, name)))).digest
  const [site, data] = [await keep(copy.site, 'site.zip'), await keep(copy.data, 'data.zip')]
  const { setup = null } = copy
  const sealed = setup && { digest: await keep(setup.at, 'setup.sealed'), secret: setup.secret }
  const pointer = await releases.current()
  const tree = pointer === null ? new Map() : await treeOf(sql, pointer)
  const before =
    tree.size === 0 ? null : await sentDigest(sql, await keepBackup(parts, { kind: 'backup', module: null }, tree))
  const kept: KeptCopy = { site, data, setup: sealed, before }
  await noteCopy(sql, row.id, kept)
  return kept
}

/** @throws TransferRefused */
async function setupIn({ sql, blobs }: TransferParts, { setup }: KeptCopy): Promise<Setup | null> {
  if (setup === null) return null
  const text = await readFile(await blobs.get(sql, setup.digest), 'utf8')
  try {
    return readSetup(createSeal(setup.secret).open(text))
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
