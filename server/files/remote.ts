/** Fetches files that strangers name, and never from our own network. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { AddressFilter } from '../net/addresses.ts'
import { createOutgoing, type OpenedResponse, OutgoingFailure, type OriginOverrides } from '../net/outgoing.ts'
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
  readonly reachable?: AddressFilter
  readonly standIns?: OriginOverrides
}

const MAX_REDIRECTS = 3
const TIMEOUT = 20_000

/**
 * Writes what a URL names to a file.
 * @returns the name that the URL gives it
 * @throws FileRefused
 */
export async function fetchRemote(given: string, options: RemoteOptions): Promise<string> {
  const { to, limit, timeout = TIMEOUT, reachable, standIns = {} } = options
  const outgoing = createOutgoing({ standIns, ...(reachable !== undefined && { guard: reachable }) })
  try {
    const response = await outgoing.open({ url: given, timeout, limit, redirects: MAX_REDIRECTS })
    await write(response, to)
    return nameOfUrl(response.url)
  } catch (error) {
    throw error instanceof OutgoingFailure ? refusal(error, limit) : error
  } finally {
    outgoing.close()
  }
}

async function write({ status, body, destroy }: OpenedResponse, to: string): Promise<void> {
  if (status !== 200) {
    destroy()
    throw new FileRefused('file_fetch', `cannot be fetched: the answer was ${status}`)
  }
  await pipeline(body, createWriteStream(to, { flags: 'wx', mode: 0o600 }))
}

function refusal({ reason }: OutgoingFailure, limit: number): FileRefused {
  switch (reason) {
    case 'url':
    // Whoever asks is not told what there is in our network.
    case 'closed':
      return new FileRefused('file_url', 'is not a URL that can be fetched')
    case 'timeout':
      return new FileRefused('file_fetch', 'cannot be fetched: it takes too long')
    case 'redirects':
      return new FileRefused('file_fetch', 'cannot be fetched: it is redirected too often')
    case 'large':
      return tooLarge(limit)
    case 'network':
      return new FileRefused('file_fetch', 'cannot be fetched')
  }
}

/** The refusal of what is larger than a limit in bytes. */
export function tooLarge(limit: number): FileRefused {
  return new FileRefused('file_too_large', `is too large (maximum is ${size(limit)})`, {
    status: 413,
    count: size(limit),
  })
}

/** `5 MB`, `1.5 MB`, `300 KB`. */
export function size(bytes: number): string {
  const [unit, divisor] = bytes >= 1_000_000 ? ['MB', 1_000_000] : bytes >= 1_000 ? ['KB', 1_000] : ['bytes', 1]
  return `${Math.round((bytes / divisor) * 10) / 10} ${unit}`
}
