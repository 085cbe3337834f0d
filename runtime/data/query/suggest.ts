/** Finds the name that a misspelled one was probably meant to be. */

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
  for (const candidate of knownNames) {
    if (candidate === name || Math.abs(candidate.length - name.length) > bestDistance) continue
    const candidateDistance = isSpellingVariant(name, candidate) ? 0.5 : distance(name, candidate, bestDistance)
    if (candidateDistance < bestDistance || (candidateDistance === bestDistance && best === null)) {
      best = candidate
      bestDistance = candidateDistance
    }
  }
  return best
}

/** Returns the nearest known name as a hint; undefined when no name is near. */
export function didYouMean(name: string, knownNames: Iterable<string>): string | undefined {
  const suggestion = nearest(name, knownNames)
  return suggestion === null ? undefined : `Did you mean \`${suggestion}\`?`
}

function maxDistance(name: string): number {
  // With one edit, any name of one or two letters becomes any other name. Such names may therefore differ only in case.
  if (name.length <= 2) return 0.5
  return name.length <= 4 ? 1 : name.length <= 8 ? 2 : Math.floor(name.length / 3)
}

function isSpellingVariant(a: string, b: string): boolean {
  return normalizeName(a) === normalizeName(b)
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/**
 * Returns the edit distance of two names: the number of inserted, deleted or replaced letters, and of swapped neighbors (optimal string
 * alignment). Stops early and returns a number above `limit` when the distance exceeds it.
 */
export function distance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  let previousRow: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  // Cells outside of the table are infinite, so that they are never the minimum.
  const cell = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let rowMinimum = i
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let edits = Math.min(cell(above, j) + 1, cell(row, j - 1) + 1, cell(above, j - 1) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, cell(previousRow, j - 2) + 1)
      row.push(edits)
      if (edits < rowMinimum) rowMinimum = edits
    }
    if (rowMinimum > limit) return rowMinimum
    previousRow = above
    above = row
  }
  return cell(above, b.length)
}
