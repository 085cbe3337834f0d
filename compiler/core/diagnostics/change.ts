/** Builds hints together with the edits that they describe. */
import type { Fix } from './diagnostic.ts'
import { joinWithAnd } from './words.ts'
import { findNearest, findNearestPath, findTypo } from './suggest.ts'

/** Suggests the most similar known name instead of the written one. */
export function suggestName(name: string, knownNames: Iterable<string>): Fix | undefined {
  return suggestReplacement(name, findNearest(name, knownNames))
}

/** Suggests the most similar name among names with folders. */
export function suggestPath(name: string, knownNames: Iterable<string>): Fix | undefined {
  return suggestReplacement(name, findNearestPath(name, knownNames))
}

/** Suggests a name instead of the written one. The change is safe only if the two differ by one typo or by case. */
export function suggestReplacement(name: string, suggestion: string | null): Fix | undefined {
  if (suggestion === null) return undefined
  return {
    hint: `Did you mean \`${suggestion}\`?`,
    meant: suggestion,
    change: { edits: [{ part: name, text: suggestion }], ...(isTypo(name, suggestion) ? {} : { safe: false }) },
  }
}

function isTypo(name: string, suggestion: string): boolean {
  return findTypo(name, [suggestion]) !== null || name.toLowerCase() === suggestion.toLowerCase()
}

/** Suggests the accepted value that is most similar to the one found. */
export function suggestValue(found: string, acceptedValues: Iterable<string>): Fix | undefined {
  return suggestReplacement(found, findNearest(found.toLowerCase(), acceptedValues))
}

/** Suggests a closing quote for a name that includes the markup after it because its quote is missing. */
export function suggestClosingQuote(name: string, knownNames: Iterable<string>): Fix | undefined {
  const [cut] = /^[\w/-]+(?=\s*[,:|])/.exec(name) ?? []
  return cut === undefined || ![...knownNames].includes(cut) ? undefined : { hint: `Close the quote after \`${cut}\`.` }
}

/** Removes an argument that is not used. */
export const REMOVE_ARGUMENT: Fix = {
  hint: 'Remove the argument: it has no effect.',
  change: { edits: [{ target: 'argument', text: '' }] },
}

/** Suggests a text that replaces the whole span of the diagnostic. */
export function replaceWith(text: string, safe?: boolean): Fix {
  return { hint: `Write \`${text}\`.`, change: { edits: [{ text }], ...(safe === undefined ? {} : { safe }) } }
}

/** Escapes a text for use as `text` of an edit with a `match`. */
export function escapeReplacement(text: string): string {
  return text.replaceAll('$', '$$$$')
}

/** Escapes a text for use in a `match`. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** Returns a hint with all tables, for a name that is not similar to any of them. */
export function listTables(tables: Iterable<string>): string {
  const names = joinWithAnd(tables)
  return names === '' ? 'The site has no tables. Declare the table in `app/schema`.' : `The tables are ${names}.`
}
