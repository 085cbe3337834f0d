/**
 * Reads guides, recipes, and pages about production and tools from Markdown that a forge shows as documents: `# Name`, the summary, then
 * parts.
 *
 *     ## A part                        a heading; `<!-- words: … -->` below it has words that the search of guides and recipes also finds
 *     ## See it work                   the last part of a recipe, which the search does not find
 *     `app/views/pages/a.liquid`:      the next code block is a file of the kitchen
 *     `/a` prints:                     the next code block is what the files before it print at that address
 *     ### A title                      the title of a table, or of files between a paragraph and a list of notes
 *     <!-- here: nginx.conf -->        the place of blocks that the code creates, by their name
 *
 * Other code blocks are commands. Links lead to other guides and recipes (`jobs.md#migrations`, `../cookbook/rss.md`), or to generated
 * pages that a forge does not have (`reference:settings/form.html`). The names in tables can be links only to generated pages.
 *
 * All examples are files of one site, the kitchen of `ingot init`: the tests compile it without a message and visit its addresses.
 */
import type { Block, Entry, Row, SectionName } from './entry.ts'
import { codeBlock, type Example, example, heading, list, paragraph, type ProseSection, prosePage } from './page.ts'
import {
  FENCE,
  FILE_LABEL,
  Lines,
  takeCode,
  takeHead,
  takeItem,
  takeLabelledCode,
  takeParagraph,
  takeWords,
  withPages,
} from './page-lines.ts'

const PRINTS_LABEL = /^`([^`]+)` prints:$/
const PLACE = /^<!-- here: (.+) -->$/
/** The heading of the last part of a recipe. */
const TRIAL = 'See it work'

/** Blocks that the code creates, by the name of their place. */
type CreatedBlocks = Readonly<Record<string, readonly Block[]>>

/**
 * Builds the pages of a section.
 * @param texts Markdown by the names of the files, without extension
 * @throws Error that names the file and the line, for Markdown that is not read
 */
export function parsePages(section: ProseSection, texts: Readonly<Record<string, string>>): readonly Entry[] {
  return Object.entries(texts).map(([file, markdown]) => parsePage(section, file, markdown))
}

/**
 * Builds one page.
 * @param created the blocks that the code creates, by name
 * @throws Error as `parsePages` does
 */
export function parsePage(section: ProseSection, file: string, markdown: string, created: CreatedBlocks = {}): Entry {
  const lines = new Lines(section, file, markdown)
  const head = takeHead(lines)
  const blocks: Block[] = []
  for (lines.skipBlank(); lines.next !== undefined; lines.skipBlank()) {
    if (PLACE.test(lines.next)) blocks.push(...takePlace(lines, created))
    else blocks.push(takeBlock(lines))
  }
  return prosePage(section, file, { ...head, blocks })
}

/**
 * Reads a Markdown file of examples: the files below the heading of each name.
 * @returns a function that returns the example of a name, and throws an error if there is none
 * @throws Error that names the file and the line, for Markdown that is not read
 */
export function parseExamples(section: SectionName, markdown: string): (name: string) => Example {
  const lines = new Lines(section, 'examples', markdown)
  takeHead(lines)
  const examples = new Map<string, Example>()
  for (lines.skipBlank(); lines.next !== undefined; lines.skipBlank()) {
    const [, name = lines.fail('an example begins here: `## Name`')] = lines.match(/^## (.+)$/) ?? []
    lines.skipBlank()
    if (!FILE_LABEL.test(lines.next ?? '')) lines.fail('a file must be below the name of an example')
    examples.set(name, { ...takeFiles(lines), title: 'Example' })
  }
  return (name) => {
    const found = examples.get(name)
    if (found === undefined) throw new Error(`compiler/tools/docs/${section}/examples.md has no example of '${name}'`)
    return found
  }
}

/** Takes a place, and returns the blocks that belong there. */
function takePlace(lines: Lines, created: CreatedBlocks): readonly Block[] {
  const [, name = ''] = PLACE.exec(lines.next ?? '') ?? []
  const blocks = created[name] ?? lines.fail(`no blocks are created with the name '${name}'`)
  lines.take()
  return blocks
}

function takeBlock(lines: Lines): Block {
  const line = lines.next ?? ''
  const [, title] = lines.match(/^## (.+)$/) ?? []
  if (title === TRIAL) return { kind: 'title', text: title }
  if (title !== undefined) return lines.hasWords ? heading(title, takeWords(lines)) : { kind: 'title', text: title }
  const [, titleBelow] = lines.match(/^### (.+)$/) ?? []
  if (titleBelow !== undefined) return takeTitled(lines, titleBelow)
  if (FENCE.test(line)) return codeBlock(...takeCode(lines))
  if (FILE_LABEL.test(line)) return takeFiles(lines)
  if (PRINTS_LABEL.test(line)) return lines.fail('no files are before this address')
  return line.startsWith('- ') ? list(...takeItems(lines)) : paragraph(takeParagraph(lines))
}

/** Takes what is below a title: a table, or files with a description and notes. */
function takeTitled(lines: Lines, title: string): Block {
  lines.skipBlank()
  if (lines.next?.startsWith('|')) return takeTable(lines, title)
  const description = takeParagraph(lines)
  lines.skipBlank()
  if (!FILE_LABEL.test(lines.next ?? '')) lines.fail('a table, or a paragraph and a file, must be below a title')
  return { ...takeFiles(lines), title, description, notes: takeItems(lines) }
}

/** Takes files, and what they print if that follows. */
function takeFiles(lines: Lines): Example {
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

function takeItems(lines: Lines): readonly string[] {
  const items: string[] = []
  for (let item = takeItem(lines); item !== null; item = takeItem(lines)) items.push(item)
  return items
}

/** Takes a table of two columns (name, meaning) or three (name, type, meaning). */
function takeTable(lines: Lines, title: string): Block {
  const heads = takeCells(lines) ?? lines.fail('a row of a table begins with `| ` and ends with ` |`')
  if (lines.match(/^(?:\|---)+\|$/) === null) lines.fail('the second line of a table is |---|---|')
  const rows: Row[] = []
  for (let cells = takeCells(lines); cells !== null; cells = takeCells(lines)) {
    if (cells.length !== heads.length) lines.fail(`the row above has ${cells.length} cells instead of ${heads.length}`)
    const row = rowOf(cells)
    rows.push({ ...row, description: withPages(row.description, lines) })
  }
  const { name, type, description } = rowOf(heads)
  return { kind: 'rows', title, columnTitles: [name, type, description], rows }
}

function rowOf([first = '', second = '', third]: readonly string[]): Row {
  const [, name = first, href] = /^\[([^\]]+)\]\(reference:([^)]+)\)$/.exec(first) ?? []
  const [type, description] = third === undefined ? ['', second] : [second, third]
  return { name, type, description, ...(href === undefined ? {} : { href }) }
}

function takeCells(lines: Lines): readonly string[] | null {
  const [, row] = lines.match(/^\| (.*) \|$/) ?? []
  if (row === undefined) return null
  return row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}
