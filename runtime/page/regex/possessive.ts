/**
 * Replaces possessive repeats and atomic groups for an engine without them. A greedy repeat is equivalent when the
 * rest of the pattern cannot match the characters that backtracking would give back.
 */
import { areDisjoint, type CharSet, type Range, toRanges, createSet } from './char-set.ts'
import type { RegexNode } from './node.ts'

/** The part of the pattern that follows a node; null when it is unknown, as inside a repeat. */
export type Continuation = { readonly node: RegexNode; readonly next: Continuation } | 'end' | null

/** Checks whether a possessive repeat can be replaced by a greedy one. */
export function canBeGreedy(repeated: RegexNode, continuation: Continuation, ignoreCase: boolean): boolean {
  const followingSets = continuation === 'end' ? [] : firstSetsAfter(continuation)
  const repeatedSet = singleSet(repeated)
  if (followingSets === null || repeatedSet === null) return continuation === 'end'
  return followingSets.every((each) =>
    areDisjoint(withBothCases(each, ignoreCase), withBothCases(repeatedSet, ignoreCase)),
  )
}

/**
 * Checks whether an atomic group can be replaced by a plain group: it can match in only one way, or the rest of the pattern cannot match
 * the characters that backtracking would give back.
 */
export function canBePlainGroup(body: RegexNode, continuation: Continuation, ignoreCase: boolean): boolean {
  if (continuation === 'end' || hasFixedLength(body)) return true
  if (body.kind === 'choice') return areExclusive(body.options, ignoreCase)
  if (body.kind === 'capture') return canBePlainGroup(body.body, continuation, ignoreCase)
  const lastNode = body.kind === 'sequence' ? body.items.at(-1) : body
  const precedingNodes = body.kind === 'sequence' ? body.items.slice(0, -1) : []
  return (
    lastNode?.kind === 'repeat' &&
    lastNode.greed !== 'lazy' &&
    precedingNodes.every(hasFixedLength) &&
    canBeGreedy(lastNode.body, continuation, ignoreCase)
  )
}

/** Checks whether a node without alternatives always matches the same number of characters. */
function hasFixedLength(node: RegexNode): boolean {
  if (node.kind === 'sequence') return node.items.every(hasFixedLength)
  if (node.kind === 'capture' || node.kind === 'case') return hasFixedLength(node.body)
  if (node.kind === 'repeat') return node.minimum === node.maximum && hasFixedLength(node.body)
  return node.kind === 'set' || node.kind === 'place'
}

/** Checks whether no text can begin with more than one of the options. */
function areExclusive(options: readonly RegexNode[], ignoreCase: boolean): boolean {
  if (options.length > 50) return false
  const spelled = options.map((each) => (each.kind === 'sequence' ? each.items : [each]).map(singleSet))
  return spelled.every((one, at) => spelled.slice(at + 1).every((other) => cannotBothMatch(one, other, ignoreCase)))
}

function cannotBothMatch(a: readonly (CharSet | null)[], b: readonly (CharSet | null)[], ignoreCase: boolean): boolean {
  if (a.includes(null) || b.includes(null)) return false
  return a.some((one, at) => {
    const otherSet = b[at]
    return (
      one !== null &&
      otherSet != null &&
      areDisjoint(withBothCases(one, ignoreCase), withBothCases(otherSet, ignoreCase))
    )
  })
}

function singleSet(node: RegexNode): CharSet | null {
  if (node.kind === 'set') return node.set
  if (node.kind === 'capture' || node.kind === 'case') return singleSet(node.body)
  return null
}

/** Returns the sets of characters with which a continuation can begin; null when they are unknown. */
function firstSetsAfter(continuation: Continuation): readonly CharSet[] | null {
  const sets: CharSet[] = []
  let at = continuation
  while (at !== 'end') {
    if (at === null) return null
    const nodeSets = firstSetsOf(at.node)
    if (nodeSets === null) return null
    sets.push(...nodeSets.sets)
    if (!nodeSets.empty) return sets
    at = at.next
  }
  return sets
}

interface FirstSets {
  readonly sets: readonly CharSet[]
  /** Whether the node may match the empty text. */
  readonly empty: boolean
}

const NEWLINE = createSet([[10, 10]])

function firstSetsOf(node: RegexNode): FirstSets | null {
  switch (node.kind) {
    case 'set':
      return { sets: [node.set], empty: false }
    case 'line-break':
      return { sets: [createSet([[10, 13]]), createSet([[0x85, 0x85]]), createSet([[0x2028, 0x2029]])], empty: false }
    case 'place':
      // No character follows the end of the text. Only a line feed can follow the end of a line.
      if (node.place === 'text-end') return { sets: [], empty: false }
      return node.place === 'line-end' || node.place === 'text-end-line' ? { sets: [NEWLINE], empty: false } : null
    case 'capture':
    case 'case':
    case 'atomic':
      return firstSetsOf(node.body)
    case 'repeat': {
      const bodySets = firstSetsOf(node.body)
      return bodySets === null ? null : { sets: bodySets.sets, empty: bodySets.empty || node.minimum === 0 }
    }
    case 'choice': {
      const firsts = node.options.map(firstSetsOf)
      const knownSets = firsts.filter((each) => each !== null)
      if (knownSets.length < firsts.length) return null
      return { sets: knownSets.flatMap((each) => each.sets), empty: knownSets.some((each) => each.empty) }
    }
    case 'sequence':
      return firstSetsOfSequence(node.items)
    default:
      return null
  }
}

function firstSetsOfSequence(items: readonly RegexNode[]): FirstSets | null {
  const sets: CharSet[] = []
  for (const item of items) {
    const itemSets = firstSetsOf(item)
    if (itemSets === null) return null
    sets.push(...itemSets.sets)
    if (!itemSets.empty) return { sets, empty: false }
  }
  return { sets, empty: true }
}

/** Adds the ASCII letters of the other case to a set. */
function withBothCases(set: CharSet, ignoreCase: boolean): CharSet {
  if (!ignoreCase) return set
  const ranges = toRanges(set)
  const shared = (from: number, to: number, shift: number): Range[] =>
    ranges
      .filter(([a, b]) => a <= to && b >= from)
      .map(([a, b]): Range => [Math.max(a, from) + shift, Math.min(b, to) + shift])
  return createSet([...ranges, ...shared(65, 90, 32), ...shared(97, 122, -32)])
}
