/** Reads files that notifications attach: uploads and assets of the site, and files on other servers. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { answerFile } from '../files/endpoint.ts'
import { createRequest, isFile, type Reply } from '../http/message.ts'
import { mediaType } from '../http/media-types.ts'
import { OutgoingFailure } from '../../core/net/outgoing.ts'
import { answerAsset, type AssetSite } from '../site/assets.ts'
import { DeliveryFault, type Notifications } from './model.ts'

/** The dependencies for reading attached files. */
export interface SourceReader {
  readonly parts: Pick<Notifications, 'outgoing' | 'trusted' | 'files'>
  readonly assetSite: AssetSite
  /** Host of the site, as in `context.location.host`; `''` when it is unknown. */
  readonly host: string
  /** Timeout for one file in milliseconds. */
  readonly timeout: number
}

/** The content of an attached file. */
export interface AttachedFile {
  readonly type: string
  readonly bytes: Buffer
}

/**
 * Reads the file of a URL. A path refers to this site.
 * @param limit maximum size of a file in bytes
 * @throws DeliveryFault
 */
export async function readSource(reader: SourceReader, url: string, limit: number): Promise<AttachedFile> {
  const path = sitePath(url, reader.host)
  if (path === null) return fetchFile(reader, url, limit, 'outgoing')
  const asset = await answerAsset(reader.assetSite, { method: 'GET', url: path })
  const reply = asset ?? (await readUpload(reader, path))
  if (reply === null || reply.status === 404) throw unreadable(url, 'the site has no such file')
  if (reply.status === 302) return fetchFile(reader, reply.headers['location'] ?? '', limit, 'trusted')
  if (reply.status !== 200 || !isFile(reply.body)) throw unreadable(url, 'its signature is invalid or has expired')
  const bytes = await readFile(join(reply.body.root, reply.body.path), url, limit)
  return { type: reply.headers['content-type'] ?? mediaType(reply.body.path), bytes }
}

/** Returns the path and query of a URL on this site, or null for any other URL. */
function sitePath(url: string, host: string): string | null {
  if (/^\/(?![/\\])/.test(url)) return url
  if (!URL.canParse(url)) return null
  const { protocol, host: urlHost, pathname, search } = new URL(url)
  return (protocol === 'http:' || protocol === 'https:') && urlHost === host.toLowerCase()
    ? `${pathname}${search}`
    : null
}

async function readUpload({ parts: { files }, host }: SourceReader, url: string): Promise<Reply | null> {
  if (files === null) return null
  const request = createRequest({ method: 'GET', url, protocol: 'http', host, ip: '', headers: {}, body: null, id: '' })
  return answerFile(files, request)
}

async function readFile(path: string, url: string, limit: number): Promise<Buffer> {
  const handle = await open(path, 'r').catch(() => {
    throw unreadable(url, 'the site has no such file')
  })
  try {
    const { size } = await handle.stat()
    if (size > limit) throw tooLarge(url)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function fetchFile(
  { parts, timeout }: SourceReader,
  url: string,
  limit: number,
  client: 'outgoing' | 'trusted',
): Promise<AttachedFile> {
  try {
    const { status, headers, body } = await parts[client].send({ url, limit, timeout, redirects: 3 })
    if (status !== 200) {
      const kind = status >= 500 || status === 408 || status === 429 ? 'temporary' : 'permanent'
      throw new DeliveryFault(
        `the file ${formatUrl(url)} cannot be fetched: the server responded with status ${status}`,
        kind,
      )
    }
    return { type: headers['content-type'] ?? mediaType(url.replace(/[?#].*$/, '')), bytes: body }
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    if (error.reason === 'large') throw tooLarge(url)
    const kind = error.reason === 'timeout' || error.reason === 'network' ? 'temporary' : 'permanent'
    throw new DeliveryFault(`the file ${formatUrl(url)} cannot be fetched: ${error.message}`, kind)
  }
}

function unreadable(url: string, reason: string): DeliveryFault {
  return new DeliveryFault(`the file ${formatUrl(url)} cannot be read: ${reason}`, 'permanent')
}

function tooLarge(url: string): DeliveryFault {
  return new DeliveryFault(
    `the file ${formatUrl(url)} is too large: all files together may have at most 20 MB`,
    'permanent',
  )
}

// Formats a URL for messages, without the query, which may contain credentials.
function formatUrl(url: string): string {
  return `'${url.replace(/[?#].*$/s, '').slice(0, 300)}'`
}
