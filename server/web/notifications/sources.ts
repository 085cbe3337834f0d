/** Reads files that notifications attach: uploads and assets of this site, and files on other servers. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { answerFile } from '../files/endpoint.ts'
import { createRequest, isFile, type Reply } from '../http/message.ts'
import { mediaType } from '../http/media-types.ts'
import { OutgoingFailure } from '../../core/net/outgoing.ts'
import { answerAsset, type AssetSite } from '../site/assets.ts'
import { DeliveryFault, type Notifications } from './model.ts'

export interface SourceReader {
  readonly parts: Pick<Notifications, 'outgoing' | 'trusted' | 'files'>
  readonly loaded: AssetSite
  /** Host of the site, as in `context.location.host`; `''` when it is unknown. */
  readonly host: string
  /** Milliseconds for one file. */
  readonly timeout: number
}

export interface Source {
  readonly type: string
  readonly bytes: Buffer
}

/**
 * Reads the file of a URL; a path refers to this site.
 * @param limit largest size in bytes
 * @throws DeliveryFault
 */
export async function readSource(reader: SourceReader, url: string, limit: number): Promise<Source> {
  const path = ownPath(url, reader.host)
  if (path === null) return fetched(reader, url, limit, 'outgoing')
  const asset = await answerAsset(reader.loaded, { method: 'GET', url: path })
  const reply = asset ?? (await upload(reader, path))
  if (reply === null || reply.status === 404) throw refused(url, 'the site has no such file')
  if (reply.status === 302) return fetched(reader, reply.headers['location'] ?? '', limit, 'trusted')
  if (reply.status !== 200 || !isFile(reply.body)) throw refused(url, 'its signature does not hold, or not any more')
  const bytes = await readFile(join(reply.body.root, reply.body.path), url, limit)
  return { type: reply.headers['content-type'] ?? mediaType(reply.body.path), bytes }
}

/** Path and query of a URL on this site, null for any other. */
function ownPath(url: string, host: string): string | null {
  if (/^\/(?![/\\])/.test(url)) return url
  if (!URL.canParse(url)) return null
  const { protocol, host: named, pathname, search } = new URL(url)
  return (protocol === 'http:' || protocol === 'https:') && named === host.toLowerCase() ? `${pathname}${search}` : null
}

async function upload({ parts: { files }, host }: SourceReader, url: string): Promise<Reply | null> {
  if (files === null) return null
  const source = { method: 'GET', url, protocol: 'http', host, ip: '', headers: {}, body: null, id: '' }
  return answerFile(files, createRequest(source))
}

async function readFile(path: string, url: string, limit: number): Promise<Buffer> {
  const handle = await open(path, 'r').catch(() => {
    throw refused(url, 'the site has no such file')
  })
  try {
    const { size } = await handle.stat()
    if (size > limit) throw tooLarge(url)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function fetched(
  { parts, timeout }: SourceReader,
  url: string,
  limit: number,
  by: 'outgoing' | 'trusted',
): Promise<Source> {
  try {
    const { status, headers, body } = await parts[by].send({ url, limit, timeout, redirects: 3 })
    if (status !== 200) {
      const kind = status >= 500 || status === 408 || status === 429 ? 'temporary' : 'permanent'
      throw new DeliveryFault(`the file ${shown(url)} cannot be fetched: the answer was ${status}`, kind)
    }
    return { type: headers['content-type'] ?? mediaType(url.replace(/[?#].*$/, '')), bytes: body }
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    if (error.reason === 'large') throw tooLarge(url)
    const kind = error.reason === 'timeout' || error.reason === 'network' ? 'temporary' : 'permanent'
    throw new DeliveryFault(`the file ${shown(url)} cannot be fetched: ${error.message}`, kind)
  }
}

function refused(url: string, why: string): DeliveryFault {
  return new DeliveryFault(`the file ${shown(url)} cannot be read: ${why}`, 'permanent')
}

function tooLarge(url: string): DeliveryFault {
  return new DeliveryFault(`the file ${shown(url)} is too large: all files together may have 20 MB`, 'permanent')
}

// Without the query, which may contain credentials.
function shown(url: string): string {
  return `'${url.replace(/[?#].*$/s, '').slice(0, 300)}'`
}
