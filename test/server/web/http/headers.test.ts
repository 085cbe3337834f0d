/** Headers as sent: each cookie has its own line, and no value can add another line. */
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listen } from '../../../../server/web/http/listen.ts'
import type { Listening } from '../../../../server/web/http/listening.ts'
import { type Reply, redirect } from '../../../../server/web/http/message.ts'

let open: Listening | null = null
const logged: object[] = []
afterEach(async () => {
  await open?.stop(0, 0)
  open = null
  logged.length = 0
})

/** The client chooses whether the connection stays open. In one case Node writes the response, in the other the listener. */
const CONNECTIONS = ['close', 'keep-alive'] as const

/** Returns all bytes of a response. */
async function wire(reply: Reply, connection: (typeof CONNECTIONS)[number] = 'close'): Promise<string> {
  const log = { info: () => undefined, error: (fields: object) => void logged.push(fields) }
  open = await listen(async () => reply, { host: '127.0.0.1', port: 0, proxies: 0, bodyLimit: 1000, log })
  const { port } = open
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET / HTTP/1.1\r\nHost: a\r\nConnection: ${connection}\r\n\r\n`),
    )
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
      const [head = '', body] = text.split('\r\n\r\n')
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1])
      if (connection === 'keep-alive' && body !== undefined && body.length >= length) socket.end()
    })
    socket.on('close', () => done(text))
    socket.on('error', failed)
  })
}

test('every cookie is a header of its own', async () => {
  const cookies = ['a=1; Path=/; HttpOnly', 'b=2; Expires=Thu, 01 Jan 1970 00:00:00 GMT']
  const text = await wire({ status: 200, headers: { 'x-a': 'b' }, body: 'x', cookies })
  expect(text.match(/^set-cookie: .*$/gim)).toEqual(cookies.map((cookie) => `set-cookie: ${cookie}`))
})

const EVIL = [
  'x\r\nSet-Cookie: evil=1',
  'x\nSet-Cookie: evil=1',
  'x\r\n\r\n<script>',
  'x\0y',
  'x\u010a\u010dSet-Cookie: evil=1',
  'x\u560d\u560aSet-Cookie: evil=1',
]
test.each(EVIL.flatMap((value) => CONNECTIONS.map((connection) => [value, connection] as const)))(
  'a value like %j never reaches the wire of a connection to %s',
  async (value, connection) => {
    const headers = { 'x-evil': value, [`x-${value}`]: 'name', 'x-good': 'stays' }
    const text = await wire({ status: 200, headers, body: 'body', cookies: [`a=${value}`, 'good=1'] }, connection)
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    const [head, body] = text.split('\r\n\r\n')
    expect(body).toBe('body')
    expect(head).not.toMatch(/evil/i)
    expect(head).toContain('x-good: stays')
    expect(head?.match(/set-cookie/gi)).toEqual(['set-cookie'])
    expect(logged).toHaveLength(2)
  },
)

test.each(['/a\r\nSet-Cookie: evil=1', '/a\u560d\u560aX: y', '/ż\n\n<script>'])(
  'a redirect to %j stays in its line',
  async (target) => {
    const text = await wire(redirect(302, target))
    const [head] = text.split('\r\n\r\n')
    expect(head?.match(/^location: \/[\x21-\x7e]+$/gm)).toHaveLength(1)
    expect(head).not.toMatch(/^(?:set-cookie|x):/im)
  },
)
