/** How codes name the changes that mend them: the hint, and the edits that it stands for. */
import type { Mend } from './diagnostic.ts'
import { nearest, nearestPath, slipOf } from './suggest.ts'

/** The nearest of the known names as a mend, in the place of the one that is written. */
export function meantName(name: string, known: Iterable<string>): Mend | undefined {
  return meant(name, nearest(name, known))
}

/** The nearest of names with folders. */
export function meantPath(name: string, known: Iterable<string>): Mend | undefined {
  return meant(name, nearestPath(name, known))
}

/** A name that was probably meant. Where it is not one slip of the keyboard away, somebody looks at it first. */
export function meant(name: string, suggestion: string | null): Mend | undefined {
  if (suggestion === null) return undefined
  return {
    hint: `Did you mean \`${suggestion}\`?`,
    change: { edits: [{ part: name, text: suggestion }], ...(isSlip(name, suggestion) ? {} : { safe: false }) },
  }
}

function isSlip(name: string, suggestion: string): boolean {
  return slipOf(name, [suggestion]) !== null || name.toLowerCase() === suggestion.toLowerCase()
}

/** A name that goes on up to another text, because the quote behind it is missing. */
export function cutName(name: string, known: Iterable<string>): Mend | undefined {
  const [cut] = /^[\w/-]+(?=\s*[,:|])/.exec(name) ?? []
  return cut === undefined || ![...known].includes(cut) ? undefined : { hint: `Close the quote behind \`${cut}\`.` }
}

/** What is to stand in the place of the diagnostic's whole span. */
export function instead(text: string, safe?: boolean): Mend {
  return { hint: `Write \`${text}\`.`, change: { edits: [{ text }], ...(safe === undefined ? {} : { safe }) } }
}

/**
 * A mend of which only the words are known, as the planner of queries and readers of settings give it: words that say what to write, or
 * which name was meant, stand for an edit of the diagnostic's place.
 * @param reason the message, which holds the name that is written
 */
export function inWords(hint: string | null | undefined, reason = ''): Partial<Mend> {
  if (hint === null || hint === undefined || hint === '') return {}
  const name = /^Did you mean `([^`]+)`\?$/.exec(hint)?.[1]
  // The name keeps the quotes around it.
  if (name !== undefined) {
    const edits = [{ match: '[^\\s"\'].*[^\\s"\']|[^\\s"\']', text: literally(name) }]
    const isNear = [...reason.matchAll(/`([^`]+)`/g)].some(([, written = '']) => isSlip(written, name))
    return { hint, change: { edits, ...(isNear ? {} : { safe: false }) } }
  }
  const text = /^Write `([^`…]+)`(?:, without quotes)?\.$/.exec(hint)?.[1]
  return text === undefined ? { hint } : { hint, change: { edits: [{ text }] } }
}

/** A text as it stands in the text of an edit with a `match`. */
export function literally(text: string): string {
  return text.replaceAll('$', '$$$$')
}

/** A word as it stands in a `match`. */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
