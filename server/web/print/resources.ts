/** Answers what a printed document requests: pages, assets and files of its own site, and what hosts in the settings serve. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Outgoing } from '../../core/net/outgoing.ts'
import { type AnswerResource, MAX_RESOURCE, type Resource, type ResourceRequest } from '../../core/print/model.ts'
import { createRequest, type Handler, isEvents, isFile, isStream, type Reply, type Request } from '../http/message.ts'

export interface ResourceOptions {
  /** Answers requests for the site itself. */
  readonly handler: Handler
  /** Returns whether a document may load from another host. */
  readonly isAllowedHost: (host: string) => boolean
  /** Prefix of the URLs of assets; null when they have no host. */
  readonly assetsUrl: string | null
  /** Prefixes of the URLs at which the file store serves files of this site. */
  readonly fileUrls: readonly string[]
  /** The client for other hosts, which connects to public addresses only. */
  readonly outgoing: Outgoing
  /** The client for the file store, which may be in the private network. */
  readonly fileStore: Outgoing
}

/** Milliseconds for one resource. The time limit of the document applies as well. */
const TIMEOUT = 10_000
/** Paths of the site that are not for documents: they need a token or belong to tools. */
const CLOSED_PATH = /^\/(?:_|api\/)/

/**
 * Creates the function that answers the requests of one document. The site answers them like a visitor who is not signed in: they carry no
 * cookie and no token of the person for whom the document is printed.
 * @param document host and protocol of the document's URL, and the id of the request that it belongs to
 */
export function createResources(
  document: Pick<Request, 'host' | 'protocol' | 'id'>,
  options: ResourceOptions,
): AnswerResource {
  const { assetsUrl, fileUrls, isAllowedHost } = options
  return async (request) => {
    if (!URL.canParse(request.url)) return null
    const url = new URL(request.url)
    if (url.username !== '' || url.password !== '') return null
    if (url.host === new URL(`${url.protocol}//${document.host}`).host)
      return ownResource(options.handler, document, url, request.accept)
    if (assetsUrl !== null && url.href.startsWith(`${assetsUrl}/assets/`)) {
      const ownUrl = new URL(url.href.slice(assetsUrl.length), `${document.protocol}://${document.host}`)
      const resource = await ownResource(options.handler, document, ownUrl, request.accept)
      // Fonts of another origin need it.
      return resource === null ? null : withHeader(resource, 'access-control-allow-origin', '*')
    }
    if (fileUrls.some((prefix) => url.href.startsWith(prefix))) return foreignResource(options.fileStore, request)
    return isAllowedHost(url.host) ? foreignResource(options.outgoing, request) : null
  }
}

async function ownResource(
  handler: Handler,
  { id }: Pick<Request, 'id'>,
  url: URL,
  accept: string,
): Promise<Resource | null> {
  if (CLOSED_PATH.test(url.pathname)) return null
  const request = createRequest({
    method: 'GET',
    url: `${url.pathname}${url.search}`,
    protocol: url.protocol.slice(0, -1),
    host: url.host,
    // Without an address, the request gets nothing that only this machine or a known address gets.
    ip: '',
    headers: { accept },
    body: null,
    id,
    isPrinted: true,
  })
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT).unref())
  return Promise.race([Promise.resolve(handler(request)).then(readReply), timeout])
}

/** Returns a reply with its whole body; null when the body is too large or never ends. */
async function readReply({ status, headers, body }: Reply): Promise<Resource | null> {
  if (isEvents(body)) return null
  const bytes = isFile(body)
    ? await readLimited(join(body.root, body.path))
    : isStream(body)
      ? await readStream(body.write)
      : Buffer.from(body ?? '')
  return bytes === null || bytes.length > MAX_RESOURCE ? null : { status, headers, body: bytes }
}

async function readLimited(path: string): Promise<Buffer | null> {
  // The file was deleted after the handler had found it.
  const handle = await open(path, 'r').catch(() => null)
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    return size > MAX_RESOURCE ? null : await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function readStream(write: (to: Writable) => Promise<void>): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      size += chunk.length
      chunks.push(chunk)
      done(size > MAX_RESOURCE ? new Error('the body is too large') : null)
    },
  })
  to.on('error', () => undefined)
  const timer = setTimeout(() => to.destroy(new Error('the body takes too long')), TIMEOUT)
  try {
    await write(to)
    return Buffer.concat(chunks)
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** Redirects are returned to the document, whose next request is checked again. */
async function foreignResource(outgoing: Outgoing, { url, accept }: ResourceRequest): Promise<Resource | null> {
  try {
    const { status, headers, body } = await outgoing.send({
      url,
      headers: { accept },
      timeout: TIMEOUT,
      limit: MAX_RESOURCE,
    })
    return { status, headers, body }
  } catch {
    return null
  }
}

function withHeader(resource: Resource, name: string, value: string): Resource {
  return { ...resource, headers: { ...resource.headers, [name]: value } }
}
