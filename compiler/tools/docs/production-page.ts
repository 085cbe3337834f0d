/** Helpers to build the pages of the production chapter. */
import type { Block, Entry } from './entry.ts'

/** Builds a page of the chapter. The summary is its first paragraph. */
export function makePage(file: string, name: string, summary: string, blocks: readonly Block[]): Entry {
  return {
    section: 'production',
    name,
    path: `production/${file}.html`,
    summary,
    badges: [],
    links: [],
    blocks: [paragraph(summary), ...blocks],
    also: [],
  }
}

/** Builds a paragraph. */
export function paragraph(text: string): Block {
  return { kind: 'words', text }
}

/** Builds a block of shell commands, which the tests run. */
export function shellBlock(...lines: readonly string[]): Block {
  return { kind: 'code', lines }
}
