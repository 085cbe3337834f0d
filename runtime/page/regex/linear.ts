/** Prints a regular expression in the syntax of RE2, which runs in linear time. */
import { ArgumentFault } from '../fault.ts'
import { printSet, LINEAR } from './class-text.ts'
import { canBePlainGroup, canBeGreedy, type Continuation } from './possessive.ts'
import type { ZeroWidthAssertion, ParsedPattern, RegexNode } from './node.ts'
import { type AdjacentCharacter, adjacentOf, nextAdjacent, WORD } from './word-boundary.ts'

/** A pattern for RE2, with the mapping of its groups to the groups of the Ruby pattern. */
export interface LinearPattern {
  readonly source: string
  /** RE2's group for each group of the Ruby pattern. The first is the whole match. */
  readonly slots: readonly number[]
  /** RE2's groups whose text is not part of the match, such as the line feed after `\Z`. */
  readonly trailingGroups: readonly number[]
  /** RE2's groups at `\K`, which are where the match begins. */
  readonly matchStartGroups: readonly number[]
  readonly looksBehind: boolean
  /** Whether the pattern contains word boundaries. RE2 only considers ASCII letters for them. */
  readonly hasBoundaries: boolean
  /**
   * A variant of the pattern in which `^` only matches at the start of the text, because in Ruby no line begins after the last line feed.
   * Null for a pattern without `^`.
   */
  readonly atEnd: string | null
}

/** Maximum repeat count that RE2 accepts. */
const MAX_COUNT = 1000

const LINE_BREAK = '(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])'

const PLACES: Readonly<Record<Exclude<ZeroWidthAssertion, 'text-end-line' | 'keep'>, string>> = {
  'text-start': '\\A',
  'text-end': '\\z',
  'line-start': '(?m:^)',
  'line-end': '(?m:$)',
  boundary: '\\b',
  'no-boundary': '\\B',
}

/**
 * Prints a pattern for RE2.
 * @param wide whether texts contain letters beyond ASCII. Word boundaries are then expanded as far as their neighbors are known
 * @throws UnsupportedByRe2 for features that RE2 does not have
 */
export function printLinearPattern(pattern: ParsedPattern, wide: boolean): LinearPattern {
  const writer = new LinearPatternWriter(PLACES['line-start'], wide)
  const source = writer.pattern(pattern)
  const atEnd = writer.startsLines ? new LinearPatternWriter('\\A', wide).pattern(pattern) : null
  const { slots, trailingGroups, matchStartGroups, looksBehind, hasBoundaries } = writer
  return { source, slots, trailingGroups, matchStartGroups, looksBehind, hasBoundaries, atEnd }
}

class LinearPatternWriter {
  readonly #lineStart: string
  readonly #wide: boolean
  readonly slots: number[] = [0]
  readonly trailingGroups: number[] = []
  readonly matchStartGroups: number[] = []
  looksBehind = false
  startsLines = false
  hasBoundaries = false
  #ignoreCase = false
  #written = 0

  constructor(lineStart: string, wide: boolean) {
    this.#lineStart = lineStart
    this.#wide = wide
  }

  pattern({ root, ignoreCase }: ParsedPattern): string {
    this.#ignoreCase = ignoreCase
    const text = this.#write(root, 'end')
    return ignoreCase ? `(?i:${text})` : text
  }

