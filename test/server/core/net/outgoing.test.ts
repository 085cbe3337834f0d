/** Requests to other servers: sent requests, responses and failures. */
import { setTimeout as sleep } from 'node:timers/promises'
import { deflateSync, gzipSync, brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArgumentFault } from '../../../../runtime/page/fault.ts'
import { createAddressFilter } from '../../../../server/core/net/addresses.ts'
import { createFetchPort } from '../../../../server/core/net/download.ts'
import { createOutgoing, OutgoingFailure, type OutgoingRequest } from '../../../../server/core/net/outgoing.ts'
import { bodyOf, createTestServers } from './test-servers.ts'

const place = createTestServers()
/** 127.0.0.1 represents the Internet in these tests. All other loopback addresses represent the private network. */
const outgoing = createOutgoing({ guard: createAddressFilter(['127.0.0.1']) })
const seen: { method: string; url: string; headers: Record<string, unknown>; body: string; port: number }[] = []
let origin = ''
let elsewhere = ''

beforeAll(async () => {
  elsewhere = await place.http(async (request, response) => {
    response.end(
      JSON.stringify({ method: request.method, headers: request.headers, body: (await bodyOf(request)).toString() }),
    )
  })
  origin = await place.http(async (request, response) => {
    const url = request.url ?? ''
    if (url === '/silent') return
    const body = (await bodyOf(request)).toString()
    seen.push({
      method: request.method ?? '',
      url,
      headers: request.headers,
      body,
      port: request.socket.remotePort ?? 0,
    })
    if (url.startsWith('/to/')) {
      const [, , status = '302', target = ''] = url.split('/')
      return void response.writeHead(Number(status), { location: decodeURIComponent(target) }).end('moved')
    }
    switch (url) {
      case '/loop':
        return void response.writeHead(302, { location: '/loop' }).end()
      case '/drip': {
        const drip = setInterval(() => response.write('x'), 20)
        return void response.once('close', () => clearInterval(drip))
      }
      case '/endless': {
        const pour = setInterval(() => response.write('x'.repeat(10_000)), 1)
        return void response.once('close', () => clearInterval(pour))
      }
      case '/announced':
        return void response.writeHead(200, { 'content-length': '99999999' }).end()
      case '/broken':
        response.writeHead(200, { 'content-length': '100' }).write('x')
        return void setTimeout(() => response.destroy(), 10)
      case '/reset':
        return void request.socket.resetAndDestroy()
      case '/headers':
        return void response.writeHead(200, { 'x-much': 'x'.repeat(100_000) }).end()
      case '/500':
        return void response.writeHead(500, { 'x-a': ['1', '2'] }).end('no')
      case '/gzip':
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'))
      case '/deflate':
        return void response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed'))
      case '/br':
        return void response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed'))
      case '/bomb':
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)))
      case '/no-gzip':
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is no gzip')
      default:
        response.end('hello')
    }
  })
})
afterAll(async () => {
  outgoing.close()
  await place.close()
})

async function failure(more: Partial<OutgoingRequest> & { readonly url: string }): Promise<string> {
  const error: unknown = await outgoing
    .send({ timeout: 3_000, limit: 100_000, ...more })
    .catch((thrown: unknown) => thrown)
  return error instanceof OutgoingFailure ? `${error.reason}: ${error.message}` : JSON.stringify(error)
}

function send(path: string, more: Partial<OutgoingRequest> = {}): ReturnType<typeof outgoing.send> {
  return outgoing.send({ url: `${origin}${path}`, timeout: 3_000, limit: 100_000, ...more })
}

