/**
 * GraphiQL for the site's author: a page with a token that expires after minutes and works only from this page. The studio shows it in a frame at
 * `/_ingot/graphql`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { chooseEncoding } from '../../web/http/encoding.ts'
import { isFromHere } from '../../web/http/forwarded.ts'
import { typeWithCharset } from '../../web/http/media-types.ts'
import { headerOf, type Reply, type Request } from '../../web/http/message.ts'
import { html, htmlReply, plainReply, serverPage } from '../../web/http/plain-reply.ts'
import { isSameOrigin } from '../../web/http/same-origin.ts'
import type { DevTokens } from './tokens.ts'

export const GRAPHIQL_PATH = '/_ingot/graphql'
/** The page in the frame, below that path. */
const PAGE = '/page'

export interface Graphiql {
  /** Answers requests below its path; returns null for all others. */
  answer(request: Request): Reply | null
  /** Returns whether this token was issued to the page, and the page sent this request. */
  accepts(token: string, request: Request): boolean
}

/** The purpose of its tokens. */
const PURPOSE = 'graphql'
const FILE = /^\/([\w-]+(?:\.[\w-]+)*\.(?:js|css|ttf))$/

/** The page loads nothing from other hosts. Inline styles are allowed because the editor needs them. */
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/**
 * Creates the page.
 * @param assets folder of the bundled page
 */
export function createGraphiql(assets: string, tokens: DevTokens): Graphiql {
  return {
    answer(request) {
      const path = request.path
      if (!path.startsWith(`${GRAPHIQL_PATH}/`)) return null
      if (!isFromHere(request)) return forbidden()
      const below = path.slice(GRAPHIQL_PATH.length)
      if (below === '/token') {
        if (request.method !== 'POST' || !isSameOrigin(request)) return plainReply(403, 'txt')
        return {
          status: 200,
          headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' },
          body: tokens.issue(PURPOSE),
        }
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') return plainReply(404, 'html')
      if (!existsSync(join(assets, 'graphiql.js.br'))) return notBuilt()
      if (below === PAGE) return page(tokens.issue(PURPOSE))
      const file = FILE.exec(below)?.[1]
      const stored = file === undefined ? null : join(assets, `${file}.br`)
      if (file === undefined || stored === null || !existsSync(stored)) return plainReply(404, 'html')
      return assetReply(request, file, readFileSync(stored))
    },
    accepts: (token, request) => tokens.accepts(token, PURPOSE, request),
  }
}

/** Answers with an asset. @param compressed the bytes of the stored file, compressed with Brotli */
function assetReply(request: Request, file: string, compressed: Uint8Array): Reply {
  const headers = {
    'content-type': typeWithCharset(file),
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  }
  if (chooseEncoding(headerOf(request, 'accept-encoding'), ['br']) === 'br')
    return { status: 200, headers: { ...headers, 'content-encoding': 'br' }, body: compressed }
  return { status: 200, headers, body: brotliDecompressSync(compressed) }
}

function forbidden(): Reply {
  return plainReply(
    403,
    'html',
    'GraphiQL is available only on the machine of the developer. Other programs can send queries to /api/graph with a token of `ingot token create`',
  )
}

function notBuilt(): Reply {
  const text =
    'GraphiQL is not part of this build, because its packages were not installed. Queries can be sent to /api/graph.'
  return htmlReply(404, serverPage('GraphiQL', `<h1>GraphiQL is not available</h1><p>${html(text)}</p>`))
}

/** On a phone, the query is above its result, and the sidebar is a row. */
const STYLE = `html, body, main, #graphiql { height: 100%; margin: 0 }
h1 { position: absolute; clip-path: inset(50%) }
@media (max-width: 40rem) {
  .graphiql-container { flex-direction: column }
  .graphiql-container .graphiql-sidebar { flex-direction: row; width: auto; height: auto; padding: 4px 8px }
  .graphiql-container .graphiql-sidebar > button { margin: 0 !important }
  .graphiql-container .graphiql-main { flex-direction: column; min-height: 0 }
  .graphiql-container .graphiql-sessions { margin: 0 8px 8px; min-height: 0 }
  .graphiql-container #graphiql-session { flex-direction: column; gap: 8px; min-height: 0 }
  .graphiql-container .graphiql-editors, .graphiql-container .graphiql-response { min-height: 0; overflow: hidden }
  .graphiql-container .graphiql-response { padding: 0 8px }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none }
}`

function page(token: string): Reply {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="ingot-token" content="${token}">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${GRAPHIQL_PATH}/graphiql.css">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>GraphiQL</h1>
<div id="graphiql"></div>
</main>
<script type="module" src="${GRAPHIQL_PATH}/graphiql.js"></script>
</body>
</html>
`
  const { status, headers } = htmlReply(200, '')
  return {
    status,
    headers: {
      ...headers,
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'x-frame-options': 'SAMEORIGIN',
    },
    body,
  }
}
