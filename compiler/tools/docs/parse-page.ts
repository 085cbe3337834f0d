/**
 * Reads guides, recipes and pages about production from Markdown that a forge shows as documents: `# Name`, the summary, then parts.
 *
 *     ## A part                        a heading; `<!-- words: … -->` below it has words that the search also finds
 *     ## See it work                   the last part of a recipe, which the search does not find
 *     `app/views/pages/a.liquid`:      the next code block is a file of the kitchen
 *     `/a` prints:                     the next code block is what the files before it print at that address
 *     ### A table                      the title of the table below it
 *
 * Other code blocks are commands. Links lead to other guides and recipes (`jobs.md#migrations`, `../cookbook/rss.md`), or to generated
 * pages that a forge does not have (`reference:settings/form.html`).
 *
 * All examples are files of one site, the kitchen of `ingot init`: the tests compile it without a message and visit its addresses.
 */
import type { Block, Entry, Row } from './entry.ts'
import { codeBlock, example, heading, list, paragraph, type ProseSection, prosePage } from './page.ts'

const FENCE = /^(`{3,})[a-z]*$/
const WORDS = /^<!-- words: (.+) -->$/
const FILE_LABEL = /^`([^`]+)`:$/
const PRINTS_LABEL = /^`([^`]+)` prints:$/
/** Markdown that this parser does not read. */
const UNSUPPORTED = /^(?:#|<|>|\||\s|[*+] |\d+\. |---)/

/** The heading of the last part of a recipe. */
const TRIAL = 'See it work'

/** The lines of a page, and the position in them. */
class Lines {
  private at = 0
  readonly section: ProseSection
  private readonly file: string
  private readonly lines: readonly string[]

  constructor(section: ProseSection, file: string, markdown: string) {
    this.section = section
    this.file = file
    this.lines = markdown.split('\n')
  }

  /** The next line, without taking it. Undefined at the end. */
  get next(): string | undefined {
    return this.lines[this.at]
  }

  take(): string {
    const line = this.next
    if (line === undefined) this.fail('the guide ends too early')
    this.at++
    return line
  }

  /** Takes the next line if it matches, and returns the groups of the pattern. */
  match(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.next ?? '')
    if (found !== null) this.at++
    return found
  }

  skipBlank(): void {
    while (this.next === '') this.at++
  }

  fail(problem: string): never {
    throw new Error(`compiler/tools/docs/${this.section}/${this.file}.md:${this.at + 1}: ${problem}`)
  }
}

/**
 * Builds the pages of a section.
 * @param texts Markdown by the names of the files, without extension
 * @throws Error that names the file and the line, for Markdown that is not read
 */
export function parsePages(section: ProseSection, texts: Readonly<Record<string, string>>): readonly Entry[] {
  return Object.entries(texts).map(([file, markdown]) => parsePage(section, file, markdown))
}

/** Builds one page. @throws Error as `parsePages` does */
export function parsePage(section: ProseSection, file: string, markdown: string): Entry {
  const lines = new Lines(section, file, markdown)
  const [, name = lines.fail('the first line must be `# Name`')] = lines.match(/^# (.+)$/) ?? []
  // The search finds the pages about production by their texts only.
  const words = section === 'production' ? {} : { words: takeWords(lines) }
  lines.skipBlank()
  const summary = takeParagraph(lines)
  const blocks: Block[] = []
  for (lines.skipBlank(); lines.next !== undefined; lines.skipBlank()) blocks.push(takeBlock(lines))
  return prosePage(section, file, { name, summary, ...words, blocks })
}

function takeWords(lines: Lines): string {
  const [, words = lines.fail('a heading is followed by `<!-- words: … -->`')] = lines.match(WORDS) ?? []
  return words
}

