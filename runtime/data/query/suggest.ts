/** Finds the name that a misspelled one was probably meant to be. */
import type { Correction } from './problem.ts'

/** Maximum length of texts to compare, because comparing longer texts would be slow. */
const MAX_LENGTH = 80

/**
 * Returns the known name that is nearest to a misspelled one; null when none is near. The allowed distance is one edit for names of up to
 * four letters, two for up to eight, and otherwise a third of the letters. The name itself is never suggested. Names that differ only in
 * case, or in `-` and `_`, are always near.
 */
export function nearest(name: string, knownNames: Iterable<string>): string | null {
  if (name.length === 0 || name.length > MAX_LENGTH) return null
  let best: string | null = null
  let bestDistance = maxDistance(name)
  const normalized = normalizeName(name)
  const letters = letterSet(name)
  for (const candidate of knownNames) {
    if (candidate === name || Math.abs(candidate.length - name.length) > bestDistance) continue
    const isVariant = candidate.length === name.length && normalizeName(candidate) === normalized
    if (!isVariant && missingLetters(letters, letterSet(candidate)) > bestDistance) continue
    const candidateDistance = isVariant ? 0.5 : distance(name, candidate, bestDistance)
    if (candidateDistance < bestDistance || (candidateDistance === bestDistance && best === null)) {
      best = candidate
      bestDistance = candidateDistance
    }
  }
  return best
}

/** Returns the nearest known name as a hint; undefined when no name is near. */
export function didYouMean(name: string, knownNames: Iterable<string>): string | undefined {
  return correctionOf(name, knownNames).hint ?? undefined
}

/**
 * Returns the nearest known name as a correction.
 * @param otherwise the hint when no name is near
 */
export function correctionOf(name: string, knownNames: Iterable<string>, otherwise: string | null = null): Correction {
  const meant = nearest(name, knownNames)
  return meant === null ? { hint: otherwise } : { hint: askFor([meant]), meant }
}

/** Asks whether one of some names was meant. `noun` says what they are. */
export function askFor(names: readonly string[], noun = ''): string {
  const quotedNames = names.map((each) => `\`${each}\``)
  const last = quotedNames.at(-1) ?? ''
  const list = quotedNames.length > 2 ? `${quotedNames.slice(0, -1).join(', ')}, or ${last}` : quotedNames.join(' or ')
  return `Did you mean ${noun}${list}?`
}

/**
 * Returns the known names that graphql-js suggests for an unknown one, the nearest first: up to 40 percent of the letters differ, and upper
 * and lower case count as one difference.
 */
export function namesLike(name: string, knownNames: readonly string[]): readonly string[] {
  const limit = Math.floor(name.length * 0.4) + 1
  return knownNames
    .map((each) => ({ each, at: Math.max(1, distance(name.toLowerCase(), each.toLowerCase(), limit)) }))
    .filter(({ at }) => at <= limit)
    .sort((a, b) => a.at - b.at || (a.each < b.each ? -1 : 1))
    .map(({ each }) => each)
}

function maxDistance(name: string): number {
  // With one edit, any name of one or two letters becomes any other name. Such names may therefore differ only in case.
  if (name.length <= 2) return 0.5
  return name.length <= 4 ? 1 : name.length <= 8 ? 2 : Math.floor(name.length / 3)
}

/** Returns a set of the letters in a name. The set has 32 bits, so several letters share a bit. */
function letterSet(name: string): number {
  let letters = 0
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31)
  return letters
}

/** Returns how many letters one name has and the other one lacks, at most. Each needs an edit, so the distance is not smaller. */
function missingLetters(a: number, b: number): number {
  return Math.max(bitCount(a & ~b), bitCount(b & ~a))
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/**
 * Returns the edit distance of two names: the number of inserted, deleted or replaced letters, and of swapped neighbors (optimal string
 * alignment). Stops early and returns a number above `limit` when the distance exceeds it.
 */
export function distance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  // Equal letters at both ends change nothing.
  let start = 0
  let [endA, endB] = [a.length, b.length]
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--
    endB--
  }
  const width = endB - start
  let [twoAbove, above, row] = [0, 1, 2].map(() => new Array<number>(width + 1).fill(0)) as [
    number[],
    number[],
    number[],
  ]
  for (let column = 0; column <= width; column++) above[column] = column
  for (let i = 1; i <= endA - start; i++) {
    const letter = a.charCodeAt(start + i - 1)
    row[0] = i
    let rowMinimum = i
    for (let j = 1; j <= width; j++) {
      const other = b.charCodeAt(start + j - 1)
      const replaced = at(above, j - 1) + (letter === other ? 0 : 1)
      let edits = Math.min(at(above, j) + 1, at(row, j - 1) + 1, replaced)
      const isSwapped =
        i > 1 && j > 1 && letter === b.charCodeAt(start + j - 2) && a.charCodeAt(start + i - 2) === other
      if (isSwapped) edits = Math.min(edits, at(twoAbove, j - 2) + 1)
      row[j] = edits
      if (edits < rowMinimum) rowMinimum = edits
    }
    if (rowMinimum > limit) return rowMinimum
    ;[twoAbove, above, row] = [above, row, twoAbove]
  }
  return at(above, width)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0
}
