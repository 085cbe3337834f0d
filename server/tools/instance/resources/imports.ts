/** `imports` and `data_updates`: data that is brought into the site, or changes what it has. */
import { readFile } from 'node:fs/promises'
import type { Sql } from 'postgres'
import * as z from 'zod'
import type { Reply, SentFile } from '../../../web/http/message.ts'
import { storeFile } from '../deploys/blobs.ts'
import { instanceId } from '../identity.ts'
import { json, Refusal } from '../replies.ts'
import type { InstanceParts, Resource } from '../resource.ts'
import { newKey } from '../sent-keys.ts'
import { begun, requireTransfer, transferState } from '../transfers/replies.ts'
import { addTransfer } from '../transfers/rows.ts'

/** Bytes of a body that can only name an archive; a larger one holds rows. */
const SMALL = 64 * 1024
const LONGEST = 4_000

const archive = z.object({ zip_file_url: z.string().min(1).max(LONGEST) })

export const startImport: Resource = {
  method: 'POST',
  path: 'app_builder/imports',
  scopes: ['write'],
  async answer(parts, { body: { whole } }) {
    if (whole === null || whole.size === 0)
      throw new Refusal(422, 'the body is JSON: {"import": {"data": {…}}} or {"zip_file_url": "…"}')
    const named = archive.safeParse(await smallJson(whole))
    if (named.success) return startArchive(parts, named.data)
    const asked = { kind: 'import', form: 'json', address: null } as const
    return begun(await addTransfer(parts.sql, { ...asked, key: await kept(parts.sql, whole) }))
  },
}

async function startArchive(
  { sql, addresses }: InstanceParts,
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

/** Name of the field of the form. */
const DATA = 'update[data]'

export const startUpdate: Resource = {
  method: 'POST',
  path: 'app_builder/data_updates',
  scopes: ['write'],
  async answer({ sql }, { body }) {
    const file = body.file(DATA)
    if (file === null || file.size === 0) throw new Refusal(422, `the form has no file \`${DATA}\``)
    return begun(await addTransfer(sql, { kind: 'update', key: await kept(sql, file) }))
  },
}

export const showUpdate: Resource = {
  method: 'GET',
  path: 'app_builder/data_updates/:id',
  scopes: ['write'],
  answer: async (parts, ask) => json(200, transferState(await requireTransfer(parts, ask, 'update'))),
}

/** Undefined for a body that is large, or no JSON. */
async function smallJson({ path, size }: SentFile): Promise<unknown> {
  if (size > SMALL) return undefined
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (error) {
    // What is wrong with it is found where it is read to its end.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Keeps what was sent. @returns its key */
async function kept(sql: Sql, { path }: SentFile): Promise<string> {
  const { digest, size } = await storeFile(sql, path)
  const key = newKey(await instanceId(sql), 'imports')
  await sql`insert into ingot.sent_files (key, digest, size) values (${key}, ${digest}, ${size})`
  return key
}