  #write(node: RegexNode, continuation: Continuation): string {
    switch (node.kind) {
      case 'set':
        return printSet(node.set, LINEAR)
      case 'line-break':
        return LINE_BREAK
      case 'place':
        return this.#place(node.place, null, continuation)
      case 'sequence':
        return this.#sequence(node.items, continuation)
      case 'choice':
        return `(?:${node.options.map((each) => this.#write(each, continuation)).join('|')})`
      case 'capture': {
        this.slots[node.group] = ++this.#written
        return `(${this.#write(node.body, continuation)})`
      }
      case 'case':
        return this.#case(node.ignore, node.body, continuation)
      case 'repeat':
        return this.#repeat(node, continuation)
      case 'atomic':
        if (!canBePlainGroup(node.body, continuation, this.#ignoreCase)) throw new UnsupportedByRe2()
        return `(?:${this.#write(node.body, continuation)})`
      case 'look':
        return this.#lookaround(node)
      case 'reference':
        throw new UnsupportedByRe2()
    }
  }

  #sequence(items: readonly RegexNode[], continuation: Continuation): string {
    let followingNodes = continuation
    const rests = items.toReversed().map((node) => {
      const ownContinuation = followingNodes
      followingNodes = { node, next: followingNodes }
      return ownContinuation
    })
    const texts = items.map((each, at) => {
      const ownContinuation = rests[items.length - 1 - at] ?? null
      return each.kind === 'place'
        ? this.#place(each.place, adjacentOf(items[at - 1], 'last'), ownContinuation)
        : this.#write(each, ownContinuation)
    })
    return texts.join('')
  }

  #place(place: ZeroWidthAssertion, characterBefore: AdjacentCharacter, continuation: Continuation): string {
    if (place === 'boundary' || place === 'no-boundary') {
      this.hasBoundaries = true
      return (
        (this.#wide ? this.#boundary(place === 'boundary', characterBefore, nextAdjacent(continuation)) : null) ??
        PLACES[place]
      )
    }
    if (place === 'text-end-line') {
      this.trailingGroups.push(++this.#written)
      return '(?:\\z|(\\n)\\z)'
    }
    if (place === 'keep') {
      this.matchStartGroups.push(++this.#written)
      return '()'
    }
    if (place !== 'line-start') return PLACES[place]
    this.startsLines = true
    return this.#lineStart
  }

  /** Returns a word boundary for RE2 when the character on at least one side is known; otherwise null. */
  #boundary(differs: boolean, characterBefore: AdjacentCharacter, next: AdjacentCharacter | 'end'): string | null {
    if (next === 'word' || next === 'other') {
      this.looksBehind = true
      return (next === 'word') === differs ? `(?<![${WORD}])` : `(?<=[${WORD}])`
    }
    if (next !== 'end' || characterBefore === null) return null
    this.trailingGroups.push(++this.#written)
    return (characterBefore === 'word') === differs ? `(?:\\z|([^${WORD}]))` : `([${WORD}])`
  }

  #case(ignore: boolean, body: RegexNode, continuation: Continuation): string {
    const outerIgnoreCase = this.#ignoreCase
    this.#ignoreCase = ignore
    const text = this.#write(body, continuation)
    this.#ignoreCase = outerIgnoreCase
    return `(?${ignore ? 'i' : '-i'}:${text})`
  }

  #repeat(node: RegexNode & { readonly kind: 'repeat' }, continuation: Continuation): string {
    const { body, minimum, maximum, greed } = node
    if (minimum > MAX_COUNT || (maximum ?? 0) > MAX_COUNT)
      throw new ArgumentFault(`it repeats more than ${MAX_COUNT} times`)
    if (greed === 'possessive' && !canBeGreedy(body, continuation, this.#ignoreCase)) throw new UnsupportedByRe2()
    const text = `(?:${this.#write(body, maximum === 1 ? continuation : null)})`
    const count =
      maximum === null ? (minimum === 0 ? '*' : minimum === 1 ? '+' : `{${minimum},}`) : `{${minimum},${maximum}}`
    return `(?:${text}${minimum === 0 && maximum === 1 ? '?' : count}${greed === 'lazy' ? '?' : ''})`
  }

  #lookaround(node: RegexNode & { readonly kind: 'look' }): string {
    if (!node.isBehind) throw new UnsupportedByRe2()
    const outerWritten = this.#written
    const text = this.#write(node.body, null)
    if (this.#written > outerWritten) throw new UnsupportedByRe2()
    this.looksBehind = true
    return `(?<${node.negated ? '!' : '='}${text})`
  }
}

/** Thrown when a pattern uses a feature that RE2 does not have. */
export class UnsupportedByRe2 extends Error {}
