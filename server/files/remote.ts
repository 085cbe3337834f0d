/** Fetches files that strangers name, and never from our own network: every address is looked at before it is connected to. */
import { type LookupAddress, lookup } from 'node:dns'
import { createWriteStream } from 'node:fs'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { FileRefused } from './model.ts'
import { nameOfUrl } from './names.ts'

export interface RemoteOptions {
  /** File that the bytes are written to; must not be there yet. */
  readonly to: string
  /** Bytes at the most. */
  readonly limit: number
  /** Milliseconds for all of it. */
  readonly timeout?: number
  /** Whether an address may be connected to; by default what is public. */
  readonly reachable?: (address: string) => boolean
}

const MAX_REDIRECTS = 3
const TIMEOUT = 20_000

const closed = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [address = '', bits] = range.split('/')
  closed.addSubnet(address, Number(bits), 'ipv4')
}
// Addresses of the Internet begin with these three bits; within them, those that lead into an IPv4 network or nowhere.
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')
const closed6 = new BlockList()
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  closed6.addSubnet(address, bits, 'ipv6')
}

/** Whether an address is one of the Internet: not this machine, not a private network, not a cloud's own services. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (isIPv4(plain)) return !closed.check(plain, 'ipv4')
  if (isIP(plain) !== 6) return false
  return open6.check(plain, 'ipv6') && !closed6.check(plain, 'ipv6')
}

/**
 * Writes what a URL names to a file.
 * @returns the name that the URL gives it
 * @throws FileRefused
 */
export async function fetchRemote(given: string, options: RemoteOptions): Promise<string> {
  const signal = AbortSignal.timeout(options.timeout ?? TIMEOUT)
  let url = parsed(given)
  for (let hops = 0; ; hops++) {
    const message = await open(url, options, signal)
    const { statusCode = 0, headers } = message
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      message.destroy()
      if (hops === MAX_REDIRECTS) throw new FileRefused('cannot be fetched: it is redirected too often')
      url = parsed(headers.location, url)
      continue
    }
    if (statusCode !== 200) {
      message.destroy()
      throw new FileRefused(`cannot be fetched: the answer was ${statusCode}`)
    }
    await write(message, options, signal)
    return nameOfUrl(url)
  }
}

function parsed(text: string, base?: URL): URL {
  if (!URL.canParse(text.trim(), base?.href)) throw new FileRefused('is not a URL that can be fetched')
  const url = new URL(text.trim(), base)
  const web = (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
  if (!web || url.username !== '' || url.password !== '') throw new FileRefused('is not a URL that can be fetched')
  return url
}

function open(url: URL, { reachable = isPublicAddress }: RemoteOptions, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((done, failed) => {
    const fail = (error: unknown): void => failed(refusal(error, signal))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // An address that is written out is never looked up.
    if (isIP(host) !== 0 && !reachable(host)) return fail(new Unreachable())
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const asked = send(url, {
      agent: false,
      signal,
      lookup: guarded(reachable),
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Ingot' },
    })
    asked.once('response', done)
    asked.once('error', fail)
    asked.end()
  })
}

/** What a name stands for is looked up once: the connection goes to the addresses that were looked at. */
function guarded(reachable: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses: readonly LookupAddress[] = found ?? []
      const first = addresses[0]
      if (error !== null) return done(error, '', 0)
      // A name of which one address is our own is meant for us.
      if (first === undefined || !addresses.every(({ address }) => reachable(address))) {
        return done(new Unreachable(), '', 0)
      }
      if (options.all) done(null, [...addresses])
      else done(null, first.address, first.family)
    })
  }
}

class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

async function write(message: IncomingMessage, { to, limit }: RemoteOptions, signal: AbortSignal): Promise<void> {
  if (Number(message.headers['content-length'] ?? 0) > limit) {
    message.destroy()
    throw tooLarge(limit)
  }
  let size = 0
  async function* bounded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      yield chunk
    }
  }
  try {
    await pipeline(message, bounded, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { signal })
  } catch (error) {
    throw refusal(error, signal)
  }
}

function refusal(error: unknown, signal: AbortSignal): FileRefused {
  if (error instanceof FileRefused) return error
  if (signal.aborted) return new FileRefused('cannot be fetched: it takes too long')
  if (error instanceof Unreachable) return new FileRefused('is not a URL that can be fetched')
  return new FileRefused('cannot be fetched')
}

/** The refusal of what is larger than a limit in bytes. */
export function tooLarge(limit: number): FileRefused {
  return new FileRefused(`is too large (maximum is ${size(limit)})`, 413)
}

/** `5 MB`, `1.5 MB`, `300 KB`. */
export function size(bytes: number): string {
  const [unit, divisor] = bytes >= 1_000_000 ? ['MB', 1_000_000] : bytes >= 1_000 ? ['KB', 1_000] : ['bytes', 1]
  return `${Math.round((bytes / divisor) * 10) / 10} ${unit}`
}