function takeBlock(lines: Lines): Block {
  const line = lines.next ?? ''
  const [, title] = lines.match(/^## (.+)$/) ?? []
  if (title === TRIAL) return { kind: 'title', text: title }
  if (title !== undefined) return heading(title, takeWords(lines))
  const [, tableTitle] = lines.match(/^### (.+)$/) ?? []
  if (tableTitle !== undefined) return takeTable(lines, tableTitle)
  if (FENCE.test(line)) return codeBlock(...takeCode(lines))
  if (FILE_LABEL.test(line)) return takeFiles(lines)
  if (PRINTS_LABEL.test(line)) return lines.fail('no files are before this address')
  return line.startsWith('- ') ? takeList(lines) : paragraph(takeParagraph(lines))
}

/** Takes files, and what they print if that follows. */
function takeFiles(lines: Lines): Block {
  const shown: Record<string, string> = {}
  for (;;) {
    const [, path] = lines.match(FILE_LABEL) ?? []
    if (path !== undefined) {
      shown[path] = takeLabelledCode(lines)
      continue
    }
    const [, url] = lines.match(PRINTS_LABEL) ?? []
    return url === undefined ? example(shown) : example(shown, { url, prints: takeLabelledCode(lines) })
  }
}

function takeLabelledCode(lines: Lines): string {
  lines.skipBlank()
  const code = takeCode(lines).join('\n')
  lines.skipBlank()
  return code
}

function takeCode(lines: Lines): readonly string[] {
  const [, fence = lines.fail('a code block must begin here: ``` and the language')] = lines.match(FENCE) ?? []
  const code: string[] = []
  while (lines.next !== fence) {
    if (lines.next === undefined) lines.fail(`the code block has no end: ${fence}`)
    code.push(lines.take())
  }
  lines.take()
  return code
}

function takeList(lines: Lines): Block {
  const items: string[] = []
  for (;;) {
    const [, first] = lines.match(/^- (.+)$/) ?? []
    if (first === undefined) return list(...items)
    const item = [first]
    for (let more = lines.match(/^ {2}(\S.*)$/); more !== null; more = lines.match(/^ {2}(\S.*)$/))
      item.push(more[1] ?? '')
    items.push(withPages(item.join(' '), lines))
    if (lines.next !== '' && lines.next !== undefined && !lines.next.startsWith('- '))
      lines.fail('a line of a list begins with `- ` or two spaces')
  }
}

function takeParagraph(lines: Lines): string {
  const taken: string[] = []
  while (lines.next !== undefined && lines.next !== '') {
    if (UNSUPPORTED.test(lines.next) || FENCE.test(lines.next)) lines.fail('this Markdown is not read here')
    taken.push(lines.take())
  }
  if (taken.length === 0) lines.fail('a paragraph must be here')
  return withPages(taken.join(' '), lines)
}

/** Takes a table of two columns (name, meaning) or three (name, type, meaning). */
function takeTable(lines: Lines, title: string): Block {
  lines.skipBlank()
  const heads = takeCells(lines) ?? lines.fail('a table must be below its title')
  if (lines.match(/^(?:\|---)+\|$/) === null) lines.fail('the second line of a table is |---|---|')
  const rows: Row[] = []
  for (let cells = takeCells(lines); cells !== null; cells = takeCells(lines)) {
    if (cells.length !== heads.length) lines.fail(`the row above has ${cells.length} cells instead of ${heads.length}`)
    rows.push(rowOf(cells))
  }
  const { name, type, description } = rowOf(heads)
  return { kind: 'rows', title, columnTitles: [name, type, description], rows }
}

function rowOf([name = '', second = '', third]: readonly string[]): Row {
  return third === undefined ? { name, type: '', description: second } : { name, type: second, description: third }
}

function takeCells(lines: Lines): readonly string[] | null {
  const [, row] = lines.match(/^\| (.*) \|$/) ?? []
  if (row === undefined) return null
  return row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Replaces the links of a text by links to pages of the reference. */
function withPages(content: string, { section }: Lines): string {
  return content
    .replace(/\]\(([a-z-]+)\.md(#[a-z0-9-]+)?\)/g, `](${section}/$1.html$2)`)
    .replace(/\]\(\.\.\/([a-z-]+\/[a-z-]+)\.md(#[a-z0-9-]+)?\)/g, ']($1.html$2)')
    .replaceAll('](reference:', '](')
}
