/** Files in an S3-compatible store: a real server of the protocol, signed requests, and addresses that browsers follow. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerFile } from '../../../../server/web/files/endpoint.ts'
import { createS3Store } from '../../../../server/web/files/s3.ts'
import type { Reply, Request } from '../../../../server/web/http/message.ts'
import { request } from '../../../support/server/site.ts'
import { ANY, type FilesSetup, ground, picture } from './ground.ts'

/** The package has no types. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (
  options: object,
) => { run(): Promise<AddressInfo>; close(): Promise<void> }

const home = mkdtempSync(join(tmpdir(), 'ingot-s3-'))
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: home,
  configureBuckets: [{ name: 'files', configs: [] }],
})
let it: FilesSetup
let endpoint = ''

beforeAll(async () => {
  const { port } = await server.run()
  endpoint = `http://127.0.0.1:${port}`
  it = await ground({ store: storeOf(null) })
})
afterAll(async () => {
  await server.close()
  await it.close()
  rmSync(home, { recursive: true, force: true })
})

function storeOf(publicUrl: string | null, more: { key?: string; bucket?: string } = {}) {
  return createS3Store({
    endpoint,
    bucket: 'files',
    region: 'us-east-1',
    key: 'S3RVER',
    secret: 'S3RVER',
    publicUrl,
    ...more,
  })
}

const ask = async (url: string): Promise<Reply | null> => answerFile(it.desk, request(url) as Request)

describe('a file', () => {
  test('goes there with its type, and whoever asks is sent on for a few minutes', async () => {
    const bytes = await picture(300, 200)
    const thumb = { width: 10, height: 10, fit: 'cover', format: 'webp', quality: null } as const
    const file = await it.desk.keep(it.sent('żółw (1).png', bytes), { ...ANY, versions: { thumb } })
    expect(it.desk.url(file, null)).toMatch(/^\/uploads\//)
    for (const [version, type] of [
      [undefined, 'image/png'],
      ['thumb', 'image/webp'],
    ] as const) {
      const reply = await ask(it.desk.url(file, null, version))
      expect(reply).toMatchObject({ status: 302, headers: { 'cache-control': 'private, max-age=60' } })
      const location = reply?.headers['location'] ?? ''
      expect(location).toContain('X-Amz-Expires=300')
      const shown = await fetch(location)
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, type])
      expect(shown.headers.get('content-disposition')).toMatch(/^inline/)
      const body = Buffer.from(await shown.arrayBuffer())
      if (version === undefined) expect(body).toEqual(bytes)
    }
    await it.desk.drop([file])
    const gone = await ask(it.desk.url(file, null))
    expect((await fetch(gone?.headers['location'] ?? '')).status).toBe(404)
    await it.desk.drop([file])
  })

  test('that is a page is saved, never opened', async () => {
    const file = await it.desk.keep(it.sent('a.txt', '<script>alert(1)</script>'), ANY)
    const shown = await fetch((await ask(it.desk.url(file, null)))?.headers['location'] ?? '')
    expect(shown.headers.get('content-disposition')).toBe('attachment; filename="a.txt"')
    expect(shown.headers.get('content-type')).toBe('text/html')
  })

  test('that is private is sent on to only by a signed address', async () => {
    const file = await it.desk.keep(it.sent('a.txt', 'secret'), { ...ANY, acl: 'private' })
    const address = it.desk.url(file, 60)
    expect((await ask(address.replace(/\?.*/, '')))?.status).toBe(403)
    const reply = await ask(address)
    expect(await (await fetch(reply?.headers['location'] ?? '')).text()).toBe('secret')
  })

  test('of many megabytes is streamed', async () => {
    const bytes = Buffer.alloc(4_900_000, 'x')
    const file = await it.desk.keep(it.sent('big.txt', bytes), ANY)
    const shown = await fetch((await ask(it.desk.url(file, null)))?.headers['location'] ?? '')
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('that is public has the store’s own address where there is one', () => {
    const store = storeOf('https://files.example.com')
    const key = 'a'.repeat(32)
    expect(store.direct(`uploads/2026/11/${key}/ż.png`)).toBe(
      `https://files.example.com/uploads/2026/11/${key}/%C5%BC.png`,
    )
    expect(store.direct(`uploads/private/2026/11/${key}/a.png`)).toBeNull()
  })
})

describe('a store that refuses', () => {
  const path = `uploads/2026/11/${'b'.repeat(32)}/a.txt`
  const file = join(home, 'a.txt')

  test.each([
    ['an unknown key', { key: 'UNKNOWN' }, '403 InvalidAccessKeyId'],
    ['no such bucket', { bucket: 'nothing' }, '404 NoSuchBucket'],
  ])('%s', async (_what, more, said) => {
    writeFileSync(file, 'x')
    await expect(storeOf(null, more).put(path, file, 'text/plain')).rejects.toThrow(said)
  })

  test('leaves nothing noted of a file that it did not take', async () => {
    const other = await ground({ store: storeOf(null, { key: 'UNKNOWN' }) })
    await expect(other.desk.keep(other.sent('a.txt', 'x'), ANY)).rejects.toThrow('403')
    // The row that could not be removed is left for the later removal of unused files.
    expect((await other.database.sql`select 1 from ingot.files`).count).toBeLessThanOrEqual(1)
    await other.close()
  })
})
