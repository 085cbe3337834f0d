/** The addresses of files: `/uploads/…` shows one, `POST /api/uploads` takes one as an S3 store takes it from a form. */
import { isSentFile, pathOf, queryOf, redirect, type Reply, type Request, type SentFile } from '../http/message.ts'
import { ownTarget } from '../http/own-target.ts'
import { html } from '../http/plain-reply.ts'
import { fileHeaders } from './disposition.ts'
import type { FileService } from './files.ts'
import { FileRefused } from './model.ts'
import { encodedPath } from './names.ts'
import { readUploadPath } from '../../runtime/data/values/upload-path.ts'
import { allows } from './own.ts'
import { readLeave, UPLOADS } from './presign.ts'

/** Answers what is asked of files; null where the request is about something else. @throws what the store or the database throws */
export async function answerFile(files: FileService, request: Request): Promise<Reply | null> {
  const path = pathOf(request.url)
  if (path === UPLOADS) return request.method === 'POST' ? receive(files, request) : null
  if (!path.startsWith('/uploads/') || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  return show(files, path, request)
}

async function show(files: FileService, url: string, request: Request): Promise<Reply | null> {
  const path = decoded(url.slice(1))
  const named = path === null ? null : readUploadPath(path)
  if (path === null || named === null) return null
  const isPrivate = named.acl === 'private'
  if (isPrivate && !allows(files.signer, path, queryOf(request.url))) {
    return plain(403, 'This address of a file is not valid, or not valid any more.\n')
  }
  const found = await files.store.find(path)
  if (found === null) return null
  if (found.kind === 'elsewhere') {
    const reply = redirect(302, found.url)
    return { ...reply, headers: { ...reply.headers, 'cache-control': 'private, max-age=60' } }
  }
  const { root, contentType } = found
  return {
    status: 200,
    headers: fileHeaders(path, contentType, isPrivate),
    body: { kind: 'file', root, path: found.path },
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
    // What follows the file is not read, as the contract has it.
    if (typeof value === 'string') fields.set(name.toLowerCase(), value)
  }
  const leave = readLeave(files.signer, fields.get('policy') ?? '', fields.get('x-amz-signature') ?? '')
  if (leave === null) return problem(403, 'AccessDenied', 'the policy is not valid, or not valid any more')
  if ((fields.get('acl') ?? leave.acl) !== leave.acl) return problem(403, 'AccessDenied', 'the policy has another acl')
  if (file === null) return problem(400, 'InvalidArgument', 'the form has no file, which must come last')
  const { path, fileName, contentType } = file
  try {
    const kept = await files.keepAs(leave.key, { kind: 'sent', path, fileName, contentType }, leave)
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
  // Our own pages only: this address sends nobody elsewhere.
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

/** Null for a path whose codes are no text: no file has it. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
