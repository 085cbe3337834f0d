/** Files attached to notifications: uploads of the site in a folder and in an object store, and access by signature. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createS3Store } from '../../../../server/web/files/s3.ts'
import { createOutgoing } from '../../../../server/core/net/outgoing.ts'
import { DeliveryFault } from '../../../../server/web/notifications/model.ts'
import { readSource, type SourceReader } from '../../../../server/web/notifications/read-attachment.ts'
import { ANY, type FilesSetup, ground } from '../files/ground.ts'
import { site } from '../../../support/server/site.ts'

/** The package has no types. */
const S3rver = createRequire(import.meta.url)('s3rver') as new (
  options: object,
) => { run(): Promise<AddressInfo>; close(): Promise<void> }

const home = mkdtempSync(join(tmpdir(), 'ingot-sources-'))
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: home,
  configureBuckets: [{ name: 'files', configs: [] }],
})
const outgoing = createOutgoing()
const trusted = createOutgoing({ guard: () => true })
let folder: FilesSetup
let store: FilesSetup

beforeAll(async () => {
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  folder = await ground()
  store = await ground({
    store: createS3Store({
      endpoint,
      bucket: 'files',
      region: 'us-east-1',
      key: 'S3RVER',
      secret: 'S3RVER',
      publicUrl: null,
    }),
  })
})
afterAll(async () => {
  outgoing.close()
  trusted.close()
  await folder.close()
  await store.close()
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

function reader(ground: FilesSetup): SourceReader {
  return {
    parts: { outgoing, trusted, files: ground.desk },
    assetSite: { site: site([]), root: '/nowhere', folder: '/nowhere' },
    host: 'shop.test:3000',
    timeout: 3_000,
  }
}

async function read(ground: FilesSetup, url: string, limit = 1_000): Promise<string> {
  try {
    const { type, bytes } = await readSource(reader(ground), url, limit)
    return `${type}: ${bytes.toString()}`
  } catch (error) {
    return error instanceof DeliveryFault
      ? `${error.kind}: ${error.message.replace(/uploads\/[^']*/, '…')}`
      : String(error)
  }
}

test.each(['folder', 'store'])('files of the site are read where they lie: %s', async (where) => {
  const place = where === 'folder' ? folder : store
  const shown = await place.desk.keep(
    { kind: 'base64', text: Buffer.from('seen').toString('base64'), fileName: 'a b.txt' },
    ANY,
  )
  const hidden = await place.desk.keep(
    { kind: 'base64', text: Buffer.from('hidden').toString('base64'), fileName: 'b.txt' },
    { ...ANY, acl: 'private' },
  )
  const url = place.desk.url(shown, null)
  expect(await read(place, url)).toMatch(/^text\/plain(?:; charset=utf-8)?: seen$/)
  // Absolute URLs of the site itself are accepted too; URLs of other sites are not.
  expect(await read(place, `http://shop.test:3000${url}`)).toMatch(/: seen$/)
  expect(await read(place, `https://SHOP.test:3000${url}`)).toMatch(/: seen$/)
  expect(await read(place, `http://shop.test:3001${url}`)).toMatch(/^temporary: .* cannot be fetched: /)
  expect(await read(place, place.desk.url(hidden, 60))).toMatch(/: hidden$/)
  expect(await read(place, place.desk.url(hidden, -1))).toMatch(
    /^permanent: the file .* its signature is invalid or has expired$/,
  )
  expect(await read(place, `/${hidden.path}`)).toMatch(
    /^permanent: the file .* its signature is invalid or has expired$/,
  )
  expect(await read(place, url, 3)).toMatch(/^permanent: the file .* is too large/)
})

test('nothing else of this machine is', async () => {
  for (const url of [
    '/uploads/../../../etc/passwd',
    '/etc/passwd',
    '/uploads/',
    '/api/uploads',
    '//127.0.0.1/x',
    '/\\127.0.0.1/x',
    '',
  ]) {
    expect([url, await read(folder, url)]).toEqual([url, expect.stringMatching(/^permanent: the file '/)])
  }
})
