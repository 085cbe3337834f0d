/** Requests of open pages that act on the developer's machine: POST with a token, by pages of this site, for files of this site. */
import { realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type * as z from 'zod'
import { isFromHere } from '../../web/http/forwarded.ts'
import { headerOf, type Reply, type Request } from '../../web/http/message.ts'
import { isSameOrigin } from '../../web/http/same-origin.ts'
import type { DevTokens } from './tokens.ts'

/** The purpose of the token of an open page: `tokens.issue(PAGE_PURPOSE)`. */
export const PAGE_PURPOSE = 'page'
/** The header with the token. */
const TOKEN_HEADER = 'x-ingot-token'

const REFUSED = 'Only pages of this site, on the machine of the developer, open and change files.'

/** The folders of a site that hold its sources. */
const SOURCES = /^(?:app|marketplace_builder|public|private|modules|seed)\//

/** Returns the refusal of a request that no page of this site on this machine sent; null for all others. It may lack a token. */
export function refusal(request: Request): Reply | null {
  if (request.method !== 'POST') return problem(404, 'This address takes only POST.')
  return isFromHere(request) && isSameOrigin(request) ? null : problem(403, REFUSED)
}

/**
 * Answers a request that has the token of an open page.
 * @param body the JSON of its body
 */
export async function answerPost<Body>(
  request: Request,
  tokens: DevTokens,
  body: z.ZodType<Body>,
  act: (body: Body) => Promise<Reply>,
): Promise<Reply> {
  const refused = refusal(request)
  if (refused !== null) return refused
  // A page stays open for longer than its token is accepted. It then asks for a new one.
  if (!tokens.accepts(headerOf(request, TOKEN_HEADER), PAGE_PURPOSE, request))
    return problem(401, 'The token of this page has expired.')
  const read = body.safeParse(parseJson(request.body))
  return read.success ? act(read.data) : problem(400, 'The request does not say what to do.')
}

/** Returns the absolute path of a site's file; null for a path that leaves the site, also through a link. @param root the site's folder */
export async function fileOfSite(root: string, file: string): Promise<string | null> {
  if (!SOURCES.test(file) || file.includes('\0') || file.includes('\\') || file.split('/').includes('..')) return null
  try {
    const [folder, path] = await Promise.all([realpath(root), realpath(join(root, file))])
    const inside = relative(folder, path).split(sep).join('/')
    return SOURCES.test(inside) && (await stat(path)).isFile() ? path : null
  } catch {
    // The file is missing.
    return null
  }
}

export function json(status: number, body: object): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    body: JSON.stringify(body),
  }
}

export function problem(status: number, error: string): Reply {
  return json(status, { error })
}

function parseJson(body: Uint8Array | null): unknown {
  try {
    return JSON.parse(Buffer.from(body ?? []).toString())
  } catch {
    return null
  }
}
