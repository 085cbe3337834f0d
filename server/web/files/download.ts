/** Downloads files from URLs that visitors send, but never from the server's own network. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { AddressFilter } from '../../core/net/addresses.ts'
import { createOutgoing, type OpenedResponse, OutgoingFailure, type OriginOverrides } from '../../core/net/outgoing.ts'
import { FileRefused } from './model.ts'
import { nameOfUrl } from './names.ts'

/** Options of a download. */
export interface RemoteOptions {
  /** Path to write to; must not exist yet. */
  readonly to: string
  /** Largest size in bytes. */
  readonly limit: number
  /** Timeout of the whole download in milliseconds. */
  readonly timeout?: number
  /** Returns whether an address may be connected to. By default only public addresses. */
  readonly reachable?: AddressFilter
  readonly originOverrides?: OriginOverrides
}

const MAX_REDIRECTS = 3
const TIMEOUT = 20_000

/**
 * Downloads a URL to a file.
 * @returns the file name in the URL
 * @throws FileRefused
 */
export async function downloadFile(url: string, options: RemoteOptions): Promise<string> {
  const { to, limit, timeout = TIMEOUT, reachable, originOverrides = {} } = options
  const outgoing = createOutgoing({ originOverrides, ...(reachable !== undefined && { guard: reachable }) })
  try {
    const response = await outgoing.open({ url: url, timeout, limit, redirects: MAX_REDIRECTS })
    await writeBody(response, to)
    return nameOfUrl(response.url)
  } catch (error) {
    throw error instanceof OutgoingFailure ? toFileRefused(error, limit) : error
  } finally {
    outgoing.close()
  }
}

async function writeBody({ status, body, destroy }: OpenedResponse, targetPath: string): Promise<void> {
  if (status !== 200) {
    destroy()
    throw new FileRefused('file_fetch', `cannot be fetched: the server responded with status ${status}`)
  }
  await pipeline(body, createWriteStream(targetPath, { flags: 'wx', mode: 0o600 }))
}

function toFileRefused({ reason }: OutgoingFailure, limit: number): FileRefused {
  switch (reason) {
    case 'url':
    // An invalid URL and a forbidden address get the same message, which must not reveal what exists in the server's network.
    case 'closed':
      return new FileRefused('file_url', 'is not a URL that can be fetched')
    case 'timeout':
      return new FileRefused('file_fetch', 'cannot be fetched: it takes too long')
    case 'redirects':
      return new FileRefused('file_fetch', 'cannot be fetched: there are too many redirects')
    case 'large':
      return tooLarge(limit)
    case 'network':
      return new FileRefused('file_fetch', 'cannot be fetched')
  }
}

/** Creates the error for a file that is larger than a limit in bytes. */
export function tooLarge(limit: number): FileRefused {
  return new FileRefused('file_too_large', `is too large (maximum is ${formatSize(limit)})`, {
    status: 413,
    count: formatSize(limit),
  })
}

/** Formats a size: `5 MB`, `1.5 MB`, `300 KB`. */
export function formatSize(bytes: number): string {
  const [unit, divisor] = bytes >= 1_000_000 ? ['MB', 1_000_000] : bytes >= 1_000 ? ['KB', 1_000] : ['bytes', 1]
  return `${Math.round((bytes / divisor) * 10) / 10} ${unit}`
}
