/** Assets of a built site over a socket: the sent bytes are the built ones. */
import { mkdtempSync, rmSync } from 'node:fs'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main as compiler } from '../../../../compiler/cli.ts'
import * as runtime from '../../../../runtime/index.ts'
import { createApp } from '../../../../server/web/app.ts'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening } from '../../../../server/web/http/listening.ts'
import { findBuilt, type LoadedSite, loadSite } from '../../../../server/web/site/load.ts'
import { write } from '../../../support/product.ts'

const LONG = 'h1 { color: red; }\n'.repeat(60)
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 4, 5])

let root: string
let loaded: LoadedSite
let listening: Listening

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** Sends a request without `fetch`, because `fetch` decodes responses and sends its own `Accept-Encoding`. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((done, failed) => {
    const call = send({ port: listening.port, host: 'localhost', path, headers, method }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('error', failed)
      reply.on('end', () => {
        const read = reply.headers as Record<string, string | undefined>
        done({ status: reply.statusCode ?? 0, headers: read, body: Buffer.concat(chunks) })
      })
    })
    call.on('error', failed)
    call.end()
  })
}

const urlOf = (name: string): string => `/assets/${name}?updated=${loaded.site.assets[name]?.stamp}`

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'ingot-assets-'))
  write(root, {
    'app/views/pages/index.liquid': "{{ 'css/app.css' | asset_url }} {{ 'css/app.css' | asset_path }}",
    'app/assets/css/app.css': `${LONG}.a { background: url(../img/a.png) }`,
    'app/assets/long.css': LONG,
    'app/assets/short.txt': 'short',
    'app/assets/empty.txt': '',
    'app/assets/sw.js': '// worker',
    'modules/m/public/assets/js/m.js': 'export const m = 1',
    'app/modules/m/public/assets/js/m.js': 'export const m = 2',
  })
  write(root, { 'app/assets/img/a.png': PICTURE })
  expect(await compiler(['build', root])).toBe(0)
  loaded = await loadSite(findBuilt(root), runtime)
  // Later changes in the folder of the site are not served.
  write(root, { 'app/assets/long.css': 'b {}', 'app/assets/new.css': 'c {}', 'app/views/pages/index.liquid': 'new' })
  rmSync(join(root, 'app/assets/short.txt'))
  const logger = pino({ level: 'silent' })
  const app = createApp(loaded, { environment: 'production', version: '0.1.0', constants: () => ({}), logger })
  listening = await listen(app.handler, { host: 'localhost', port: 0, proxies: 0, bodyLimit: 1_000_000, log: logger })
})

afterAll(async () => {
  await listening.stop(1000, 0)
  rmSync(root, { recursive: true, force: true })
})

describe('what is served', () => {
  test('is the build: edits, new files and removed ones below the source change nothing', async () => {
    expect((await ask('/assets/long.css')).body.toString()).toBe(LONG)
    expect((await ask('/assets/short.txt')).body.toString()).toBe('short')
    expect((await ask('/assets/new.css')).status).toBe(404)
    expect((await ask('/')).body.toString()).toBe(`${urlOf('css/app.css')} ${urlOf('css/app.css')}`)
    rmSync(join(root, 'app'), { recursive: true })
    expect((await ask('/assets/long.css')).body.toString()).toBe(LONG)
    expect((await ask(urlOf('img/a.png'))).status).toBe(200)
  })

  test('the application’s file takes the place of the module’s', async () => {
    expect((await ask('/assets/modules/m/js/m.js')).body.toString()).toBe('export const m = 2')
  })

  test.each(['/assets/../manifest.json', '/assets/%2e%2e/site.mjs', '/assets/', '/assets/__proto__', '/assets/%00'])(
    '%s is no asset',
    async (path) => expect((await ask(path)).status).toBe(404),
  )
})

describe('a URL', () => {
  test('with the stamp of the bytes is kept for a year, any other for a minute, a service worker not at all', async () => {
    const kept = async (path: string): Promise<string | undefined> => (await ask(path)).headers['cache-control']
    expect(urlOf('img/a.png')).toMatch(/\?updated=[\da-f]{16}$/)
    expect(await kept(urlOf('img/a.png'))).toBe('public, max-age=31536000, immutable')
    expect(await kept(`/assets/img/a.png?v=2&updated=${loaded.site.assets['img/a.png']?.stamp}`)).toContain('immutable')
    expect(await kept('/assets/img/a.png')).toBe('public, max-age=60')
    expect(await kept('/assets/img/a.png?updated=0123456789abcdef')).toBe('public, max-age=60')
    expect(await kept('/sw.js')).toBe('public, max-age=0, must-revalidate')
  })

  test('gives the type by the name of the file', async () => {
    const typeOf = async (path: string): Promise<string | undefined> => (await ask(path)).headers['content-type']
    expect(await typeOf('/assets/long.css')).toBe('text/css; charset=utf-8')
    expect(await typeOf('/assets/img/a.png')).toBe('image/png')
    expect(await typeOf('/assets/modules/m/js/m.js')).toBe('text/javascript; charset=utf-8')
  })
})

