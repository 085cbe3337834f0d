/**
 * `GET /_ingot/source?file=&line=`: a page that shows a file of the site, for a developer without an editor that can be started. It answers only
 * requests from this machine, and shows only files of the site.
 */
import { readFile, stat } from 'node:fs/promises'
import * as z from 'zod'
import { isFromHere } from '../../web/http/forwarded.ts'
import { queryOf, type Reply, type Request } from '../../web/http/message.ts'
import { html, plainReply } from '../../web/http/plain-reply.ts'
import { fileOfSite } from './page-posts.ts'
import { type AskStudio, studioPage } from './studio-frame.ts'

const SOURCE_PATH = '/_ingot/source'
/** Number of lines that are shown above and below the marked line. */
const AROUND = 8
/** Maximum size in bytes of a file that is shown. */
const MAX_SIZE = 2_000_000

export interface SourcePage {
  /**
   * Answers requests for its path; returns null for all others.
   * @param studio answers requests for pages of the studio, which frames the source. While it is not available, there is a plain page.
   */
  answer(request: Request, studio?: AskStudio): Promise<Reply> | null
}

/** `line` is 1-based. */
const place = z.object({
  file: z.string().min(1).max(1_000),
  line: z.coerce.number().int().min(1).max(10_000_000).catch(1),
})

/** Creates the page. @param root the site's folder */
export function createSourcePage(root: string): SourcePage {
  async function show(request: Request, studio: AskStudio): Promise<Reply> {
    const read = place.safeParse(Object.fromEntries(new URLSearchParams(queryOf(request.url))))
    if (!read.success) return plainReply(400, 'html', 'The address names no file')
    const { file, line } = read.data
    const path = await fileOfSite(root, file)
    if (path === null) return plainReply(404, 'html', `'${file}' is not a file of this site`)
    if ((await stat(path)).size > MAX_SIZE) return plainReply(413, 'html', 'The file is too large for this page')
    const text = await readFile(path, 'utf8')
    if (text.includes('\0')) return plainReply(415, 'html', 'The file is not a text')
    return studioPage(request, studio, SOURCE_PATH, file, sourceBody(file, text, line))
  }

  return {
    answer(request, studio = () => null) {
      const { path, method } = request
      if (path !== SOURCE_PATH) return null
      if (!isFromHere(request))
        return Promise.resolve(plainReply(403, 'html', 'Sources are shown only on the machine of the developer'))
      if (method !== 'GET' && method !== 'HEAD') return Promise.resolve(plainReply(404, 'html'))
      return show(request, studio)
    },
  }
}

/** Returns the HTML of a source: first the lines around the marked one, then all lines. */
function sourceBody(file: string, text: string, wanted: number): string {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const line = Math.min(wanted, lines.length)
  const first = Math.max(1, line - AROUND)
  const last = Math.min(lines.length, line + AROUND)
  const isWhole = first === 1 && last === lines.length
  const whole = isWhole ? '' : `<h2>Whole file</h2>${numbered(lines, 1, line, 'The whole file')}`
  return `<h1>${html(file)}</h1>
<p class="quiet soft">Line ${line} of ${lines.length} · <button type="button" class="file" data-file="${html(file)}" data-line="${line}" data-open="/_ingot/open">Open in the editor</button></p>
${numbered(lines.slice(first - 1, last), first, line, `Lines ${first} to ${last}`)}${whole}`
}

function numbered(lines: readonly string[], first: number, marked: number, label: string): string {
  const width = String(first + lines.length - 1).length
  const shown = lines.map((text, at) => {
    const content = html(`${String(first + at).padStart(width)} | ${text}`)
    return first + at === marked ? `<mark>${content}</mark>` : `${content}\n`
  })
  return `<pre class="source" tabindex="0" role="region" aria-label="${label}">${shown.join('')}</pre>`
}
