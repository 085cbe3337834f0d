/** Renders the reference as HTML. All text is escaped in this module. */
import { escapeHtml } from '../../core/source/html-text.ts'
import type { Badge, Block, Entry, Link, Row, SectionName } from './entry.ts'

/** Sections in the order of the navigation, with their titles. */
export const SECTIONS: readonly (readonly [SectionName, string])[] = [
  ['tutorial', 'Tutorial'],
  ['guides', 'Guides'],
  ['cookbook', 'Cookbook'],
  ['filters', 'Filters'],
  ['tags', 'Tags'],
  ['objects', 'Objects'],
  ['settings', 'Settings'],
  ['validations', 'Validations'],
  ['diagnostics', 'Diagnostics'],
  ['production', 'In production'],
  ['tools', 'Editors and agents'],
  ['liquidjs', 'From liquidjs'],
]

/** Identifies the index page of a written reference, so that its folder may be replaced. */
export const GENERATOR = '<meta name="generator" content="ingot docs">'

/** Allows a line break after a dot or an underscore of a long name. */
function allowLineBreaks(name: string): string {
  return escapeHtml(name).replace(/[._](?=\w)/g, '$&<wbr>')
}

/** Renders text with `code` in backticks. */
export function renderInline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? `<code>${escapeHtml(part.slice(1, -1))}</code>` : escapeHtml(part)))
    .join('')
}

/** Renders text with `code` in backticks and links. Paths of pages are relative to the root. */
function renderProse(text: string): string {
  return text
    .split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/)
    .map((part) => {
      const [, label, to] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part) ?? []
      if (label === undefined || to === undefined) return renderInline(part)
      return `<a href="${escapeHtml(to.includes(':') ? to : `../${to}`)}">${renderInline(label)}</a>`
    })
    .join('')
}

const LIQUID = /\{%-?\s*#.*?%\}|\{%.*?%\}|\{\{.*?\}\}/gs
const MARKUP_TOKEN = /"[^"]*"|'[^']*'|\b\d+(?:\.\d+)?\b|(?<=^\{%-?\s*)\w+|(?<=\|\s*)\w+/g

