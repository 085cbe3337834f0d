/** The script of an open page, which keeps the page up to date (`live/page.mjs`). */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { chooseEncoding } from '../../web/http/encoding.ts'
import { typeWithCharset } from '../../web/http/media-types.ts'
import { headerOf, queryOf, type Reply, type Request } from '../../web/http/message.ts'
import { html } from '../../web/http/plain-reply.ts'

const SCRIPT_PATH = '/_ingot/live.js'

/** What the script of a page must know. */
interface PageFacts {
  /** Identifies the state of the site that the page shows. The server sends what has changed since then. */
  readonly state: string
  /** Identifies the open page. */
  readonly page: string
  /** A token for `POST /_ingot/open`; null on other machines. */
  readonly token: string | null
  /**
   * How the page can be updated: `patch` requests it again and changes the document, `reload` loads it again, and `ask` only shows that it is
   * outdated, because it was the answer to a form.
   */
  readonly update: 'patch' | 'reload' | 'ask'
}

export interface LiveScript {
  /** Answers requests for the script; returns null for all others. */
  answer(request: Request): Reply | null
  /** Adds the script to an HTML page. */
  addTo(page: string, facts: PageFacts): string
}

/** Creates the script. @param file path of its bundle, compressed with gzip */
export function createLiveScript(file: string): LiveScript {
  const compressed = existsSync(file) ? readFileSync(file) : null
  const version = compressed === null ? '0' : createHash('sha256').update(compressed).digest('hex').slice(0, 16)
  return {
    answer(request) {
      if (request.path !== SCRIPT_PATH || compressed === null) return null
      const isCurrent = queryOf(request.url) === `v=${version}`
      const headers = {
        'content-type': typeWithCharset('live.js'),
        'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
        'x-content-type-options': 'nosniff',
      }
      if (chooseEncoding(headerOf(request, 'accept-encoding'), ['gzip']) === 'gzip')
        return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed }
      return { status: 200, headers, body: gunzipSync(compressed) }
    },
    addTo(page, { state, page: id, token, update }) {
      const data = `data-state="${html(state)}" data-page="${html(id)}" data-update="${update}"`
      const own = token === null ? '' : ` data-token="${html(token)}"`
      const script = `<script src="${SCRIPT_PATH}?v=${version}" ${data}${own}></script>`
      const end = page.toLowerCase().lastIndexOf('</body>')
      return end < 0 ? page + script : page.slice(0, end) + script + page.slice(end)
    },
  }
}
