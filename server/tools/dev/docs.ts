/**
 * The documentation at `/_ingot/docs`: the pages of `ingot docs`, which a child process writes into the data folder when they are first requested.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isFromHere } from '../../web/http/forwarded.ts'
import { typeWithCharset } from '../../web/http/media-types.ts'
import type { Reply, Request } from '../../web/http/message.ts'
import { plainReply, STUDIO } from '../../web/http/plain-reply.ts'
import { errorCodeOf } from '../../core/error-code.ts'

const DOCS_PATH = '/_ingot/docs'

export interface DocsPages {
  /** Answers requests below its path; returns null for all others. */
  answer(request: Request): Promise<Reply> | null
}

const FILE = /^(?:[\w-]+\/)*[\w-]+\.(?:html|css|js)$/
/** The page that compiles templates in the browser. */
const PLAYGROUND = 'playground.html'
/** Milliseconds in which the pages must be written. */
const WRITE_TIMEOUT = 60_000

const run = promisify(execFile)

/**
 * Creates the pages.
 * @param bin path of the `ingot` command
 * @param folder the folder that the pages are written to
 */
export function createDocsPages(bin: string, folder: string): DocsPages {
  let written: Promise<unknown> | null = null

  async function read(file: string): Promise<Reply> {
    // A failure is not kept, so the next request tries again.
    written ??= run(process.execPath, [bin, 'docs', '--out', folder], { timeout: WRITE_TIMEOUT }).catch(
      (error: unknown) => {
        written = null
        throw error
      },
    )
    try {
      await written
    } catch (error) {
      const reason = error instanceof Error ? error.message.trim() : String(error)
      return plainReply(503, 'html', `The documentation could not be written: ${reason}`)
    }
    const bytes = await readFile(join(folder, file)).catch(nullIfAbsent)
    return bytes === null ? plainReply(404, 'html') : fileReply(file, bytes)
  }

  return {
    answer(request) {
      const { path, method } = request
      if (path !== DOCS_PATH && !path.startsWith(`${DOCS_PATH}/`)) return null
      if (!isFromHere(request))
        return Promise.resolve(
          plainReply(403, 'html', 'These pages are available only on the machine of the developer'),
        )
      if (method !== 'GET' && method !== 'HEAD') return Promise.resolve(plainReply(404, 'html'))
      // The links of the pages are relative.
      if (path === DOCS_PATH)
        return Promise.resolve({ status: 302, headers: { location: `${DOCS_PATH}/index.html` }, body: '' })
      const below = path.slice(DOCS_PATH.length + 1)
      // The start page lists the pages of every folder.
      if (below.endsWith('/'))
        return Promise.resolve({ status: 302, headers: { location: `${DOCS_PATH}/index.html` }, body: '' })
      const file = below === '' ? 'index.html' : below
      return FILE.test(file) ? read(file) : Promise.resolve(plainReply(404, 'html'))
    },
  }
}

function fileReply(file: string, bytes: Buffer): Reply {
  return {
    status: 200,
    headers: {
      'content-type': typeWithCharset(file),
      'content-security-policy': policyOf(file, bytes),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    },
    body: file.endsWith('.html') ? withStudioLink(bytes.toString()) : new Uint8Array(bytes),
  }
}

/** Adds a link to the studio, which the pages do not have when they are read elsewhere. */
function withStudioLink(page: string): string {
  return page.replace(/<nav aria-label="Sections">/, (start) => `${start}<a href="${STUDIO}">Studio</a>`)
}

/** Returns a policy that allows only the scripts of the pages. */
function policyOf(file: string, bytes: Buffer): string {
  const inline = [...bytes.toString().matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  const evaluating = file === PLAYGROUND ? " 'unsafe-eval'" : ''
  return `default-src 'none'; script-src 'self'${inline.join('')}${evaluating}; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
}

/** Returns null if the error means that a file does not exist. Throws any other error. */
function nullIfAbsent(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCodeOf(error) ?? '')) return null
  throw error
}