describe('a request', () => {
  test('is sent as it is given', async () => {
    seen.length = 0
    const answer = await send('/a?b=1', {
      method: 'PATCH',
      headers: {
        'X-Own': 'ö'.normalize(),
        Accept: 'text/plain',
        'Content-Length': '1',
        'Transfer-Encoding': 'chunked',
        connection: 'upgrade',
      },
      body: 'żółw',
    })
    expect([answer.status, answer.body.toString(), answer.url.href]).toEqual([200, 'hello', `${origin}/a?b=1`])
    expect(seen[0]).toMatchObject({ method: 'PATCH', url: '/a?b=1', body: 'żółw' })
    expect(seen[0]?.headers).toMatchObject({ accept: 'text/plain', 'content-length': '7', 'user-agent': 'Ingot' })
    expect(seen[0]?.headers).not.toHaveProperty('transfer-encoding')
  })

  test('is answered by the server that stands in for the one that was meant', async () => {
    const at = 'https://api.example'
    // Of the servers on this machine, only the substitute server is reachable.
    const tried = createOutgoing({ originOverrides: { [at]: origin, 'http://plain.example:8080': elsewhere } })
    const ask = (url: string, more: Partial<OutgoingRequest> = {}) =>
      tried.send({ url, timeout: 3_000, limit: 100_000, ...more })
    seen.length = 0
    const sent = { method: 'POST', headers: { 'X-Own': '1' }, body: 'a=1' }
    const answer = await ask(`${at}//v1/charges%20x?b=1&c=%26`, sent)
    expect([answer.status, answer.url.href]).toEqual([200, `${at}//v1/charges%20x?b=1&c=%26`])
    expect(seen[0]).toMatchObject({ method: 'POST', url: '//v1/charges%20x?b=1&c=%26', body: 'a=1' })
    expect(seen[0]?.headers).toMatchObject({ host: 'api.example', 'x-own': '1' })
    const told = (text: string): unknown => (JSON.parse(text) as { headers: { host: string } }).headers.host
    expect(told((await ask('http://plain.example:8080/x')).body.toString())).toBe('plain.example:8080')
    expect(told((await ask('http://plain.example:8080/x', { headers: { Host: 'own.example' } })).body.toString())).toBe(
      'own.example',
    )
    // Redirects are followed as on the original server, but not to other addresses of this machine.
    const on = `/to/302/${encodeURIComponent(`${at}/500`)}`
    expect((await ask(`${at}${on}`, { redirects: 1 })).status).toBe(500)
    const off = `/to/302/${encodeURIComponent(`${elsewhere}/x`)}`
    await expect(ask(`${at}${off}`, { redirects: 1 })).rejects.toMatchObject({ reason: 'closed' })
    // Another port or protocol means another server.
    await expect(ask(`${origin}/a`)).rejects.toMatchObject({ reason: 'closed' })
    await expect(ask('http://plain.example/x')).rejects.toThrow(OutgoingFailure)
    tried.close()
  })

  test('cannot smuggle another in its headers', async () => {
    seen.length = 0
    expect(await failure({ url: origin, headers: { a: 'b\r\nx-evil: 1' } })).toBe(
      'network: a header contains characters that cannot be sent',
    )
    expect(await failure({ url: origin, headers: { 'a: b\r\nc': 'd' } })).toBe(
      'network: a header has a name that cannot be sent',
    )
    expect(seen).toEqual([])
  })

  test('uses a connection again, and finds a new one where the old was closed', async () => {
    seen.length = 0
    await send('/1')
    await send('/2')
    expect(seen[0]?.port).toBe(seen[1]?.port)
    let count = 0
    const hasty = await place.http((request, response) => {
      count++
      response.end('ok')
      // The server closes the connection, which the client keeps for its next request.
      setTimeout(() => request.socket.resetAndDestroy(), 5)
    })
    for (let i = 0; i < 5; i++) {
      const { body } = await outgoing.send({ url: hasty, timeout: 3_000, limit: 100 })
      expect(body.toString()).toBe('ok')
      if (i % 2 === 0) await sleep(10)
    }
    expect(count).toBe(5)
  })

  test('that changes things is never sent twice', async () => {
    let count = 0
    const dropping = await place.http((request) => {
      count++
      request.socket.resetAndDestroy()
    })
    for (const method of ['POST', 'PATCH']) {
      expect(await failure({ url: dropping, method, body: 'x' })).toBe('network: the connection was reset')
    }
    expect(count).toBe(2)
  })
})

describe('an answer', () => {
  test('of any status is one, with its headers joined', async () => {
    const { status, headers, body } = await send('/500')
    expect([status, headers['x-a'], body.toString()]).toEqual([500, '1, 2', 'no'])
  })

  test.each(['/gzip', '/deflate', '/br'])('%s is unpacked', async (path) => {
    expect((await send(path)).body.toString()).toBe('packed')
  })

  test('that redirects is an answer, where nobody follows it', async () => {
    const { status, headers } = await send(`/to/302/${encodeURIComponent('http://169.254.169.254/')}`)
    expect([status, headers['location']]).toEqual([302, 'http://169.254.169.254/'])
  })

  test('is followed without what was meant for the first server only', async () => {
    const headers = { authorization: 'Bearer x', cookie: 'a=b', 'content-type': 'text/x', 'x-plain': 'y' }
    const one = await send(`/to/307/${encodeURIComponent(elsewhere)}`, {
      method: 'POST',
      headers,
      body: 'b',
      redirects: 1,
    })
    const kept = JSON.parse(one.body.toString())
    expect(kept).toMatchObject({ method: 'POST', body: 'b', headers: { 'x-plain': 'y', 'content-type': 'text/x' } })
    expect(Object.keys(kept.headers)).not.toEqual(expect.arrayContaining(['authorization']))
    expect(Object.keys(kept.headers)).not.toEqual(expect.arrayContaining(['cookie']))
    const other = await send(`/to/303/${encodeURIComponent(elsewhere)}`, {
      method: 'POST',
      headers,
      body: 'b',
      redirects: 1,
    })
    expect(JSON.parse(other.body.toString())).toMatchObject({ method: 'GET', body: '' })
  })
})

