/** Renders the reference as Markdown for programs: a file for each entry, and `llms.txt` as an index. */
import type { Block, Entry, Row } from './entry.ts'
import { SECTIONS } from './html.ts'

/** Returns the Markdown files by path. Each file is next to the HTML page of the same entry. */
export function markdownFiles(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const files = new Map(entries.map((entry): [string, string] => [markdownPath(entry.path), entryText(entry)]))
  files.set('llms.txt', indexText(entries))
  return files
}

function markdownPath(path: string): string {
  return path.replace(/\.html(?=$|#)/, '.md')
}

function indexText(entries: readonly Entry[]): string {
  const sections = SECTIONS.map(([section, title]) => {
    const own = entries.filter((entry) => entry.section === section)
    const rows = own.map(({ name, path, summary }) => `- [${name}](${markdownPath(path)}): ${summary}`)
    return `## ${title}\n\n${rows.join('\n')}\n`
  })
  return `# Ingot

> Guides and recipes for sites written in Liquid, as Ingot compiles and serves them, and the reference of the language: filters, tags, objects, settings of files, validations of forms, and the diagnostics of the compiler.

${sections.join('\n')}`
}

/** Renders an entry as a page. */
export function entryText({ name, badges, links, blocks, path, summary }: Entry): string {
  const notes = badges.length === 0 ? [] : [badges.map(({ text }) => `*${text}*`).join(', ')]
  const shown = blocks.some(({ kind }) => kind === 'words') ? [] : [summary]
  const linkLines = links.map((link) => `${link.htmlBefore} [${link.name}](${relativeTo(path, link.href)}).`.trim())
  const parts = [`# ${name}`, ...notes, ...shown, ...linkLines, ...blocks.map((block) => blockText(block, path))]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Returns the path of an entry relative to the folder of another. */
function relativeTo(from: string, to: string): string {
  return `${from.includes('/') ? '../' : ''}${markdownPath(to)}`
}

/** Renders a text whose links lead to pages. */
function proseText(text: string, path: string): string {
  const prose = text.replace(/\]\(index\.html(?:#\w+)?\)/g, `](${relativeTo(path, 'llms.txt')})`)
  return prose.replace(
    /\]\((\w[^)\s:]*\.html)(#[^)\s]*)?\)/g,
    (_, to: string, hash: string | undefined) => `](${relativeTo(path, to)}${hash ?? ''})`,
  )
}

function blockText(block: Block, path: string): string {
  switch (block.kind) {
    case 'words':
      return proseText(block.text, path)
    case 'list':
      return block.items.map((item) => `- ${proseText(item, path)}`).join('\n')
    case 'title':
      return `## ${block.text}`
    case 'links':
      return block.links
        .map(({ htmlBefore, name, href }) => `- ${htmlBefore} [${name}](${relativeTo(path, href)})`)
        .join('\n')
    case 'code':
      return fence(block.lines.join('\n'), COMMAND.test(block.lines[0] ?? '') ? 'sh' : '')
    case 'rows':
      return rowsText(block.title, block.columnTitles ?? ['Name', 'Type', 'Meaning'], block.rows, path)
    case 'table':
      return figuresText(block.columnTitles, block.rows)
    case 'example':
      return exampleText(block)
  }
}

function rowsText(title: string, heads: readonly string[], rows: readonly Row[], path: string): string {
  const body = rows.map(({ name, type, description }) => tableLine([name, type, proseText(description, path)]))
  return [`## ${title}`, '', tableLine(heads), '|---|---|---|', ...body].join('\n')
}

function figuresText(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map(tableLine).join('\n')
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

function exampleText({
  title,
  description,
  files,
  url,
  prints,
  otherwise,
  notes,
}: Extract<Block, { kind: 'example' }>): string {
  const shown = files.flatMap(({ path, text }) => [
    ...(path === null ? [] : [`\`${path}\`:`]),
    fence(text, LANGUAGES[extensionOf(path)] ?? 'liquid'),
  ])
  return [
    ...(title === '' ? [] : [`## ${title}`]),
    ...(description === null ? [] : [description]),
    ...shown,
    ...(prints === null ? [] : [url === undefined ? 'prints' : `\`${url}\` prints`, fence(prints, '')]),
    ...(otherwise === undefined ? [] : [`and by ${otherwise.by}`, fence(otherwise.prints, '')]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
  ].join('\n\n')
}

/** The first word of a line that is typed in a shell. */
const COMMAND = /^(?:npx|npm|node|ingot|curl|mkdir|cd|rm|docker|systemctl|sudo|git) /

/** Names of languages in fences, by the extension of a file. Other files are Liquid. */
const LANGUAGES: Readonly<Record<string, string>> = {
  css: 'css',
  graphql: 'graphql',
  html: 'html',
  js: 'js',
  json: 'json',
  mjs: 'js',
  ts: 'ts',
  yaml: 'yaml',
  yml: 'yaml',
}

/** Returns the extension of a path, also of one with words after it, such as `app/site.css: replace`. */
function extensionOf(path: string | null): string {
  return /\.(\w+)(?::|$)/.exec(path ?? '')?.[1] ?? ''
}

/** Fences a text with a fence that does not occur in it. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([signs]) => signs.length))
  const marker = '`'.repeat(longest + 1)
  return `${marker}${language}\n${text.replace(/\n$/, '')}\n${marker}`
}
