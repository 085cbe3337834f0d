/**
 * The HTTP endpoints of files. `/uploads/…` serves a file. `POST /api/uploads` accepts a file in the same way as an S3
 * form upload.
 */
import { isSentFile, redirect, type Reply, type Request, type SentFile } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { html } from '../http/plain-reply.ts'
import { fileHeaders } from './disposition.ts'
import type { FileService } from './files.ts'
import { FileRefused } from './model.ts'
import { encodePath } from './names.ts'
import { readUploadPath } from '../../../runtime/data/values/upload-path.ts'
import { accessSeconds } from './own-files.ts'
import { readGrant, UPLOADS } from './presign.ts'

/** Returns whether a request uploads a file. */
export function isUpload({ method, path }: Request): boolean {
  return method === 'POST' && path === UPLOADS
}

/**
 * Answers requests for files. Returns null immediately when the path is not a path of files.
 * @throws the errors of the store and the database
 */
export function answerFile(files: FileService, request: Request): Promise<Reply | null> | null {
  const path = request.path
  if (isUpload(request)) return receiveUpload(files, request)
  if (!path.startsWith('/uploads/') || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  return serveFile(files, path, request)
}

async function serveFile(files: FileService, url: string, request: Request): Promise<Reply | null> {
  const path = decodePath(url.slice(1))
  const uploadPath = path === null ? null : readUploadPath(path)
  if (path === null || uploadPath === null) return null
  const isPrivate = uploadPath.acl === 'private'
  const seconds = isPrivate ? accessSeconds(files.signer, path, request.query) : null
  if (seconds === 0) {
    return textReply(403, 'This file URL is invalid or has expired.\n')
  }
  const location = await files.store.find(path)
  if (location === null) return null
  if (location.kind === 'elsewhere') {
    const reply = redirect(302, location.url)
    return {
      ...reply,
      headers: { ...reply.headers, 'cache-control': `private, max-age=${Math.floor(Math.min(60, seconds ?? 60))}` },
    }
  }
  const { root, contentType } = location
  return {
    status: 200,
    headers: fileHeaders(path, contentType, seconds),
    body: { kind: 'file', root, path: location.path },
  }
}

async function receiveUpload(files: FileService, request: Request): Promise<Reply> {
  const { parts, unreadable } = request
  if (unreadable) {
    const code = CODE_OF_STATUS[unreadable.status] ?? 'MalformedPOSTRequest'
    return errorReply(unreadable.status, code, unreadable.message)
  }
  if (!parts) return errorReply(400, 'MalformedPOSTRequest', 'the body is not a multipart form')
  const fields = new Map<string, string>()
  let file: SentFile | null = null
  for (const { name, value } of parts) {
    if (name === 'file') {
      if (isSentFile(value)) file = value
      break
    }
    // Fields after the file are ignored, as in S3.
    if (typeof value === 'string') fields.set(name.toLowerCase(), value)
  }
  const grant = readGrant(files.signer, fields.get('policy') ?? '', fields.get('x-amz-signature') ?? '')
  if (grant === null) return errorReply(403, 'AccessDenied', 'the policy is invalid or has expired')
  if ((fields.get('acl') ?? grant.acl) !== grant.acl)
    return errorReply(403, 'AccessDenied', 'the acl differs from the policy')
  if (file === null) return errorReply(400, 'InvalidArgument', 'the form has no file: send it as the last field')
  const { path, fileName, contentType } = file
  try {
    const storedFile = await files.keepAs(
      grant.key,
      { kind: 'sent', path, fileName, contentType },
      grant,
      grant.receipt,
    )
    return uploadReply(storedFile.path, `${request.protocol}://${request.host}`, fields)
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    const code = error.status === 413 ? 'EntityTooLarge' : error.status === 409 ? 'OperationAborted' : 'InvalidArgument'
    return errorReply(error.status, code, `The file ${error.message}`)
  }
}

const CODE_OF_STATUS: Readonly<Record<number, string>> = { 413: 'EntityTooLarge', 503: 'SlowDown' }

function uploadReply(path: string, origin: string, fields: ReadonlyMap<string, string>): Reply {
  const location = `${origin}/${encodePath(path)}`
  const status = fields.get('success_action_status')
  // Only pages of this site are allowed, so that this endpoint is not an open redirect.
  const redirectPath = ownTarget(fields.get('success_action_redirect') ?? fields.get('redirect'), new URL(origin).host)
  if (redirectPath !== null) {
    const target = new URL(`${origin}${redirectPath}`)
    target.searchParams.set('key', path)
    return redirect(303, `${target.pathname}${target.search}`)
  }
  if (status !== '201' && status !== '200') return { status: 204, headers: { location }, body: null }
  if (status === '200') return { status: 200, headers: { location }, body: '' }
  const body = `<Location>${html(location)}</Location><Bucket>uploads</Bucket><Key>${html(path)}</Key>`
  return xmlReply(201, `<PostResponse>${body}</PostResponse>`, { location })
}

function errorReply(status: number, code: string, message: string): Reply {
  return xmlReply(status, `<Error><Code>${code}</Code><Message>${html(message)}</Message></Error>`)
}

function xmlReply(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/xml; charset=utf-8', ...headers },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`,
  }
}

function textReply(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }, body }
}

/** Decodes a path. Returns null for invalid percent-encoding, because no file has such a path. */
function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
