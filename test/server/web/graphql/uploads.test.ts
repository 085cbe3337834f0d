/** Files in mutations: they are stored, and their rows refer to them. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { decrypt, generateKey, readMessage, readPrivateKey } from 'openpgp'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DataSchema } from '../../../../runtime/page/compiled.ts'
import { execute, planOperation } from '../../../../runtime/data/query/index.ts'
import { createUploadHost } from '../../../../server/web/graphql/host/uploads.ts'
import { type QueryDatabase, openQueryDatabase, property, table } from '../../../runtime/data/query/rows/run-query.ts'
import { filesIn, type FilesSetup, ground as openFiles, picture } from '../files/ground.ts'

const VERSIONS = { versions: [{ name: 'small', resize: { width: 4, height: 4 } }], content_length: { lte: 50 } }
const SIZES = { versions_configuration: { normal: { width: 40, height: 40 }, cover: { width: 20, height: 10 } } }
const DATA: DataSchema = {
  tables: [
    table('doc', { title: 'string' }),
    {
      name: 'shot',
      file: '',
      properties: [
        { ...property('image', 'upload'), options: VERSIONS },
        property('title', 'string'),
        { ...property('photo', 'photo'), options: SIZES },
      ],
    },
    { name: 'note', file: '', properties: [property('image', 'upload')] },
    { name: 'book', file: '', properties: [property('cover', 'upload')] },
  ],
  user: [],
  profiles: [],
}

let files: FilesSetup
let asker: QueryDatabase

beforeAll(async () => {
  files = await openFiles({ reachable: () => true })
  asker = await openQueryDatabase(DATA, files.database)
})
afterAll(() => files?.close())

type Row = Record<string, unknown>

async function run(document: string, variables: Row): Promise<{ data: Row | null; said: string }> {
  const host = { ...asker.host, uploads: createUploadHost(files.desk, asker.catalog) }
  const { data, errors } = await execute(planOperation(document), variables, host)
  return { data: data as Row | null, said: errors?.map(({ message }) => message).join('; ') ?? '' }
}

const CREATE = `mutation($t: String!, $p: [PropertyInputType]) { r: record_create(record: { table: $t, properties: $p }) { id
  image: property_json(name: "image") } }`

interface Stored {
  readonly path: string
  readonly file_name: string
  readonly extension: string
  readonly versions: Readonly<Record<string, string>>
}

async function stored(value_upload: Row): Promise<Stored & { readonly bytes: Buffer }> {
  const { data, said } = await run(CREATE, {
    t: 'shot',
    p: [
      { name: 'image', value_upload },
      { name: 'title', value: 'x' },
    ],
  })
  expect(said).toBe('')
  const file = (data!['r'] as { image: Stored }).image
  return { ...file, bytes: readFileSync(join(files.kept, file.path)) }
}

describe('`value_upload`', () => {
  it('makes a private file of a text, under the name that it is given', async () => {
    const file = await stored({ type: 'plain', content: 'a;b\né', file_path: 'exports/2026/../list.csv' })
    expect(file.file_name).toBe('list.csv')
    expect(file.path).toMatch(/^uploads\/private\//)
    expect(file.bytes.toString()).toBe('a;b\né')
    const named = await stored({
      type: 'plain',
      content: '{}',
      content_type: 'application/json; charset=utf-8',
      acl: 'public',
    })
    expect(named.file_name).toBe('file.json')
    expect(named.path).not.toContain('private')
  })

  it('makes an image with its versions, of base64 or from the web', async () => {
    const png = await picture(20, 20)
    const image = await stored({ type: 'image', content: png.toString('base64'), file_path: 'a.png' })
    expect(Object.keys(image.versions)).toEqual(['small'])
    const server = createServer((_request, response) => response.end(png)).listen(0, '127.0.0.1')
    await new Promise((done) => server.once('listening', done))
    const remote_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/b.png`
    expect((await stored({ type: 'image', remote_url })).file_name).toBe('b.png')
    expect((await stored({ type: 'image', remote_url, file_path: 'mine.png' })).file_name).toBe('mine.png')
    server.close()
  })

  it('encrypts for the owner of a key', async () => {
    const { privateKey, publicKey } = await generateKey({ userIDs: [{ email: 'a@b.c' }], type: 'ecc' })
    const file = await stored({
      type: 'plain',
      content: 'secret',
      file_path: 'x.txt',
      encryption: { gpg: { key: publicKey, armor: true } },
    })
    expect(file.file_name).toBe('x.txt.asc')
    const message = await readMessage({ armoredMessage: file.bytes.toString() })
    const { data } = await decrypt({ message, decryptionKeys: await readPrivateKey({ armoredKey: privateKey }) })
    expect(Buffer.from(data as string).toString()).toBe('secret')
  })

  it.each([
    [{ type: 'image', content: Buffer.from('no image').toString('base64') }, /not of a type that is allowed/],
    [{ type: 'image', content: '***' }, /is not base64/],
    [{ type: 'plain', content: 'x'.repeat(60_000) }, /too large/],
    [{ type: 'plain', content: '' }, /is empty/],
    [{ type: 'plain', content: 'x', encryption: { gpg: { key: 'none' } } }, /cannot be encrypted/],
    [{ type: 'plain', remote_url: 'file:///etc/passwd' }, /.+/],
  ])('refuses what cannot be kept: %#', async (value_upload, message) => {
    const before = filesIn(files.kept)
    const { said, data } = await run(CREATE, { t: 'shot', p: [{ name: 'image', value_upload }] })
    expect(data).toBeNull()
    expect(said).toMatch(message)
    expect(filesIn(files.kept)).toEqual(before)
  })

  it('changes a record whose table is named or plain to see', async () => {
    const { data } = await run(CREATE, { t: 'shot', p: [{ name: 'title', value: 'kept' }] })
    const { id } = data!['r'] as { id: string }
    const UPDATE = `mutation($id: ID!, $r: RecordInputType!) { r: record_update(id: $id, record: $r) { title: property(name: "title") image: property_upload(name: "image") { file_name } } }`
    const properties = [{ name: 'image', value_upload: { type: 'plain', content: 'x', file_path: 'a.txt' } }]
    expect((await run(UPDATE, { id, r: { table: 'shot', properties } })).data).toEqual({
      r: { title: 'kept', image: { file_name: 'a.txt' } },
    })
    const before = filesIn(files.kept)
    expect((await run(UPDATE, { id, r: { properties } })).said).toMatch(/requires the name of the table/)
    expect(filesIn(files.kept)).toEqual(before)
    const mixed = [...properties, { name: 'title', value: 'new' }]
    expect((await run(UPDATE, { id, r: { properties: mixed } })).data).toMatchObject({ r: { title: 'new' } })
  })

  it('keeps a file as the one table does that declares it, beside a property that none declares', async () => {
    const { data } = await run(CREATE, { t: 'book', p: [] })
    const { id } = data!['r'] as { id: string }
    const UPDATE = `mutation($id: ID!, $p: [PropertyInputType!]) { r: record_update(id: $id, record: { properties: $p }) { shelf: property(name: "shelf") cover: property_upload(name: "cover") { file_name } } }`
    const cover = { name: 'cover', value_upload: { type: 'plain', content: 'x', file_path: 'a.txt' } }
    expect((await run(UPDATE, { id, p: [cover, { name: 'shelf', value: 'b2' }] })).data).toEqual({
      r: { shelf: 'b2', cover: { file_name: 'a.txt' } },
    })
  })
})

describe('`custom_image_create`', () => {
  const CREATE_IMAGE = `mutation($i: NewCustomImageInputType!) { i: custom_image_create(custom_image: $i) { id name mini: url(version: "mini")
    normal: url(version: "normal") cover: url(version: "cover") other: url(version: "other") file_url created_at } }`
  const SHOWN = `query($id: ID) { c: customizations(id: $id) { results { photo: custom_image(name: "photo") { name cover: url(version: "cover") } } } }`

  it('fetches an image in the versions of its property, and puts it in the place of the one before', async () => {
    const png = await picture(400, 300)
    const server = createServer((_request, response) => response.end(png)).listen(0, '127.0.0.1')
    await new Promise((done) => server.once('listening', done))
    const direct_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/b.png`
    const made = await run(CREATE, { t: 'shot', p: [{ name: 'title', value: 'kept' }] })
    const { id } = made.data!['r'] as { id: string }
    const given = { custom_attribute_name: 'photo', owner_id: id, owner_type: 'Customization', direct_url }
    const { data, said } = await run(CREATE_IMAGE, { i: given })
    expect(said).toBe('')
    const image = data!['i'] as Record<'id' | 'name' | 'mini' | 'normal' | 'cover' | 'other' | 'file_url', string>
    expect(image.name).toBe('photo')
    expect(image.other).toBe(image.file_url)
    const size = async (url: string) => {
      const { width, height } = await sharp(join(files.kept, url.slice('/files/'.length))).metadata()
      return [width, height]
    }
    expect(await size(image.mini)).toEqual([56, 56])
    expect(await size(image.normal)).toEqual([40, 30])
    expect(await size(image.cover)).toEqual([20, 10])
    expect(await size(image.file_url)).toEqual([400, 300])
    const shown = await run(SHOWN, { id })
    expect(shown.data).toMatchObject({ c: { results: [{ photo: { name: 'photo', cover: image.cover } }] } })
    const again = await run(CREATE_IMAGE, { i: given })
    expect((again.data!['i'] as { id: string }).id).toBe(image.id)
    const complaint = async (more: object): Promise<string> =>
      (await run(CREATE_IMAGE, { i: { ...given, ...more } })).said
    expect(await complaint({ owner_id: 99 })).toBe("Can't find Record with id=99")
    expect(await complaint({ owner_type: 'Boat' })).toContain('There is no `owner_type` `Boat`')
    expect(await complaint({ direct_url: null })).toContain('needs `direct_url`')
    expect(await complaint({ direct_url: 'file:///etc/passwd' })).not.toBe('')
    expect(await complaint({ custom_attribute_name: ' ' })).toContain('needs the name of its property')
    server.close()
  })
})