describe('texts are compressed once', () => {
  test('and sent in the coding that the client likes best', async () => {
    const br = await ask('/assets/long.css', { 'accept-encoding': 'gzip, deflate, br' })
    expect([br.headers['content-encoding'], br.headers['vary']]).toEqual(['br', 'accept-encoding'])
    expect(br.headers['content-length']).toBe(String(br.body.length))
    expect(brotliDecompressSync(br.body).toString()).toBe(LONG)
    const gzip = await ask('/assets/long.css', { 'accept-encoding': 'br;q=0.5, gzip;q=0.8' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.body).toString()).toBe(LONG)
    const plain = await ask('/assets/long.css', { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'accept-encoding'])
    expect(plain.body.toString()).toBe(LONG)
  })

  test('with a mark of their own each', async () => {
    const marks = await Promise.all(
      ['identity', 'br', 'gzip'].map(async (coding) => {
        return (await ask('/assets/long.css', { 'accept-encoding': coding })).headers['etag'] ?? ''
      }),
    )
    expect(new Set(marks).size).toBe(3)
    for (const [at, coding] of ['identity', 'br', 'gzip'].entries()) {
      const again = await ask('/assets/long.css', { 'accept-encoding': coding, 'if-none-match': `"x", W/${marks[at]}` })
      expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, marks[at]])
      expect(again.headers['vary']).toBe('accept-encoding')
    }
    expect((await ask('/assets/long.css', { 'if-none-match': marks[1]! })).status).toBe(200)
  })

  test('pictures and short texts are not', async () => {
    for (const path of ['/assets/img/a.png', '/assets/short.txt'])
      expect((await ask(path, { 'accept-encoding': 'br, gzip' })).headers['content-encoding']).toBeUndefined()
  })
})

describe('parts', () => {
  test('are parts of the plain bytes, also of a text that is there compressed', async () => {
    const part = await ask('/assets/long.css', { range: 'bytes=5-9', 'accept-encoding': 'br' })
    expect([part.status, part.body.toString()]).toEqual([206, LONG.slice(5, 10)])
    expect(part.headers).toMatchObject({ 'content-range': `bytes 5-9/${LONG.length}`, 'content-length': '5' })
    expect(part.headers['content-encoding']).toBeUndefined()
  })

  test.each([
    ['bytes=-3', 206, LONG.slice(-3)],
    [`bytes=${LONG.length - 2}-`, 206, LONG.slice(-2)],
    ['bytes=0-99999', 206, LONG],
    ['bytes=99999-', 416, ''],
    ['bytes=-0', 416, ''],
    ['bytes=0-1,4-5', 200, LONG],
    ['bytes=9-2', 200, LONG],
    ['lines=1-2', 200, LONG],
  ])('%s is %i', async (range, status, text) => {
    const answer = await ask('/assets/long.css', { range })
    expect([answer.status, answer.body.toString()]).toEqual([status, text])
    if (status === 416) expect(answer.headers['content-range']).toBe(`bytes */${LONG.length}`)
  })

  test('only of the bytes that the client has seen', async () => {
    const { etag = '' } = (await ask('/assets/long.css')).headers
    expect((await ask('/assets/long.css', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    expect((await ask('/assets/long.css', { range: 'bytes=0-1', 'if-range': `W/${etag}` })).status).toBe(200)
    expect((await ask('/assets/long.css', { 'if-match': '"other"' })).status).toBe(412)
    expect((await ask('/assets/long.css', { 'if-match': etag })).status).toBe(200)
  })
})

test('HEAD tells what GET would send; an empty file is no error', async () => {
  const head = await ask('/assets/long.css', { 'accept-encoding': 'br' }, 'HEAD')
  const get = await ask('/assets/long.css', { 'accept-encoding': 'br' })
  expect([head.status, head.body.length]).toEqual([200, 0])
  for (const name of ['content-length', 'content-encoding', 'etag', 'content-type', 'vary'])
    expect(head.headers[name]).toBe(get.headers[name])
  expect((await ask('/assets/empty.txt')).headers['content-length']).toBe('0')
  expect((await ask('/assets/long.css', {}, 'POST')).status).toBe(404)
})
