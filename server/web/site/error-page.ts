/** The page that developers see when a page fails: the message, the surrounding lines, and the stack of templates. */
import { type Frame, LimitFault, type LiquidFault } from '../../../runtime/page/fault.ts'
import type { CompiledSite, Format, PageEntry } from '../../../runtime/page/site.ts'
import type { Recording } from '../../core/contracts/recording.ts'
import { contentType } from '../http/formats.ts'
import type { Reply } from '../http/message.ts'
import { developerPage, html, htmlReply, STUDIO } from '../http/plain-reply.ts'
import type { LoadedSite } from './load.ts'
import type { FileErrors } from './shown-error.ts'

/** A variable of a template, with its value as a developer reads it. */
export interface ShownVariable {
  readonly name: string
  readonly text: string
}

/** What is known about a request that failed. */
export interface FaultDetails {
  /** The variables of templates by `FILE:LINE`, as in the frames of the fault. */
  readonly variables: ReadonlyMap<string, readonly ShownVariable[]>
  /** Sections about the request: a heading, and names with values. */
  readonly sections: readonly { readonly title: string; readonly values: readonly ShownVariable[] }[]
  /** The id of the request, and its queries before the fault; null when requests are not recorded. */
  readonly recorded: { readonly request: string; readonly queries: Recording['queries'] } | null
}

const NO_DETAILS: FaultDetails = { variables: new Map(), sections: [], recorded: null }

/**
 * Returns the developer's page for a fault.
 * @param reason what the fault is a consequence of; null if it has no other cause
 */
export function faultReply(
  fault: LiquidFault,
  loadedSite: LoadedSite,
  status: number,
  format: Format,
  reason: string | null = null,
  details: FaultDetails = NO_DETAILS,
): Reply {
  const cause = fault.cause instanceof Error ? fault.cause : null
  const message = cause === null || fault instanceof LimitFault ? fault.message : `${fault.message}: ${cause.message}`
  const hint = reason === null ? faultHint(fault) : `The reason: ${reason}.`
  const [here, ...callers] = fault.frames
  const errors = here === undefined ? null : (loadedSite.errors?.(here.file) ?? null)
  if (format !== 'html') {
    const frames = fault.frames.map((frame) => `  at ${frame.file}:${frame.line}\n`).join('')
    const report = errors === null ? '' : `\n${errors.report}`
    return {
      status,
      headers: { 'content-type': contentType('txt') },
      body: `${fault.name}: ${message}\n${frames}${hint}\n${report}`,
    }
  }
  const sections = [`<p class="kind">${html(fault.name)}</p><h1>${html(message)}</h1>`]
  if (hint !== '') sections.push(`<p>${html(hint)}</p>`)
  if (here !== undefined)
    sections.push(location(here), codeFrame(loadedSite.source(here.file), here.line), variablesTable(details, here))
  if (errors !== null && here !== undefined)
    sections.push(`<h2>What the compiler says</h2>${compilerErrors(errors, here, loadedSite.source(here.file))}`)
  if (callers.length > 0) {
    const items = callers.map(
      (frame) =>
        `<details><summary><code>${html(frame.file)}:${frame.line}</code></summary>${location(frame)}${codeFrame(loadedSite.source(frame.file), frame.line)}${variablesTable(details, frame)}</details>`,
    )
    sections.push(`<h2>Called from</h2>${items.join('')}`)
  }
  if (details.recorded !== null) sections.push(recordedRequest(details.recorded))
  for (const { title, values } of details.sections) {
    if (values.length > 0) sections.push(`<h2>${html(title)}</h2>${valuesTable(values)}`)
  }
  if (cause?.stack !== undefined) {
    sections.push(`<details><summary>JavaScript stack</summary><pre>${html(cause.stack)}</pre></details>`)
  }
  return htmlReply(status, developerPage(`${fault.name}: ${message}`, sections.join('\n')))
}

/** Returns what the compiler says about a template, each error with a button that applies its fix. */
function compilerErrors({ report, shown }: FileErrors, here: Frame, source: string | null): string {
  if (shown.length === 0) return `<pre>${html(report)}</pre>`
  const items = shown.map(({ file, line, column, message, hint, fix }) => {
    const parts = [
      `<p><strong>${withCode(message)}</strong></p>`,
      location({ file, line }, `${html(file)}:${line}:${column}`),
    ]
    if (line !== here.line) parts.push(codeFrame(source, line))
    if (hint !== null) parts.push(`<p>Hint: ${withCode(hint)}</p>`)
    if (fix !== null)
      parts.push(`<p><button type="button" hidden data-ingot-fix="${html(fix.id)}">${withCode(fix.title)}</button></p>`)
    return `<div class="problem">${parts.join('')}</div>`
  })
  return items.join('')
}

