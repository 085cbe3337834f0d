/**
 * Builds the pages of the guides from their blocks, which `parse-guide.ts` reads from Markdown, and the pages of the cookbook. All their
 * examples are files of one site, the kitchen of `ingot init`: the tests compile it without a message and visit its addresses.
 */
import type { Block, Entry } from '../entry.ts'

interface Guide {
  /** The task, as it is on the start page. */
  readonly name: string
  /** One sentence. */
  readonly summary: string
  /** Words that a newcomer may search for. */
  readonly words: string
  readonly blocks: readonly Block[]
}

/** Builds the page of a guide. @param file its name in `guides/`, without extension */
export function guide(file: string, page: Guide): Entry {
  return entryOf('guides', 'guide', file, page)
}

/** Builds the page of a recipe. @param file its name in `cookbook/`, without extension */
export function recipe(file: string, page: Guide): Entry {
  return entryOf('cookbook', 'recipe', file, page)
}

function entryOf(
  section: 'guides' | 'cookbook',
  kind: string,
  file: string,
  { name, summary, words, blocks }: Guide,
): Entry {
  return {
    section,
    name,
    path: `${section}/${file}.html`,
    summary,
    badges: [],
    links: [],
    blocks: [{ kind: 'words', text: summary }, ...blocks],
    words,
    also: blocks.flatMap((block) =>
      block.kind === 'title' && block.id !== undefined
        ? [{ name: block.text, summary: `In the ${kind} "${name}".`, id: block.id, words: block.words ?? '' }]
        : [],
    ),
  }
}

/** A heading that can be linked. @param words words that the search also finds */
export function part(title: string, words = ''): Block {
  const id = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return { kind: 'title', text: title, id, words }
}

/** The last part of a recipe: how to see that it works. */
export function trial(...items: readonly string[]): readonly Block[] {
  return [{ kind: 'title', text: 'See it work' }, list(...items)]
}

export function text(content: string): Block {
  return { kind: 'words', text: content }
}

export function list(...items: readonly string[]): Block {
  return { kind: 'list', items }
}

/** Commands of a shell. */
export function shell(...lines: readonly string[]): Block {
  return { kind: 'code', lines }
}

/** Shows files of the kitchen. @param files path → text */
export function files(shown: Readonly<Record<string, string>>): Block {
  return example(shown, null)
}

/** Shows files and what their page prints, without the layout. `…` in `prints` is any text. */
export function page(shown: Readonly<Record<string, string>>, url: string, prints: string): Block {
  return { ...example(shown, prints), url }
}

function example(shown: Readonly<Record<string, string>>, prints: string | null): Block & { kind: 'example' } {
  return {
    kind: 'example',
    title: '',
    description: null,
    files: Object.entries(shown).map(([path, content]) => ({ path, text: content.replace(/\n$/, '') })),
    prints,
    notes: [],
  }
}
