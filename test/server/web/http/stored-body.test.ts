/** Bodies of any type are stored as files, but only of clients with permission. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening, ListenOptions } from '../../../../server/web/http/listening.ts'
import { isSentFile, type Reply, type Request } from '../../../../server/web/http/message.ts'

let folder = ''
let open: Listening[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ingot-stored-'))
})
afterEach(async () => {
  await Promise.all(open.map((one) => one.stop(0, 0)))
  open = []
  rmSync(folder, { recursive: true, force: true })
})

/** Responds with the received parts and the bytes of files. */
async function echo({ url, parts, unreadable, dropped }: Request): Promise<Reply> {
  const told = parts?.map(({ name, value }) => [name, isSentFile(value) ? readFileSync(value.path, 'utf8') : value])
  const problem = unreadable === undefined || unreadable === null ? null : unreadable.status
  return {
    status: 200,
    headers: {},
    body: JSON.stringify({ url, parts: told ?? null, problem, dropped: dropped ?? false }),
  }
}

async function served(more: Partial<ListenOptions> = {}): Promise<{ url: string; port: number }> {
  const listening = await listen(echo, {
    ...{ host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 100 },
    log: { info: () => undefined, error: () => undefined },
    uploads: { folder, limit: 50 },
    storedBodies: { pathPrefixes: ['/api/big/'], limit: 1_000_000 },
    ...more,
  })
  open.push(listening)
  return { url: `http://127.0.0.1:${listening.port}`, port: listening.port }
}

const big = 'x'.repeat(200_000)

test('below their paths they are larger than others may be, also with a second slash in front', async () => {
  const { url } = await served()
  for (const path of ['/api/big/a', '//api/big/a/b?c=d'])
    for (const type of ['application/json', 'application/zip', 'text/plain']) {
      const sent = await fetch(url + path, { method: 'PUT', body: big, headers: { 'content-type': type } })
      expect(await sent.json()).toEqual({
        url: path.replace('//', '/'),
        parts: [['', big]],
        problem: null,
        dropped: false,
      })
    }
  const other = await fetch(`${url}/api/bigger`, { method: 'PUT', body: big })
  expect(other.status).toBe(200)
  expect(await other.json()).toMatchObject({ problem: 413 })
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]))
})

test('a form has its fields and files as everywhere', async () => {
  const { url } = await served()
  const data = new FormData()
  data.append('path', 'views/pages/a.liquid')
  data.append('file', new Blob([big]), 'a.liquid')
  const sent = await fetch(`${url}/api/big/form`, { method: 'DELETE', body: data })
  expect(await sent.json()).toMatchObject({
    parts: [
      ['path', 'views/pages/a.liquid'],
      ['file', big],
    ],
  })
})

test('over its own limit it is refused, and nothing of it stays', async () => {
  const { url } = await served({ storedBodies: { pathPrefixes: ['/api/big/'], limit: 1_000 } })
  const sent = await fetch(`${url}/api/big/a`, { method: 'POST', body: big })
  expect(await sent.json()).toMatchObject({ problem: 413, parts: null })
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]))
})

test('the body of a stranger is not stored, though it takes a while to know', async () => {
  const begun: string[] = []
  const takesBody = async (request: Request): Promise<boolean> => {
    begun.push(request.url)
    await Promise.resolve()
    return request.headers['authorization'] === 'Token right'
  }
  const { url } = await served({ takesBody })
  const wrong = await fetch(`${url}/api/big/a`, { method: 'POST', body: big })
  expect(await wrong.json()).toMatchObject({ dropped: true, parts: null })
  const headers = { authorization: 'Token right' }
  const right = await fetch(`${url}/api/big/a`, { method: 'POST', body: big, headers })
  expect(await right.json()).toMatchObject({ dropped: false, parts: [['', big]] })
  expect(begun).toEqual(['/api/big/a', '/api/big/a'])
})

test('one that is broken off leaves nothing', async () => {
  const { port } = await served()
  const socket = connect(port, '127.0.0.1')
  socket.write('POST /api/big/a HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\nhalf')
  await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1))
  socket.destroy()
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]))
})
