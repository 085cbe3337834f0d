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
} from './page-lines.ts'

const PRINTS_LABEL = /^`([^`]+)` prints:$/
/** The heading of the last part of a recipe. */
const TRIAL = 'See it work'

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
  const head = takeHead(lines)
  const blocks: Block[] = []
  for (lines.skipBlank(); lines.next !== undefined; lines.skipBlank()) blocks.push(takeBlock(lines))
  return prosePage(section, file, { ...head, blocks })
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

function takeList(lines: Lines): Block {
  const items: string[] = []
  for (let item = takeItem(lines); item !== null; item = takeItem(lines)) items.push(item)
  return list(...items)
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
