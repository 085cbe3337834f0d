/**
 * `POST /_ingot/open`: opens a file of the site in the developer's editor. It answers only pages of this site on this machine that have a token,
 * and opens only files of the site. The pages call `openFile` of `live/open.mjs`.
 */
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import * as z from 'zod'
import { isFromHere } from '../../web/http/forwarded.ts'
import { headerOf, type Reply, type Request } from '../../web/http/message.ts'
import { type EditorChoice, openInEditor } from './editor.ts'
import { isSameOrigin } from '../../web/http/same-origin.ts'
import type { DevTokens } from './tokens.ts'

const OPEN_PATH = '/_ingot/open'
/** The purpose of the tokens that the endpoint accepts: `tokens.issue(OPEN_PURPOSE)`. */
export const OPEN_PURPOSE = 'open'
/** The header with the token. */
const TOKEN_HEADER = 'x-ingot-token'

export interface FileOpener {
  /** Answers requests below its path; returns null for all others. */
  answer(request: Request): Promise<Reply> | null
}

/** `line` is 1-based. `element` is the opening tag of an element, whose line is looked for when `line` is missing. */
const wanted = z.object({
  file: z.string().min(1).max(1_000),
  line: z.number().int().min(1).max(10_000_000).optional(),
  element: z.string().max(4_000).optional(),
})

/** The folders of a site that hold its sources. */
const SOURCES = /^(?:app|marketplace_builder|public|private|modules|seed)\//
/** Maximum size in bytes of a file that is searched for an element. */
const MAX_SEARCHED = 4 * 1024 * 1024

/** Creates the endpoint. @param root the site's folder */
export function createFileOpener(root: string, tokens: DevTokens, editor: EditorChoice): FileOpener {
  async function open(request: Request): Promise<Reply> {
    const read = wanted.safeParse(parseJson(request.body))
    if (!read.success) return problem(400, 'The request needs a file.')
    const { file, line, element } = read.data
    const path = await fileOfSite(root, file)
    if (path === null) return problem(404, `'${file}' is not a file of this site.`)
    const place = line ?? (element === undefined ? 1 : await elementLine(path, element))
    const started = await openInEditor(editor, path, place)
    if (started !== null) return json(200, { opened: `${file}:${place}`, editor: started })
    const reason =
      editor.command === null
        ? 'No editor was found. Set INGOT_EDITOR to the command of your editor, such as INGOT_EDITOR=code, and start `ingot dev` again.'
        : `INGOT_EDITOR is '${editor.command}', which does not start. Set it to the command of your editor, such as INGOT_EDITOR=code.`
    return problem(409, reason)
  }

  return {
    answer(request) {
      const { path, method } = request
      if (path !== OPEN_PATH && path !== `${OPEN_PATH}/token`) return null
      if (method !== 'POST') return Promise.resolve(problem(404, 'This address takes only POST.'))
      if (!isFromHere(request) || !isSameOrigin(request)) return Promise.resolve(problem(403, REFUSED))
      // A page stays open for longer than its token is accepted.
      if (path !== OPEN_PATH) return Promise.resolve(json(200, { token: tokens.issue(OPEN_PURPOSE) }))
      if (!tokens.accepts(headerOf(request, TOKEN_HEADER), OPEN_PURPOSE, request))
        return Promise.resolve(problem(401, 'The token of this page has expired.'))
      return open(request)
    },
  }
}

const REFUSED = 'Files are opened only for pages of this site, on the machine of the developer.'

/** Returns the absolute path of a site's file; null for a path that leaves the site, also through a link. */
async function fileOfSite(root: string, file: string): Promise<string | null> {
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

/** Returns the line of a template that most likely prints an element: the first one with its tag and most of its attributes. */
async function elementLine(path: string, element: string): Promise<number> {
  if ((await stat(path)).size > MAX_SEARCHED) return 1
  const [, tag = ''] = /^<([a-z][\w:-]*)/i.exec(element) ?? []
  if (tag === '') return 1
  const words = new Set(element.slice(tag.length + 1).match(/[\w-]+/g) ?? [])
  const lines = (await readFile(path, 'utf8')).split('\n')
  const opening = new RegExp(`<${tag.replaceAll(':', '\\:')}(?![\\w:-])`, 'i')
  let best = { line: 1, score: -1 }
  for (const [at, text] of lines.entries()) {
    const found = opening.exec(text)
    if (found === null) continue
    // The attributes of a long tag are on the next lines.
    const near = new Set(`${text.slice(found.index)}\n${lines.slice(at + 1, at + 4).join('\n')}`.match(/[\w-]+/g) ?? [])
    const score = [...words].filter((word) => near.has(word)).length
    if (score > best.score) best = { line: at + 1, score }
  }
  return best.line
}

function json(status: number, body: object): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    body: JSON.stringify(body),
  }
}

function problem(status: number, error: string): Reply {
  return json(status, { error })
}

function parseJson(body: Uint8Array | null): unknown {
  try {
    return JSON.parse(Buffer.from(body ?? []).toString())
  } catch {
    return null
  }
}
