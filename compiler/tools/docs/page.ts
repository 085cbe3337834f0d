/** Builds entries, and the blocks of their pages. */
import type { Block, Entry, Row, SectionName } from './entry.ts'

/** Parts of an entry that most entries do not have. */
type Rare = 'badges' | 'links' | 'also'

export function makeEntry(entry: Omit<Entry, Rare> & Partial<Pick<Entry, Rare>>): Entry {
  return { badges: [], links: [], also: [], ...entry }
}

interface Prose {
  /** The task, as it is on the start page. */
  readonly name: string
  /** One sentence. It is the first paragraph. */
  readonly summary: string
  /** Words that a newcomer may search for. */
  readonly words?: string
  readonly blocks: readonly Block[]
}

/** What the search says about a heading of these pages. */
const PLACES = {
  tutorial: 'In the tutorial,',
  guides: 'In the guide',
  cookbook: 'In the recipe',
  production: 'In',
  tools: 'In',
} as const satisfies Partial<Record<SectionName, string>>

/** The sections whose pages consist mostly of prose. */
export type ProseSection = keyof typeof PLACES

/** Builds a page of prose. Its headings are found by the search. @param file name of the page in its section, without extension */
export function prosePage(section: ProseSection, file: string, { blocks, ...page }: Prose): Entry {
  return makeEntry({
    ...page,
    section,
    path: `${section}/${file}.html`,
    blocks: [paragraph(page.summary), ...blocks],
    also: blocks.flatMap((block) =>
      block.kind === 'title' && block.id !== undefined
        ? [{ name: block.text, summary: `${PLACES[section]} "${page.name}".`, id: block.id, words: block.words ?? '' }]
        : [],
    ),
  })
}

/** Returns a page with the rows of its tables, which the search then also finds. */
export function withRowsFound(page: Entry): Entry {
  const rows = page.blocks.flatMap((block) => (block.kind === 'rows' ? block.rows : []))
  return { ...page, also: rows.map(({ name, description, id = '' }) => ({ name, summary: description, id })) }
}

/** A heading that can be linked. @param words words that the search also finds */
export function heading(text: string, words = ''): Block {
  const id = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return { kind: 'title', text, id, words }
}

export function paragraph(text: string): Block {
  return { kind: 'words', text }
}

/** Lists names in a paragraph, if there are any. */
export function nameList(label: string, names: readonly string[]): readonly Block[] {
  return names.length === 0 ? [] : [paragraph(`${label} ${names.map((name) => `\`${name}\``).join(', ')}.`)]
}

export function list(...items: readonly string[]): Block {
  return { kind: 'list', items }
}

/** Lines of code, or commands of a shell. */
export function codeBlock(...lines: readonly string[]): Block {
  return { kind: 'code', lines }
}

export type Example = Extract<Block, { kind: 'example' }>

/** Shows files of a site. @param files path → text; the path of the main template is empty */
export function example(files: Readonly<Record<string, string>>, more: Partial<Omit<Example, 'files'>> = {}): Example {
  return {
    kind: 'example',
    title: '',
    description: null,
    files: Object.entries(files).map(([path, text]) => ({ path: path === '' ? null : path, text: text.trimEnd() })),
    prints: null,
    notes: [],
    ...more,
  }
}

type Table = Extract<Block, { kind: 'rows' }>

/** A table with a title. @param columnTitles `Name`, `Type` and `Meaning` by default */
export function table(title: string, rows: readonly Row[], columnTitles?: Table['columnTitles']): Table {
  return { kind: 'rows', title, rows, ...(columnTitles && { columnTitles }) }
}

/** A table of names with descriptions. */
export function namesTable(title: string, rows: readonly (readonly [name: string, description: string])[]): Table {
  return table(
    title,
    rows.map(([name, description]) => ({ name, type: '', description })),
  )
}

/** Returns the first sentence of a description, as a summary. */
export function firstSentence(description: string): string {
  return description.split(/(?<=\.) /)[0] ?? description
}
