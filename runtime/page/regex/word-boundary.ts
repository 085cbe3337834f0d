/**
 * Determines which characters can be next to a word boundary. When the character on one side is known, testing the other side is enough.
 */
import type { CharSet } from './char-set.ts'
import type { Continuation } from './possessive.ts'
import type { RegexNode } from './node.ts'

/** Word characters in all of Unicode, as members of a class. */
export const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}'

const ANY_WORD = /^[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]$/u
const WORD_PROPERTY = /^(?:Alphabetic|Uppercase|Lowercase|L[ultmo]?|M[nce]?|Nd|Pc)$/

/** The kind of character with which a node's match begins or ends; null when it is not known. */
export type AdjacentCharacter = 'word' | 'other' | null

export function adjacentOf(node: RegexNode | undefined, side: 'first' | 'last'): AdjacentCharacter {
  switch (node?.kind) {
    case 'set':
      return adjacentOfSet(node.set)
    case 'line-break':
      return 'other'
    case 'capture':
    case 'case':
    case 'atomic':
      return adjacentOf(node.body, side)
    case 'repeat':
      return node.minimum > 0 ? adjacentOf(node.body, side) : null
    case 'sequence':
      return adjacentOf(node.items.at(side === 'first' ? 0 : -1), side)
    case 'choice': {
      const kinds = new Set(node.options.map((each) => adjacentOf(each, side)))
      const [only] = kinds
      return kinds.size === 1 ? (only ?? null) : null
    }
    default:
      return null
  }
}

/** Returns the kind of the next character; `end` at the end of the pattern. */
export function nextAdjacent(continuation: Continuation): AdjacentCharacter | 'end' {
  if (continuation === null || continuation === 'end') return continuation
  return adjacentOf(continuation.node, 'first')
}

function adjacentOfSet({ negated, ranges, properties }: CharSet): AdjacentCharacter {
  const kindOfCode = (code: number): AdjacentCharacter => (ANY_WORD.test(String.fromCodePoint(code)) ? 'word' : 'other')
  const kinds = new Set<AdjacentCharacter>(
    properties.map((each) => (WORD_PROPERTY.test(each.linear) && !each.negated ? 'word' : null)),
  )
  for (const [from, to] of ranges) {
    // Long ranges are not searched, because that would be slow.
    if (to - from > 200) return null
    for (let code = from; code <= to; code++) kinds.add(kindOfCode(code))
  }
  const [only] = kinds
  return negated || kinds.size !== 1 ? null : (only ?? null)
}
