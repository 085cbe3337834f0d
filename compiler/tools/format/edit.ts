/** Changes of a text as formatting makes them: white space between two signs becomes other white space. */

export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Why a text cannot be formatted. */
export interface Unreadable {
  readonly offset: number
  readonly message: string
}

/** The edits that format a text, or why it stays as it is. */
export type Formatting =
  | { readonly edits: readonly Edit[]; readonly unreadable: null }
  | { readonly edits: null; readonly unreadable: Unreadable }

/** The edits of a text that begins at `base` of its file. */
export function editsAt(base: number, edits: readonly Edit[]): Formatting {
  return {
    edits: edits.map(({ start, end, text }) => ({ start: base + start, end: base + end, text })),
    unreadable: null,
  }
}

export function unreadableAt(offset: number, message: string): Formatting {
  return { edits: null, unreadable: { offset, message } }
}

/** The text with the edits, which touch nothing of each other and come in the order of the text. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, text: written } of edits) {
    parts.push(text.slice(at, start), written)
    at = end
  }
  return parts.join('') + text.slice(at)
}

/** Gathers the edits of a text; what is already as it should be is none. */
export class Edits {
  readonly all: Edit[] = []
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  replace(start: number, end: number, text: string): void {
    if (this.#text.slice(start, end) !== text) this.all.push({ start, end, text })
  }
}

/** The first line end of a text as it is written; null for a text in one line. */
export function lineEndIn(text: string): string | null {
  return /\r?\n/.exec(text)?.[0] ?? null
}

/** One level further in than another. */
export function deeper(indent: string): string {
  return `${indent}  `
}
