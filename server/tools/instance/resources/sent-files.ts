/**
 * Uploads to signed URLs. An archive of assets is unpacked and removed. A single asset is stored until a manifest lists it. Any other file
 * stays for the request that refers to it.
 */
import type { ISql } from 'postgres'
import type { TreeFile } from '../deploys/archive.ts'
import { storeFile } from '../deploys/blobs.ts'
import { pathProblem } from '../deploys/paths.ts'
import { addDeploy } from '../deploys/rows.ts'
import { json, Refusal } from '../replies.ts'
import { wakeTransfer } from '../transfers/rows.ts'
import { awaitUploads } from '../wait.ts'
import type { Ask, Resource } from '../resource.ts'
import { sentDigest, uploadedAsset } from '../sent-keys.ts'

const path = 'private/urls/files/:key'
/** Prefix of keys of assets; the rest is the asset's name. */
const ASSET_KEY = /^instances\/\d+\/assets\//
/** Prefix of keys of archives with files that rows refer to by path. */
const UPLOAD_KEY = /^instances\/\d+\/property_uploads\//
/** Placeholder in keys, which the server replaces by the file's name. */
const FILE_NAME_PLACEHOLDER = '$' + '{filename}'

const keyOf = ({ path: { key = '' } }: Pick<Ask, 'path'>): string => key

export const sendFile: Resource = {
  method: 'PUT',
  path,
  scopes: ['deploy'],
  isGranted: ({ addresses }, request, values) => addresses.isGranted('send', request, keyOf({ path: values })),
  async answer(parts, ask) {
    const { sql } = parts
    const key = keyOf(ask)
    const { wholeFile } = ask.body
    if (wholeFile === null) throw new Refusal(422, 'the request has no body')
    const { digest, size } = await storeFile(sql, wholeFile.path)
    const asset = uploadedAsset(key)
    if (asset !== null) {
      await keepAsset(sql, asset, { digest, size })
      return json(200, {})
    }
    await sql`
      insert into ingot.sent_files (key, digest, size) values (${key}, ${digest}, ${size})
      on conflict (key) do update set digest = excluded.digest, size = excluded.size, sent_at = now()`
    await wakeTransfer(sql, key)
    if (ASSET_KEY.test(key) && key.endsWith('.zip')) await addDeploy(sql, { kind: 'unpack', key, archive: digest })
    // Awaited, because clients do not check the state of such an archive later.
    if (UPLOAD_KEY.test(key)) return json(200, await awaitUploads(parts, key))
    return json(200, {})
  },
}

export const findFile: Resource = {
  method: 'HEAD',
  path,
  scopes: ['deploy'],
  isGranted: ({ addresses }, request, values) => addresses.isGranted('see', request, keyOf({ path: values })),
  async answer({ sql }, ask) {
    const [row] = await sql`select from ingot.sent_files where key = ${keyOf(ask)}`
    return json(row === undefined ? 404 : 200, {})
  },
}

export const fetchFile: Resource = {
  method: 'GET',
  path,
  scopes: ['deploy'],
  isGranted: ({ addresses }, request, values) => addresses.isGranted('see', request, keyOf({ path: values })),
  async answer({ sql, blobs }, ask) {
    const digest = await sentDigest(sql, keyOf(ask))
    if (digest === null) throw new Refusal(404, 'there is no such file, or it has expired')
    const headers = {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'cache-control': 'no-store',
    }
    return { status: 200, headers, body: await blobs.body(sql, digest) }
  },
}

export const sendAsset: Resource = {
  method: 'POST',
  path,
  scopes: ['deploy'],
  isGranted: ({ addresses }, request, values) => addresses.isGranted('send', request, keyOf({ path: values })),
  async answer({ sql }, ask) {
    const folder = keyOf(ask)
    const file = ask.body.file('file')
    if (file === null) throw new Refusal(422, 'the form has no `file`')
    const key = (ask.body.field('key') ?? '').replaceAll(FILE_NAME_PLACEHOLDER, file.fileName)
    const name = key.replace(ASSET_KEY, '')
    if (!key.startsWith(`${folder}/`) || name === key || pathProblem(name) !== null)
      throw new Refusal(403, `'${key}' is not a valid key of an asset in '${folder}'`)
    await keepAsset(sql, name, await storeFile(sql, file.path))
    return json(201, {})
  },
}

/** Stores an asset until a manifest or a mutation makes it part of the site. */
async function keepAsset(sql: ISql, name: string, { digest, size }: TreeFile): Promise<void> {
  await sql`
    insert into ingot.sent_assets (name, digest, size) values (${name}, ${digest}, ${size})
    on conflict (name) do update set digest = excluded.digest, size = excluded.size, sent_at = now()`
}
