/** Prints sets of characters in an engine's syntax. */
import type { CharSet, Range } from './char-set.ts'

/** The notation of code points and properties in RE2 or in ECMAScript (with the flag `u`). */
interface Spelling {
  readonly code: (hex: string) => string
  readonly property: 'linear' | 'native'
  /** An atom that never matches, and an atom that matches any character. */
  readonly matchNothing: string
  readonly matchAny: string
}

export const LINEAR: Spelling = {
  code: (hex) => `\\x{${hex}}`,
  property: 'linear',
  matchNothing: '[^\\x{0}-\\x{10FFFF}]',
  matchAny: '[\\x{0}-\\x{10FFFF}]',
}

export const NATIVE: Spelling = {
  code: (hex) => `\\u{${hex}}`,
  property: 'native',
  matchNothing: '[]',
  matchAny: '[^]',
}

/** Prints a set as one atom of a pattern. */
export function printSet(set: CharSet, spelling: Spelling): string {
  const { ranges, properties, negated } = set
  const only = ranges[0]
  if (ranges.length + properties.length === 0) return negated ? spelling.matchAny : spelling.matchNothing
  if (!negated && properties.length === 0 && ranges.length === 1 && only !== undefined && only[0] === only[1])
    return printCode(only[0], spelling)
  const propertyTexts = properties.map((each) => `\\${each.negated ? 'P' : 'p'}{${each[spelling.property]}}`)
  return `[${negated ? '^' : ''}${ranges.map((each) => printRange(each, spelling)).join('')}${propertyTexts.join('')}]`
}

function printRange([from, to]: Range, spelling: Spelling): string {
  return from === to ? printCode(from, spelling) : `${printCode(from, spelling)}-${printCode(to, spelling)}`
}

function printCode(code: number, spelling: Spelling): string {
  const character = String.fromCodePoint(code)
  return /[A-Za-z0-9_]/.test(character) ? character : spelling.code(code.toString(16))
}
