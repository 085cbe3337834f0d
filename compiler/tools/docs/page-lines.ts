/** Reads the lines of a Markdown page: texts, lists and code blocks. `parse-page.ts` explains the form of a page. */
import type { SectionName } from './entry.ts'

/** The first line of a code block. */
export const FENCE = /^(`{3,})[a-z]*$/
/** The words for the search below a heading. */
export const WORDS = /^<!-- words: (.+) -->$/
/** The label of a file. The next code block is its text. */
export const FILE_LABEL = /^`([^`]+)`:$/
/** Markdown that is not read. */
const UNSUPPORTED = /^(?:#|<|>|\||\s|[*+] |\d+\. |---)/

/** Sections whose pages and headings have words for the search. It finds other pages by their texts only. */
const WITH_WORDS: ReadonlySet<SectionName> = new Set<SectionName>(['tutorial', 'guides', 'cookbook'])

/** The lines of a page, and the position in them. */
export class Lines {
  private at = 0
  readonly section: SectionName
  private readonly file: string
  private readonly lines: readonly string[]

  constructor(section: SectionName, file: string, markdown: string) {
    this.section = section
    this.file = file
    this.lines = markdown.split('\n')
  }

  /** The next line, without taking it. Undefined at the end. */
  get next(): string | undefined {
    return this.lines[this.at]
  }

  /** The number of the next line. */
  get number(): number {
    return this.at + 1
  }

  /** Whether the page and its headings must have words for the search. */
  get hasWords(): boolean {
    return WITH_WORDS.has(this.section)
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

  /** @param line number of the line with the problem; the next one by default */
  fail(problem: string, line = this.number): never {
    throw new Error(`compiler/tools/docs/${this.section}/${this.file}.md:${line}: ${problem}`)
  }
}

/** The top of a page. */
interface Head {
  readonly name: string
  readonly summary: string
  readonly words?: string
}

/** Takes the top of a page. */
export function takeHead(lines: Lines): Head {
  const [, name = lines.fail('the first line must be `# Name`')] = lines.match(/^# (.+)$/) ?? []
  const words = lines.hasWords ? takeWords(lines) : lines.match(WORDS)?.[1]
  lines.skipBlank()
  return { name, summary: takeParagraph(lines), ...(words === undefined ? {} : { words }) }
}

/** Takes the words for the search below a heading. */
export function takeWords(lines: Lines): string {
  const [, words = lines.fail('a heading is followed by `<!-- words: … -->`')] = lines.match(WORDS) ?? []
  return words
}

/** Takes the code block below a label. */
export function takeLabelledCode(lines: Lines): string {
  lines.skipBlank()
  const code = takeCode(lines).join('\n')
  lines.skipBlank()
  return code
}

/** Takes the lines of a code block. */
export function takeCode(lines: Lines): readonly string[] {
  const [, fence = lines.fail('a code block must begin here: ``` and the language')] = lines.match(FENCE) ?? []
  const code: string[] = []
  while (lines.next !== fence) {
    if (lines.next === undefined) lines.fail(`the code block has no end: ${fence}`)
    code.push(lines.take())
  }
  lines.take()
  return code
}

/** Takes an item of a list. Null if the next line is not one. */
export function takeItem(lines: Lines): string | null {
  const [, first] = lines.match(/^- (.+)$/) ?? []
  if (first === undefined) return null
  const item = [first]
  for (let more = lines.match(/^ {2}(\S.*)$/); more !== null; more = lines.match(/^ {2}(\S.*)$/))
    item.push(more[1] ?? '')
  if (lines.next !== '' && lines.next !== undefined && !lines.next.startsWith('- '))
    lines.fail('a line of a list begins with `- ` or two spaces')
  return withPages(item.join(' '), lines)
}

/** Takes a paragraph as one line. Its links lead to pages of the reference. */
export function takeParagraph(lines: Lines): string {
  const taken: string[] = []
  while (lines.next !== undefined && lines.next !== '') {
    if (UNSUPPORTED.test(lines.next) || FENCE.test(lines.next)) lines.fail('this Markdown is not read here')
    taken.push(lines.take())
  }
  if (taken.length === 0) lines.fail('a paragraph must be here')
  return withPages(taken.join(' '), lines)
}

/** Replaces the links of a text by links to pages of the reference. */
export function withPages(content: string, { section }: Lines): string {
  return content
    .replace(/\]\(([a-z-]+)\.md(#[a-z0-9-]+)?\)/g, `](${section}/$1.html$2)`)
    .replace(/\]\(\.\.\/([a-z-]+\/[a-z-]+)\.md(#[a-z0-9-]+)?\)/g, ']($1.html$2)')
    .replaceAll('](reference:', '](')
}
