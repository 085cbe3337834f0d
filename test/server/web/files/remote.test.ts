/** Files at URLs: which addresses are requested, and how many bytes are accepted. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { downloadFile } from '../../../../server/web/files/download.ts'

const home = mkdtempSync(join(tmpdir(), 'ingot-remote-'))
const servers: Server[] = []
const asked: string[] = []
let port = 0
let count = 0

async function serve(address: string, at: number, listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((done) => server.listen(at, address, done))
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  port = await serve('127.0.0.1', 0, (request, response) => {
    asked.push(`${request.headers.host} ${request.url}`)
    const url = request.url ?? ''
    if (url.startsWith('/to?'))
      return void response.writeHead(302, { location: decodeURIComponent(url.slice(4)) }).end()
    if (url === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    if (url === '/announced') return void response.writeHead(200, { 'content-length': '99999999' }).end()
    if (url === '/endless') {
      const drip = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.once('close', () => clearInterval(drip))
      return
    }
    if (url === '/silent') return
    if (url === '/broken') {
      response.writeHead(200, { 'content-length': '100' }).write('x')
      return void setTimeout(() => response.destroy(), 10)
    }
    if (url === '/missing') return void response.writeHead(404).end()
    response.end('the file')
  })
})
afterAll(() => {
  for (const server of servers) server.closeAllConnections()
  rmSync(home, { recursive: true, force: true })
})

/** This machine represents the Internet here. */
const loopback = (address: string): boolean => address === '127.0.0.1'

async function get(url: string, reachable?: (address: string) => boolean, timeout = 2_000): Promise<string> {
  const to = join(home, String(count++))
  try {
    const name = await downloadFile(url, {
      to,
      limit: 100_000,
      timeout,
      ...(reachable === undefined ? {} : { reachable }),
    })
    return `${name}: ${readFileSync(to, 'utf8')}`
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'no error'
  }
}

const NO = 'FileRefused: is not a URL that can be fetched'

describe('our own network', () => {
  test('is never asked, however it is spelled', async () => {
    asked.length = 0
    const hosts = [
      '127.0.0.1',
      'localhost',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0',
      '0.0.0.0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[0:0:0:0:0:ffff:7f00:1]',
      '127.0.0.1.',
      'LOCALHOST',
      '１２７.0.0.1',
    ]
    for (const host of hosts) expect([host, await get(`http://${host}:${port}/`)]).toEqual([host, NO])
    expect(asked).toEqual([])
  })

  test('is not reached by a redirect either', async () => {
    asked.length = 0
    // A second server, at an address that counts as our own network.
    const secret = await serve('127.0.0.2', 0, (request, response) => {
      asked.push(`secret ${request.url}`)
      response.end('secret')
    })
    for (const target of [
      `http://127.0.0.2:${secret}/`,
      `//127.0.0.2:${secret}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      'http://169.254.169.254/latest/',
    ])
      expect(await get(`http://127.0.0.1:${port}/to?${encodeURIComponent(target)}`, loopback)).toBe(NO)
    expect(asked.filter((each) => each.startsWith('secret'))).toEqual([])
    expect(asked).toHaveLength(5)
  })

  test('a name is looked up once, and what was looked at is connected to', async () => {
    const looked: string[] = []
    const once = (address: string): boolean => {
      looked.push(address)
      return address === '127.0.0.1' || address === '::1'
    }
    expect(await get(`http://localhost:${port}/a.txt`, once)).toBe('a.txt: the file')
    expect(looked.length).toBe(new Set(looked).size)
    // A name counts as our own network if one of its addresses does.
    expect(await get(`http://localhost:${port}/`, () => false)).toBe(NO)
  })
})

describe('what is taken', () => {
  test('the file, with the name that the URL gives it', async () => {
    expect(await get(`http://127.0.0.1:${port}/a/%C5%BC%C3%B3%C5%82w.png?x=1`, loopback)).toBe('żółw.png: the file')
    expect(await get(`http://127.0.0.1:${port}/to?${encodeURIComponent('/b.txt')}`, loopback)).toBe('b.txt: the file')
  })

  test.each([
    ['/announced', 'is too large (maximum is 100 KB)'],
    ['/endless', 'is too large (maximum is 100 KB)'],
    ['/missing', 'cannot be fetched: the server responded with status 404'],
    ['/broken', 'cannot be fetched'],
    ['/loop', 'cannot be fetched: there are too many redirects'],
  ])('%s', async (path, message) => {
    expect(await get(`http://127.0.0.1:${port}${path}`, loopback)).toBe(`FileRefused: ${message}`)
  })

  test('a server that says nothing costs so many seconds and no more', async () => {
    expect(await get(`http://127.0.0.1:${port}/silent`, loopback, 200)).toBe(
      'FileRefused: cannot be fetched: it takes too long',
    )
  })

  test.each([
    '',
    'x',
    'file:///etc/passwd',
    'ftp://a/b',
    'javascript:alert(1)',
    'http://',
    'http://user:pass@example.com/',
    'data:text/plain,x',
    'http://a b/',
  ])('%j is no such URL', async (url) => {
    expect(await get(url)).toBe(NO)
    expect(existsSync(join(home, String(count - 1)))).toBe(false)
  })
})
