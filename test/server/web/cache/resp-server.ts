/** A server with the few commands of Redis that the cache sends, over a real socket. It is for machines without Redis. */
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface RespServer {
  readonly url: string
  /** The stored values, by key. */
  readonly kept: ReadonlyMap<string, { readonly value: string; readonly until: number }>
  /** Stops or resumes responding. */
  hang(hanging: boolean): void
  close(): Promise<void>
}

export async function respServer(port = 0): Promise<RespServer> {
  const kept = new Map<string, { value: string; until: number }>()
  const sockets = new Set<Socket>()
  let hanging = false

  const live = (key: string) => {
    const entry = kept.get(key)
    if (entry !== undefined && entry.until <= Date.now()) kept.delete(key)
    return kept.get(key)
  }
  const bulk = (text: string | null) => (text === null ? '$-1\r\n' : `$${Buffer.byteLength(text)}\r\n${text}\r\n`)

  function answer([name = '', ...args]: readonly string[]): string {
    const [key = '', value = ''] = args
    switch (name.toUpperCase()) {
      case 'INFO':
        return bulk('redis_version:7.4.0\r\nloading:0\r\n')
      case 'GET':
        return bulk(live(key)?.value ?? null)
      case 'PTTL': {
        const entry = live(key)
        return `:${entry === undefined ? -2 : Math.max(0, Math.round(entry.until - Date.now()))}\r\n`
      }
      case 'SET': {
        const words = args.slice(2).map((word) => word.toUpperCase())
        if (words.includes('NX') && live(key) !== undefined) return bulk(null)
        kept.set(key, { value, until: Date.now() + Number(words[words.indexOf('PX') + 1]) })
        return '+OK\r\n'
      }
      case 'PEXPIRE': {
        const entry = live(key)
        if (entry !== undefined) entry.until = Date.now() + Number(value)
        return `:${entry === undefined ? 0 : 1}\r\n`
      }
      case 'DEL':
        return `:${kept.delete(key) ? 1 : 0}\r\n`
      case 'CLIENT':
      case 'SELECT':
        return '+OK\r\n'
      default:
        return `-ERR unknown command '${name}'\r\n`
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    let pending = Buffer.alloc(0)
    socket.on('data', (data) => {
      pending = Buffer.concat([pending, data])
      for (let command = read(pending); command !== null; command = read(pending)) {
        pending = pending.subarray(command.length)
        if (!hanging) socket.write(answer(command.words))
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    hang(now) {
      hanging = now
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Parses the first command in some bytes: an array of bulk strings. Returns null while it is incomplete. */
function read(bytes: Buffer): { readonly words: readonly string[]; readonly length: number } | null {
  let at = 0
  const line = (): string | null => {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return null
    const text = bytes.toString('latin1', at, end)
    at = end + 2
    return text
  }
  const head = line()
  if (head === null) return null
  const words: string[] = []
  for (let count = Number(head.slice(1)); count > 0; count--) {
    const size = line()
    if (size === null) return null
    const length = Number(size.slice(1))
    if (bytes.length < at + length + 2) return null
    words.push(bytes.toString('utf8', at, at + length))
    at += length + 2
  }
  return { words, length: at }
}
