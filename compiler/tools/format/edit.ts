/** Edits of formatters. An edit replaces the white space between two tokens. */

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The reason why a text cannot be formatted. */
interface Unreadable {
  readonly offset: number
  readonly message: string
}

/** The edits that format a text, or the reason why it stays unchanged. */
export type Formatting =
  | { readonly edits: readonly Edit[]; readonly unreadable: null }
  | { readonly edits: null; readonly unreadable: Unreadable }

/** Returns the edits of a text that begins at `base` of its file. */
export function editsAt(base: number, edits: readonly Edit[]): Formatting {
  return {
    edits: edits.map(({ start, end, text }) => ({ start: base + start, end: base + end, text })),
    unreadable: null,
  }
}

export function unreadableAt(offset: number, message: string): Formatting {
  return { edits: null, unreadable: { offset, message } }
}

/** Collects the edits of a text. An edit that changes nothing is dropped. */
export class Edits {
  readonly edits: Edit[] = []
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  replace(start: number, end: number, text: string): void {
    if (this.#text.slice(start, end) !== text) this.edits.push({ start, end, text })
  }
}

/** Returns the first line end of a text; null for a single line. */
export function lineEndIn(text: string): string | null {
  return /\r?\n/.exec(text)?.[0] ?? null
}

/** Returns the indentation one level deeper. */
export function indentDeeper(indent: string): string {
  return `${indent}  `
}
