/**
 * Reads a chapter of the tutorial from Markdown. It has the form of a guide (`parse-page.ts`) and consists of steps. The tests do what the
 * page says, so these parts are data, too:
 *
 *     ## A step                                   the site has no problem after it; it may have words for the search, as in guides
 *     ```sh                                       commands in the folder of the site
 *     It prints `…`, `…`.                         lines that the commands above print
 *     `app/views/pages/a.liquid`:                 the next code block is the whole file
 *     In `app/user.yml`, replace:                 the text of the next code block, which occurs once and ends with its line;
 *     with:                                       the next code block is the new text
 *     In `app/user.yml`, replace within a line:   the same for a text that does not end with its line
 *     In `app/user.yml`, for a moment replace:    the same for a mistake; after it, a code block has `npx ingot check` and what it prints
 *     - Ben: open `/log-in`.                      what somebody does and sees, or a mail; `visit.ts` lists what items may say
 *
 * Everything else is prose.
 */
import type { Block, Entry } from '../entry.ts'
import { codeBlock, example, heading, paragraph, prosePage } from '../page.ts'
import { FENCE, FILE_LABEL, Lines, takeCode, takeHead, takeLabelledCode, takeParagraph, WORDS } from '../page-lines.ts'
import type { Chapter, Part, Step } from './step.ts'
import { printedLines, takeVisit } from './visit.ts'

const CHANGE_LABEL = /^In `([^`]+)`,( for a moment)? replace( within a line)?:$/
const COMMANDS = /^`{3,}sh$/
/** The first line of the code block below a mistake. */
const CHECK = 'npx ingot check'

/** A part, and how the page shows it. */
interface Shown {
  readonly part: Part
  readonly blocks: readonly Block[]
}

/**
 * Reads a chapter: what a reader does, and its page.
 * @param file name of the page, without extension
 * @throws Error that names the file and the line, for Markdown that is not read
 */
export function parseChapter(file: string, markdown: string): { readonly chapter: Chapter; readonly entry: Entry } {
  const lines = new Lines('tutorial', file, markdown)
  const { name, summary, words = '' } = takeHead(lines)
  const steps: Step[] = []
  const blocks: Block[] = []
  for (lines.skipBlank(); lines.next !== undefined; lines.skipBlank()) {
    const [, title = lines.fail('a step begins here: `## Title`')] = lines.match(/^## (.+)$/) ?? []
    const [, stepWords = ''] = lines.match(WORDS) ?? []
    const shown = takeParts(lines)
    steps.push({ title, words: stepWords, parts: shown.map(({ part }) => part) })
    blocks.push(heading(title, stepWords), ...shown.flatMap((each) => each.blocks))
  }
  return {
    chapter: { file, name, summary, words, steps },
    entry: prosePage('tutorial', file, { name, summary, words, blocks }),
  }
}

/** Takes the parts of a step. */
function takeParts(lines: Lines): readonly Shown[] {
  const shown: Shown[] = []
  for (lines.skipBlank(); lines.next !== undefined && !lines.next.startsWith('## '); lines.skipBlank())
    shown.push(takePart(lines, lines.next))
  return shown
}

function takePart(lines: Lines, line: string): Shown {
  if (FENCE.test(line)) return takeCommands(lines)
  if (FILE_LABEL.test(line)) return takeFile(lines)
  if (CHANGE_LABEL.test(line)) return takeChange(lines)
  if (line.startsWith('- ')) return takeVisit(lines)
  if (line === 'with:') lines.fail('no text to replace is before this')
  if (line.startsWith('It prints `')) lines.fail('no commands are before this')
  const text = takeParagraph(lines)
  return { part: { kind: 'says', text }, blocks: [paragraph(text)] }
}

function takeCommands(lines: Lines): Shown {
  const commands = takeShell(lines)
  const block = codeBlock(...commands)
  lines.skipBlank()
  if (!lines.next?.startsWith('It prints `'))
    return { part: { kind: 'run', lines: commands, prints: [] }, blocks: [block] }
  const line = lines.number
  const text = takeParagraph(lines)
  const prints = printedLines(text) ?? lines.fail('what commands print is: It prints `…`, `…`.', line)
  return { part: { kind: 'run', lines: commands, prints }, blocks: [block, paragraph(text)] }
}

/** Takes a code block without a label. */
function takeShell(lines: Lines): readonly string[] {
  if (!COMMANDS.test(lines.next ?? '')) lines.fail('commands must begin here: ```sh. Other code blocks have a label')
  return takeCode(lines)
}

function takeFile(lines: Lines): Shown {
  const [, path = ''] = lines.match(FILE_LABEL) ?? []
  const text = takeLabelledCode(lines)
  return { part: { kind: 'write', path, text: `${text}\n` }, blocks: [example({ [path]: text })] }
}

function takeChange(lines: Lines): Shown {
  const [, path = '', moment, within] = lines.match(CHANGE_LABEL) ?? []
  const end = within === undefined ? '\n' : ''
  const from = takeLabelledCode(lines)
  if (lines.match(/^with:$/) === null) lines.fail('the new text must be here, below `with:`')
  const to = takeLabelledCode(lines)
  const change = { path, from: from + end, to: to + end }
  const block = example({ [`${path}: replace`]: from, [`${path}: with`]: to })
  if (moment === undefined) return { part: { kind: 'change', ...change }, blocks: [block] }
  const line = lines.number
  const check = takeShell(lines)
  const [command, blank, ...printed] = check
  if (command !== CHECK || blank !== '' || printed.length === 0)
    lines.fail(`the code block must have \`${CHECK}\`, an empty line, and what it prints`, line)
  return { part: { kind: 'mistake', ...change, prints: printed.join('\n') }, blocks: [block, codeBlock(...check)] }
}
