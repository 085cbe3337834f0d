/** What the pages of the chapter about production are made of. */
import type { Block, Entry } from './entry.ts'

/** A page of the chapter, which begins with its summary. */
export function page(file: string, name: string, summary: string, blocks: readonly Block[]): Entry {
  return {
    section: 'production',
    name,
    path: `production/${file}.html`,
    summary,
    badges: [],
    links: [],
    blocks: [words(summary), ...blocks],
    also: [],
  }
}

/** A paragraph. */
export function words(text: string): Block {
  return { kind: 'words', text }
}

/** Lines for a shell, which the tests run. */
export function commands(...lines: readonly string[]): Block {
  return { kind: 'code', lines }
}
