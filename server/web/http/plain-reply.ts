/** Creates the built-in replies: minimal bodies for errors, and the HTML frame of built-in pages. */
import type { Format } from '../../../runtime/page/site.ts'
import { contentType } from './formats.ts'
import type { Reply } from './message.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'This request cannot be read',
  403: 'You are not allowed to see this page',
  404: 'There is no such page',
  413: 'This request is too large',
  415: 'This content type is not supported',
  416: 'The requested range is not in the file',
  429: 'Too many requests',
  500: 'Something went wrong on this page',
  503: 'The site is not available right now',
  504: 'This page took too long',
}

/** The reason of a 503 without a database, for logs and for developers. */
export const UNREACHABLE = 'the database cannot be reached'

/** Sent with every 503, so that clients and robots wait before they try again. */
export const TRY_AGAIN = { 'retry-after': '5' } as const

/**
 * Returns a minimal answer for a status in the request's format.
 * @param detail one sentence that visitors may read
 */
export function plainReply(status: number, format: Format, detail: string | null = null): Reply {
  const reply = replyForStatus(status, format, detail)
  return status === 503 ? { ...reply, headers: { ...reply.headers, ...TRY_AGAIN } } : reply
}

/**
 * Returns a minimal answer with its reason, which the request log shows.
 * @param isShown whether the page shows the reason too, as in development
 */
export function refusedReply(status: number, format: Format, reason: string, isShown: boolean): Reply {
  return { ...plainReply(status, format, isShown ? reason : null), reason }
}

function replyForStatus(status: number, format: Format, detail: string | null): Reply {
  const title = TITLES[status] ?? 'Something went wrong'
  if (format === 'json') {
    const body = JSON.stringify({ error: title, ...(detail === null ? {} : { detail }) })
    return { status, headers: { 'content-type': contentType('json') }, body }
  }
  if (format !== 'html') {
    const body = detail === null ? `${title}.\n` : `${title}: ${detail}.\n`
    return { status, headers: { 'content-type': contentType('txt') }, body }
  }
  const text = detail === null ? '' : `<p>${html(detail)}</p>`
  return htmlReply(
    status,
    serverPage(`${title} (${status})`, `<h1>${html(title)}</h1>${text}<p class="quiet">${status}</p>`),
  )
}

/** Escapes text for HTML content and quoted attributes. */
export function html(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** Returns an HTML document as an answer. */
export function htmlReply(status: number, body: string): Reply {
  return { status, headers: { 'content-type': contentType('html') }, body }
}

/**
 * Returns an HTML document with the built-in design.
 * @param body HTML
 */
export function serverPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; --quiet: #5a6478; --line: #dde1e9; --mark: #fdeae8; --ink: #1a2030; --paper: #f7f8fa; --raised: #fff; --accent: #3b4fd8 }
@media (prefers-color-scheme: dark) { :root { --quiet: #a2acbf; --line: #2b3140; --mark: #3a1b1c; --ink: #e6e9f0; --paper: #12151c; --raised: #191d27; --accent: #9fb0ff } }
body { margin: 0 auto; padding: 2.5rem 1.5rem; max-width: 62rem; font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
a { color: var(--accent); text-underline-offset: .2em }
h1 { font-size: 1.5rem; line-height: 1.3; margin: .25rem 0 1rem }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem }
.quiet, .kind { color: var(--quiet); margin: 0 }
.place, code { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: .86rem }
.place { margin: 1rem 0 .5rem } td .place { margin: 0 } .short { white-space: nowrap }
.problem { margin: 0 0 1rem; padding: .25rem 1rem; border: 1px solid var(--line); border-radius: 10px } .problem p { margin: .5rem 0 }
pre { margin: 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); font: .86rem/1.6 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; tab-size: 2 }
button { padding: .1rem .55rem; border: 1px solid var(--line); border-radius: 7px; background: var(--raised); color: var(--accent); font: 600 .82rem/1.5 system-ui, sans-serif; cursor: pointer }
button:hover { border-color: currentcolor } a:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px }
mark { display: block; margin: 0 -1rem; padding: 0 1rem; background: var(--mark); color: inherit }
table { border-collapse: collapse; font-size: .92rem; width: 100% } td { border-top: 1px solid var(--line); padding: .4rem .75rem .4rem 0; vertical-align: top }
.studio { margin: 0 0 1.5rem; font-weight: 650 } .studio a { color: inherit; text-decoration: none }
.studio a::before { content: ""; display: inline-block; width: .9em; height: .62em; margin-right: .5em; background: var(--accent); clip-path: polygon(18% 0, 82% 0, 100% 100%, 0 100%) }
@media (max-width: 30rem) { body { padding: 1.5rem 1rem } }
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

/** Path of the studio in development. */
export const STUDIO = '/_ingot'

/**
 * Returns a built-in page for developers, with a link to the studio. The script of open pages shows its buttons with `data-ingot-file`, which open
 * a file, and with `data-ingot-fix`, which apply a fix.
 * @param body HTML
 */
export function developerPage(title: string, body: string): string {
  return serverPage(title, `<p class="studio" data-ingot-page><a href="${STUDIO}">Studio</a></p>\n${body}`)
}
