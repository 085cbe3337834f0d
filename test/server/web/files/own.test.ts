/**
 * New files are created from stored files, which are identified by their addresses. A private file can be used only if the address gives
 * access to it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  FileRefused,
  type FileStore,
  type ImageVersion,
  type StorageOptions,
} from '../../../../server/web/files/model.ts'
import { ANY, filesIn, type FilesSetup, ground, picture } from './ground.ts'

const PRIVATE: StorageOptions = { ...ANY, acl: 'private' }
const CARD: ImageVersion = { width: 10, height: 10, fit: 'cover', format: 'webp', quality: 50 }

let it: FilesSetup
beforeAll(async () => {
  it = await ground()
})
afterAll(() => it.close())

function refusal(url: string, options: StorageOptions = ANY): Promise<string> {
  return it.desk.keep({ kind: 'url', url }, options).then(
    () => 'kept',
    (error: unknown) => {
      if (!(error instanceof FileRefused)) throw error
      return error.message
    },
  )
}

test('a private photo becomes a public one with its versions, and stays what it was', async () => {
  const sent = await it.desk.keep(it.sent('my photo.png', await picture(40, 30)), PRIVATE)
  const before = filesIn(it.incoming)
  const made = await it.desk.keep(
    { kind: 'url', url: it.desk.url(sent, 60) },
    { ...ANY, types: ['image/*'], versions: { card: CARD } },
  )
  expect(made).toMatchObject({ acl: 'public', file_name: 'my-photo.png', content_type: 'image/png' })
  expect(made.path).not.toBe(sent.path)
  expect(await sharp(join(it.kept, made.versions['card'] ?? '')).metadata()).toMatchObject({
    format: 'webp',
    width: 10,
  })
  expect(readFileSync(join(it.kept, sent.path))).toEqual(await picture(40, 30))
  await it.desk.drop([made])
  expect(existsSync(join(it.kept, sent.path))).toBe(true)
  expect(filesIn(it.incoming)).toEqual(before)
})

test('a public file, and a version of one', async () => {
  const file = await it.desk.keep(it.sent('a.png', await picture(20, 20)), { ...ANY, versions: { card: CARD } })
  expect(await refusal(it.desk.url(file, null))).toBe('kept')
  expect(await refusal(it.desk.url(file, null, 'card'))).toBe('kept')
})

test('what an address does not open is not read', async () => {
  const sent = await it.desk.keep(it.sent('secret.txt', 'a secret'), PRIVATE)
  const open = it.desk.url(sent, 60)
  const other = await it.desk.keep(it.sent('other.txt', 'another'), PRIVATE)
  const [path = '', query = ''] = open.split('?')
  const closed = 'is not a file of this site'
  for (const url of [
    path,
    `${path}?`,
    `${path}?${query.replace(/expires=\d+/, 'expires=9999999999')}`,
    `${path}?${query}0`,
    `/${encodeURI(other.path)}?${query}`,
    it.desk.url(sent, -1),
    `${path.replace(/secret\.txt$/, '../../../../../etc/passwd')}?${query}`,
    '/uploads/',
    '/uploads/2026/11/00000000000000000000000000000000/x.txt',
    '/uploads/..%2f..%2fetc/passwd',
    '/uploads/%00',
  ])
    expect(await refusal(url), url).toBe(closed)
  expect(await refusal(open)).toBe('kept')
  // With a host, it is treated like any other URL, and the server's own network is not accessible.
  expect(await refusal(`http://127.0.0.1${open}`)).toBe('is not a URL that can be fetched')
  expect(await refusal(`//127.0.0.1${open}`)).toBe('is not a URL that can be fetched')
})

test('types and limits hold for it as for any other file', async () => {
  const file = await it.desk.keep(it.sent('a.txt', 'x'.repeat(2000)), ANY)
  expect(await refusal(it.desk.url(file, null), { ...ANY, limit: 1000 })).toBe('is too large (maximum is 1 KB)')
  expect(await refusal(it.desk.url(file, null), { ...ANY, types: ['image/*'] })).toMatch(/^is not of a type/)
})

test('a store elsewhere is asked by the address that it gives, also in our own network', async () => {
  const bytes = await picture(6, 6)
  const server: Server = createServer((_, response) => void response.end(bytes))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/a.png?signed`
  const store: FileStore = {
    put: async () => undefined,
    remove: async () => undefined,
    find: async () => ({ kind: 'elsewhere', url }),
    direct: () => null,
  }
  const away = await ground({ store })
  try {
    const path = '/uploads/2026/11/0123456789abcdef0123456789abcdef/a.png'
    expect(await away.desk.keep({ kind: 'url', url: path }, ANY)).toMatchObject({
      file_name: 'a.png',
      size: bytes.length,
    })
  } finally {
    await away.close()
    server.close()
  }
})
