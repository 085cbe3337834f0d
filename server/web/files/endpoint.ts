/**
 * The HTTP endpoints of files: `/uploads/…` serves one; `POST /api/uploads` accepts one in the way S3 accepts a form
 * upload.
 */
import { isSentFile, redirect, type Reply, type Request, type SentFile } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { html } from '../http/plain-reply.ts'
import { fileHeaders } from './disposition.ts'
import type { FileService } from './files.ts'
import { FileRefused } from './model.ts'
import { encodedPath } from './names.ts'
import { readUploadPath } from '../../../runtime/data/values/upload-path.ts'
import { grantsAccess } from './own.ts'
import { readGrant, UPLOADS } from './presign.ts'

/** Whether a request sends a file. */
export function isUpload({ method, path }: Request): boolean {
  return method === 'POST' && path === UPLOADS
}

/**
 * Answers requests for files; null for other requests, at once where the path is none of files.
 * @throws the errors of the store and the database
 */
export function answerFile(files: FileService, request: Request): Promise<Reply | null> | null {
  const path = request.path
  if (isUpload(request)) return receive(files, request)
  if (!path.startsWith('/uploads/') || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  return show(files, path, request)
}

async function show(files: FileService, url: string, request: Request): Promise<Reply | null> {
  const path = decoded(url.slice(1))
  const named = path === null ? null : readUploadPath(path)
  if (path === null || named === null) return null
  const isPrivate = named.acl === 'private'
  if (isPrivate && !grantsAccess(files.signer, path, request.query)) {
    return plain(403, 'This address of a file is not valid, or not valid any more.\n')
  }
  const location = await files.store.find(path)
  if (location === null) return null
  if (location.kind === 'elsewhere') {
    const reply = redirect(302, location.url)
    return { ...reply, headers: { ...reply.headers, 'cache-control': 'private, max-age=60' } }
  }
  const { root, contentType } = location
  return {
    status: 200,
    headers: fileHeaders(path, contentType, isPrivate),
    body: { kind: 'file', root, path: location.path },
  }
}

async function receive(files: FileService, request: Request): Promise<Reply> {
  const { parts, unreadable } = request
  if (unreadable) {
    const code = CODES[unreadable.status] ?? 'MalformedPOSTRequest'
    return problem(unreadable.status, code, unreadable.message)
  }
  if (!parts) return problem(400, 'MalformedPOSTRequest', 'the body is not a multipart form')
  const fields = new Map<string, string>()
  let file: SentFile | null = null
  for (const { name, value } of parts) {
    if (name === 'file') {
      if (isSentFile(value)) file = value
      break
    }
    // As in S3, fields after the file are ignored.
    if (typeof value === 'string') fields.set(name.toLowerCase(), value)
  }
  const grant = readGrant(files.signer, fields.get('policy') ?? '', fields.get('x-amz-signature') ?? '')
  if (grant === null) return problem(403, 'AccessDenied', 'the policy is not valid, or not valid any more')
  if ((fields.get('acl') ?? grant.acl) !== grant.acl) return problem(403, 'AccessDenied', 'the policy has another acl')
  if (file === null) return problem(400, 'InvalidArgument', 'the form has no file, which must come last')
  const { path, fileName, contentType } = file
  try {
    const kept = await files.keepAs(grant.key, { kind: 'sent', path, fileName, contentType }, grant, grant.receipt)
    return done(kept.path, `${request.protocol}://${request.host}`, fields)
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    const code = error.status === 413 ? 'EntityTooLarge' : error.status === 409 ? 'OperationAborted' : 'InvalidArgument'
    return problem(error.status, code, `The file ${error.message}`)
  }
}

const CODES: Readonly<Record<number, string>> = { 413: 'EntityTooLarge', 503: 'SlowDown' }

function done(path: string, origin: string, fields: ReadonlyMap<string, string>): Reply {
  const location = `${origin}/${encodedPath(path)}`
  const status = fields.get('success_action_status')
  // Restricted to this site's pages, so that this endpoint is no open redirect.
  const onward = ownTarget(fields.get('success_action_redirect') ?? fields.get('redirect'), new URL(origin).host)
  if (onward !== null) {
    const target = new URL(`${origin}${onward}`)
    target.searchParams.set('key', path)
    return redirect(303, `${target.pathname}${target.search}`)
  }
  if (status !== '201' && status !== '200') return { status: 204, headers: { location }, body: null }
  if (status === '200') return { status: 200, headers: { location }, body: '' }
  const body = `<Location>${html(location)}</Location><Bucket>uploads</Bucket><Key>${html(path)}</Key>`
  return xml(201, `<PostResponse>${body}</PostResponse>`, { location })
}

function problem(status: number, code: string, message: string): Reply {
  return xml(status, `<Error><Code>${code}</Code><Message>${html(message)}</Message></Error>`)
}

function xml(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/xml; charset=utf-8', ...headers },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`,
  }
}

function plain(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }, body }
}

/** Null for a path with invalid percent-encoding: no file has such a path. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
