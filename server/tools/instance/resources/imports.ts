/** `imports` and `data_updates`: import data into the site, or change existing data. */
import { readFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import * as z from 'zod'
import type { Reply, SentFile } from '../../../web/http/message.ts'
import { storeFile } from '../deploys/blobs.ts'
import { instanceId } from '../identity.ts'
import { json, Refusal } from '../replies.ts'
import type { InstanceContext, Resource } from '../resource.ts'
import { newKey } from '../sent-keys.ts'
import { begun, requireTransfer, transferState } from '../transfers/replies.ts'
import { addTransfer } from '../transfers/rows.ts'

/** Bytes of the largest body that may only contain the URL of an archive; larger bodies contain rows. */
const MAX_URL_BODY_BYTES = 64 * 1024
const MAX_URL_LENGTH = 4_000

const archive = z.object({ zip_file_url: z.string().min(1).max(MAX_URL_LENGTH) })

export const startImport: Resource = {
  method: 'POST',
  path: 'app_builder/imports',
  scopes: ['write'],
  async answer(parts, { body: { wholeFile } }) {
    if (wholeFile === null || wholeFile.size === 0)
      throw new Refusal(422, 'the body must be JSON: {"import": {"data": {…}}} or {"zip_file_url": "…"}')
    const withUrl = archive.safeParse(await readSmallJson(wholeFile))
    if (withUrl.success) return startArchive(parts, withUrl.data)
    const request = { kind: 'import', form: 'json', address: null } as const
    return begun(await addTransfer(parts.sql, { ...request, key: await storeUpload(parts.sql, wholeFile) }))
  },
}

async function startArchive(
  { sql, addresses }: InstanceContext,
  { zip_file_url: address }: z.infer<typeof archive>,
): Promise<Reply> {
  const key = addresses.keyIn(address)
  const request = { kind: 'import', form: 'zip' } as const
  return begun(await addTransfer(sql, { ...request, ...(key === null ? { key, address } : { key, address: null }) }))
}

export const showImport: Resource = {
  method: 'GET',
  path: 'app_builder/imports/:id',
  scopes: ['write'],
  answer: async (parts, ask) => json(200, transferState(await requireTransfer(parts, ask, 'import'))),
}

/** Name of the form field. */
const DATA_FIELD = 'update[data]'

export const startUpdate: Resource = {
  method: 'POST',
  path: 'app_builder/data_updates',
  scopes: ['write'],
  async answer({ sql }, { body }) {
    const file = body.file(DATA_FIELD)
    if (file === null || file.size === 0) throw new Refusal(422, `the form has no file \`${DATA_FIELD}\``)
    return begun(await addTransfer(sql, { kind: 'update', key: await storeUpload(sql, file) }))
  },
}

export const showUpdate: Resource = {
  method: 'GET',
  path: 'app_builder/data_updates/:id',
  scopes: ['write'],
  answer: async (parts, ask) => json(200, transferState(await requireTransfer(parts, ask, 'update'))),
}

/** Parses a small JSON body; undefined for a large body, or invalid JSON. */
async function readSmallJson({ path, size }: SentFile): Promise<unknown> {
  if (size > MAX_URL_BODY_BYTES) return undefined
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return value
  } catch (error) {
    // The import reports the error.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Stores an uploaded file. @returns its key */
async function storeUpload(sql: Sql, { path }: SentFile): Promise<string> {
  const { digest, size } = await storeFile(sql, path)
  const key = newKey(await instanceId(sql), 'imports')
  await sql`insert into ingot.sent_files (key, digest, size) values (${key}, ${digest}, ${size})`
  return key
}