/** Renders a template with syntax highlighting. */
function highlight(text: string): string {
  let html = ''
  let last = 0
  for (const markup of text.matchAll(LIQUID)) {
    html += escapeHtml(text.slice(last, markup.index))
    last = markup.index + markup[0].length
    html += /^\{%-?\s*#/.test(markup[0])
      ? `<span class="note">${escapeHtml(markup[0])}</span>`
      : highlightMarkup(markup[0])
  }
  return html + escapeHtml(text.slice(last))
}

function highlightMarkup(text: string): string {
  let html = ''
  let last = 0
  for (const token of text.matchAll(MARKUP_TOKEN)) {
    const kind = /^["']/.test(token[0]) ? 'str' : /^\d/.test(token[0]) ? 'num' : 'tag'
    html += `${escapeHtml(text.slice(last, token.index))}<span class="${kind}">${escapeHtml(token[0])}</span>`
    last = token.index + token[0].length
  }
  return html + escapeHtml(text.slice(last))
}

interface PageFrame {
  readonly title: string
  /** Relative path from the page to the root: `` or `../`. */
  readonly root: string
  readonly section: SectionName | 'playground' | null
  readonly search: boolean
  readonly main: string
  readonly script?: string
}

export function renderFrame({ title, root, section, search, main, script = '' }: PageFrame): string {
  const nav = SECTIONS.map(
    ([name, label]) =>
      `<a href="${root}index.html#${name}"${name === section ? ' aria-current="true"' : ''}>${escapeHtml(label)}</a>`,
  ).join('')
  const playgroundLink = `<a href="${root}playground.html"${section === 'playground' ? ' aria-current="true"' : ''}>Playground</a>`
  const searchForm = search
    ? `<form role="search" action="${root}index.html"><input type="search" name="q" placeholder="Search" aria-label="Search the reference"></form>`
    : ''
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${GENERATOR}
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}reference.css">
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="top"><div><a class="brand" href="${root}index.html">Ingot <span>reference</span></a>${searchForm}<nav aria-label="Sections">${nav}${playgroundLink}</nav></div></header>
${main}
${script === '' ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

function renderBadges(all: readonly Badge[]): string {
  return all.map(({ text, tone }) => `<span class="badge ${tone}">${escapeHtml(text)}</span>`).join('')
}

// ---- the page of an entry ----------------------------------------------------------------------------------------------

/** The sections whose names are titles. In the other sections they are names of the language. */
export const TITLED: ReadonlySet<SectionName> = new Set(['tutorial', 'guides', 'cookbook', 'production', 'tools'])

/** Renders the page of an entry, with links to the entries `before` and `after` it in the section. */
export function entryPage(entry: Entry, before: Entry | null, after: Entry | null): string {
  const [, label = ''] = SECTIONS.find(([name]) => name === entry.section) ?? []
  const neighbourLink = (to: Entry | null, rel: string, shown: (name: string) => string) =>
    to === null ? '<span></span>' : `<a rel="${rel}" href="../${escapeHtml(to.path)}">${shown(escapeHtml(to.name))}</a>`
  const main = `<main class="entry${TITLED.has(entry.section) ? ' prose' : ''}" id="content">
<p class="crumbs"><a href="../index.html#${entry.section}">${escapeHtml(label)}</a></p>
<h1>${escapeHtml(entry.name)}</h1>
${entry.badges.length === 0 ? '' : `<p>${renderBadges(entry.badges)}</p>\n`}${renderLinks(entry.links)}${mergeTitles(entry.blocks).map(renderBlock).join('\n')}
<nav class="turn" aria-label="Neighbours">${neighbourLink(before, 'prev', (name) => `← ${name}`)}${neighbourLink(after, 'next', (name) => `${name} →`)}</nav>
</main>`
  return renderFrame({
    title: `${entry.name} · ${label} · Ingot reference`,
    root: '../',
    section: entry.section,
    search: true,
    main,
  })
}

function renderLinks(all: readonly Link[]): string {
  return all
    .map(
      ({ htmlBefore, name, href }) =>
        `<p>${renderInline(htmlBefore)} <a href="../${escapeHtml(href)}"><code>${escapeHtml(name)}</code></a>.</p>\n`,
    )
    .join('')
}

/** Merges the titles of consecutive examples. */
function mergeTitles(blocks: readonly Block[]): readonly Block[] {
  const isExample = (each: Block | undefined) => each?.kind === 'example' && each.title === 'Example'
  return blocks.map((each, at) => {
    if (each.kind !== 'example' || !isExample(each)) return each
    if (isExample(blocks[at - 1])) return { ...each, title: '' }
    return isExample(blocks[at + 1]) ? { ...each, title: 'Examples' } : each
  })
}

function renderBlock(each: Block): string {
  switch (each.kind) {
    case 'words':
      return each.text === '' ? '' : `<p>${renderProse(each.text)}</p>`
    case 'list':
      return `<ul class="points">${each.items.map((item) => `<li>${renderProse(item)}</li>`).join('\n')}</ul>`
    case 'title':
      return `<h2${each.id === undefined ? '' : ` id="${escapeHtml(each.id)}"`}>${escapeHtml(each.text)}</h2>`
    case 'links':
      return renderLinks(each.links)
    case 'code':
      return `<pre class="usage" tabindex="0"><code>${each.lines.map(highlight).join('\n')}</code></pre>`
    case 'rows':
      return renderTable(each.title, each.rows, each.columnTitles)
    case 'table':
      return renderFigures(each.columnTitles, each.rows)
    case 'example':
      return renderExample(each)
  }
}

const HEADS = ['Name', 'Type', 'Meaning'] as const

function renderTable(title: string, rows: readonly Row[], heads: readonly [string, string, string] = HEADS): string {
  if (rows.length === 0) return ''
  const hasTypes = rows.some((row) => row.type !== '')
  const hasMeanings = rows.some((row) => row.description !== '')
  const cells = rows.map(
    ({ name, type, description, id, href }) =>
      `<tr${id === undefined ? '' : ` id="${escapeHtml(id)}"`}><td>${href === undefined ? allowLineBreaks(name) : `<a href="../${escapeHtml(href)}">${allowLineBreaks(name)}</a>`}</td>${hasTypes ? `<td>${renderInline(type)}</td>` : ''}${hasMeanings ? `<td>${renderProse(description)}</td>` : ''}</tr>`,
  )
  return `<h2>${escapeHtml(title)}</h2>
<div class="wide"><table><thead><tr>${[true, hasTypes, hasMeanings].map((has, at) => (has ? `<th scope="col">${escapeHtml(heads[at] ?? '')}</th>` : '')).join('')}</tr></thead>
<tbody>${cells.join('\n')}</tbody></table></div>`
}

function renderFigures(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
  return `<div class="wide"><table class="figures"><thead><tr>${heads.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table></div>`
}

/** The path shown for an example's main template. */
const PAGE = 'app/views/pages/index.liquid'

function renderExample({
  title,
  description,
  files,
  url,
  prints,
  otherwise,
  notes,
}: Block & { kind: 'example' }): string {
  const shown = files.map(
    ({ path, text }) =>
      `${path === null && files.length === 1 ? '' : `<p class="file"><code>${escapeHtml(path ?? PAGE)}</code></p>\n`}<pre tabindex="0"><code>${highlight(text)}</code></pre>`,
  )
  const noteList =
    notes.length === 0
      ? ''
      : `<ul class="notes">${notes.map((note) => `<li>${renderInline(note)}</li>`).join('')}</ul>\n`
  return `${title === '' ? '' : `<h2>${escapeHtml(title)}</h2>\n`}<figure>
${description === null ? '' : `<figcaption>${renderInline(description)}</figcaption>\n`}${shown.join('\n')}
${noteList}${otherwise === undefined ? '' : renderOutput(`${otherwise.by} prints`, otherwise.prints)}${prints === null ? '' : renderOutput(printsLabel(url, otherwise), prints)}</figure>`
}

function printsLabel(url: string | undefined, otherwise: unknown): string {
  return otherwise !== undefined ? 'Ingot prints' : url === undefined ? 'prints' : `${url} prints`
}

function renderOutput(label: string, text: string): string {
  return `<div class="prints"><span>${escapeHtml(text === '' ? `${label} nothing` : label)}</span><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`
}

/** Renders the page of the playground. @param main the content of the page, including scripts */
export function playgroundPage(main: string): string {
  return renderFrame({ title: 'Playground · Ingot reference', root: '', section: 'playground', search: true, main })
}

/** The page for a missing address. */
export function missingPage(): string {
  const main = `<main class="entry" id="content"><h1>Not found</h1><p>This page does not exist. See <a href="/index.html">the index</a>.</p></main>`
  return renderFrame({ title: 'Not here · Ingot reference', root: '/', section: null, search: true, main })
}