/** Returns a text as HTML with its code, which is between backticks, as elements. */
function withCode(text: string): string {
  return html(text).replace(/`([^`]+)`|&#96;(.+?)&#96;/g, '<code>$1$2</code>')
}

/** Maximum number of queries that are shown. */
const MAX_QUERIES = 100

function recordedRequest({ request, queries }: NonNullable<FaultDetails['recorded']>): string {
  const link = `<p><a href="${STUDIO}/requests/request?id=${html(encodeURIComponent(request))}">This request in the studio</a></p>`
  const rows = queries.slice(0, MAX_QUERIES).map(({ name, place, ms, rows: count, error }) => {
    const result = error === null ? (count === null ? '' : `${count} ${count === 1 ? 'row' : 'rows'}`) : html(error)
    const cells = [`<code>${html(name)}</code>${place === null ? '' : location(place)}`, `${ms.toFixed(1)} ms`, result]
    return `<tr>${cells.map((cell, at) => `<td${at === 1 ? ' class="short"' : ''}>${cell}</td>`).join('')}</tr>`
  })
  const more = queries.length - rows.length
  const remainder = more > 0 ? `<p class="quiet">and ${more} more</p>` : ''
  const table = rows.length === 0 ? '<p class="quiet">None.</p>' : `<table>${rows.join('')}</table>${remainder}`
  return `<h2>Queries so far</h2>${table}${link}`
}

function variablesTable({ variables }: FaultDetails, { file, line }: Frame): string {
  const shown = variables.get(`${file}:${line}`) ?? []
  return shown.length === 0 ? '' : valuesTable(shown)
}

function valuesTable(values: readonly ShownVariable[]): string {
  const rows = values.map(
    ({ name, text }) => `<tr><td class="short"><code>${html(name)}</code></td><td><code>${html(text)}</code></td></tr>`,
  )
  return `<table>${rows.join('')}</table>`
}

/** Returns the developer's page for an unknown path, with a list of the site's pages. */
export function noPageReply(site: CompiledSite, method: string, path: string): Reply {
  const pages = withoutSecondSlugs(site.pages)
  const rows = pages.slice(0, 200).map((page) => {
    const slug = pagePath(page)
    const name = page.method === 'get' && !/[:*(]/.test(slug) ? `<a href="${html(slug)}">${html(slug)}</a>` : html(slug)
    return `<tr><td class="short">${page.method.toUpperCase()}</td><td>${name}</td><td class="short">${page.format}</td><td>${location({ file: page.file, line: 1 }, html(page.file))}</td></tr>`
  })
  const remainder = pages.length > rows.length ? `<p class="quiet">and ${pages.length - rows.length} more</p>` : ''
  const body = `<p class="kind">404</p><h1>No page answers ${html(`${method} ${path}`)}</h1>
<p>Add a page with the slug <code>404</code> to show it to visitors. The site has these pages:</p>
<table>${rows.join('')}</table>${remainder}`
  return htmlReply(404, developerPage('No such page', body))
}

/** Leaves out the second slugs of pages: `index` next to `/`. */
function withoutSecondSlugs(pages: readonly PageEntry[]): readonly PageEntry[] {
  const slugs = new Map<string, string>()
  const keyOf = ({ file, method }: PageEntry): string => `${method} ${file}`
  for (const page of pages) {
    const known = slugs.get(keyOf(page))
    if (known === undefined || page.slug.length < known.length) slugs.set(keyOf(page), page.slug)
  }
  return pages.filter((page) => slugs.get(keyOf(page)) === page.slug)
}

/** Returns the path of a page: its slug, with the extension of its format unless it is HTML. */
function pagePath({ slug, format }: PageEntry): string {
  const path = slug === '/' ? '' : slug
  if (format === 'html' || path.endsWith(`.${format}`)) return `/${path}`
  return `/${path === '' ? 'index' : path}.${format}`
}

function faultHint(fault: LiquidFault): string {
  if (!(fault instanceof LimitFault)) return ''
  if (fault.limit === 'time') return 'The page was stopped because it ran for too long.'
  if (fault.limit === 'depth') return 'A partial calls itself, directly or through others, without an end.'
  if (fault.limit === 'steps') return 'A loop runs too often, or processes too much text: limit it, or split the work.'
  return 'The page prints more than a page may.'
}

/** Returns a place with a button that opens it in the editor. The script of open pages shows the button. @param text HTML */
function location({ file, line }: Pick<Frame, 'file' | 'line'>, text = `${html(file)}:${line}`): string {
  const name = html(`Open ${file} in the editor`)
  return `<p class="place">${text} <button type="button" hidden data-ingot-file="${html(file)}" data-ingot-line="${line}" aria-label="${name}">Open</button></p>`
}

const CONTEXT_LINES = 4

function codeFrame(source: string | null, line: number): string {
  if (source === null) return ''
  const lines = source.split(/\r?\n/)
  const firstLine = Math.max(1, line - CONTEXT_LINES)
  const lastLine = Math.min(lines.length, line + CONTEXT_LINES)
  const width = String(lastLine).length
  const rows: string[] = []
  for (let number = firstLine; number <= lastLine; number++) {
    const text = `${String(number).padStart(width)} | ${lines[number - 1] ?? ''}`
    rows.push(number === line ? `<mark>${html(text)}</mark>` : html(text))
  }
  // The marked line is a block, so a line break after it would be an empty line.
  return `<pre class="code">${rows.join('\n').replace('</mark>\n', '</mark>')}</pre>`
}