describe('what ends it', () => {
  test.each([
    ['/silent', 'timeout: no answer within 0.3 s'],
    ['/drip', 'timeout: no answer within 0.3 s'],
    ['/announced', 'large: the response is larger than 100000 bytes'],
    ['/endless', 'large: the response is larger than 100000 bytes'],
    ['/bomb', 'large: the response is larger than 100000 bytes'],
    ['/reset', 'network: the connection was reset'],
    ['/headers', 'network: the headers of the response are too large'],
    ['/broken', 'network: the connection was reset'],
  ])('%s', async (path, message) => {
    expect(
      await failure({ url: `${origin}${path}`, timeout: path === '/silent' || path === '/drip' ? 300 : 3_000 }),
    ).toBe(message)
  })

  test('an answer that is packed wrong', async () => {
    expect(await failure({ url: `${origin}/no-gzip` })).toMatch(/^network: /)
  })

  test('a server that speaks no HTTP, and one that never says a word', async () => {
    const wild = await place.tcp((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    expect(await failure({ url: `http://127.0.0.1:${wild}/` })).toBe('network: the response is not HTTP')
    const mute = await place.tcp(() => undefined)
    expect(await failure({ url: `https://127.0.0.1:${mute}/`, timeout: 300 })).toBe('timeout: no answer within 0.3 s')
  })

  test('a signal', async () => {
    const cut = new AbortController()
    setTimeout(() => cut.abort(), 50)
    expect(await failure({ url: `${origin}/silent`, signal: cut.signal })).toBe(
      'timeout: it was cancelled before the response arrived',
    )
  })

  test.each(['', 'x', 'ftp://a.test/', 'file:///etc/passwd', 'http://u:p@a.test/', 'http://a b/', 'javascript:1'])(
    '%j, no URL',
    async (url) => {
      expect(await failure({ url })).toMatch(/^url: /)
    },
  )

  test('nobody listens, and no such host', async () => {
    const port = await place.tcp(() => undefined)
    await sleep(1)
    expect(await failure({ url: `http://127.0.0.1:1/` })).toBe('network: nothing listens at this address')
    expect(port).toBeGreaterThan(0)
    expect(await failure({ url: 'http://no-such-host.invalid/' })).toMatch(
      /^network: (?:the host name is unknown|the host name cannot be resolved)$/,
    )
  })
})

describe('our own network', () => {
  const closed = 'closed: this site is not allowed to connect to its address'

  test('is not asked, by whatever name', async () => {
    const secret: string[] = []
    const own = await place.http((request, response) => {
      secret.push(request.url ?? '')
      response.end('secret')
    }, '127.0.0.2')
    const { port } = new URL(own)
    for (const host of ['127.0.0.2', '127.2', '2130706434', '[::ffff:127.0.0.2]', '[::1]', '0', 'localhost']) {
      expect([host, await failure({ url: `http://${host}:${port}/` })]).toEqual([
        host,
        host === 'localhost' ? expect.any(String) : closed,
      ])
    }
    expect(await failure({ url: `${origin}/to/302/${encodeURIComponent(own)}`, redirects: 3 })).toBe(closed)
    expect(await failure({ url: `${origin}/loop`, redirects: 3 })).toBe('redirects: there are too many redirects')
    expect(secret).toEqual([])
  })

  test('opens by name to what the settings name, and to nothing else', async () => {
    const named = createOutgoing({ guard: createAddressFilter(['localhost']) })
    const { port } = new URL(origin)
    const { body } = await named.send({ url: `http://localhost:${port}/`, timeout: 2_000, limit: 100 })
    expect(body.toString()).toBe('hello')
    await expect(named.send({ url: `${origin}/`, timeout: 2_000, limit: 100 })).rejects.toMatchObject({
      reason: 'closed',
    })
    named.close()
  })
})

describe('a download', () => {
  const port = createFetchPort(outgoing)

  test('gives the bytes, after redirects too', async () => {
    expect(Buffer.from(await port.download(`${origin}/to/302/${encodeURIComponent('/x')}`, 5)).toString()).toBe('hello')
  })

  test.each([
    ['/x', 4, 'download_file filter - the file is larger than 4 bytes'],
    ['/500', 100, 'download_file filter - the file cannot be fetched: the server responded with status 500'],
    ['/reset', 100, 'download_file filter - the file cannot be fetched: the connection was reset'],
  ])('%s of at most %i bytes fails', async (path, most, message) => {
    const error: unknown = await port.download(`${origin}${path}`, most).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ArgumentFault)
    expect((error as Error).message).toBe(message)
  })
})
