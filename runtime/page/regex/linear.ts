/** Writes a regular expression in the syntax of RE2, which runs in linear time. */
import { ArgumentFault } from '../fault.ts'
import { classText, LINEAR } from './class-text.ts'
import { mayBePlain, mayStayGreedy, type Continuation } from './commit.ts'
import type { ZeroWidthAssertion, ReadPattern, RegexNode } from './node.ts'
import { type AdjacentCharacter, besideOf, nextOf, WORD } from './words.ts'

/** A pattern of RE2, and where in its groups those of Ruby are. */
export interface LinearPattern {
  readonly source: string
  /** Group of RE2 of each group of Ruby, the whole match first. */
  readonly slots: readonly number[]
  /** Groups of RE2 that hold what only had to stand there, as the line feed behind `\Z`: it is not part of the match. */
  readonly tails: readonly number[]
  /** Groups of RE2 at a `\K`: the match begins there. */
  readonly keeps: readonly number[]
  readonly looksBehind: boolean
  /** Whether it has boundaries of words, which RE2 sees beside ASCII letters only. */
  readonly hasBoundaries: boolean
  /**
   * The same where `^` is the start of the text only: at the end of a text, behind its last line feed, Ruby sees no line
   * that begins. Null for a pattern without `^`.
   */
  readonly atEnd: string | null
}

/** Most repeats that RE2 counts. */
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
 * @param wide for texts with letters beyond ASCII: boundaries of words see them as far as what stands beside is known
 * @throws BeyondLinear for what RE2 cannot do
 */
export function linearPattern(pattern: ReadPattern, wide: boolean): LinearPattern {
  const writer = new LinearPatternWriter(PLACES['line-start'], wide)
  const source = writer.pattern(pattern)
  const atEnd = writer.startsLines ? new LinearPatternWriter('\\A', wide).pattern(pattern) : null
  const { slots, tails, keeps, looksBehind, hasBoundaries } = writer
  return { source, slots, tails, keeps, looksBehind, hasBoundaries, atEnd }
}

class LinearPatternWriter {
  readonly #lineStart: string
  readonly #wide: boolean
  readonly slots: number[] = [0]
  readonly tails: number[] = []
  readonly keeps: number[] = []
  looksBehind = false
  startsLines = false
  hasBoundaries = false
  #ignoreCase = false
  #written = 0

  constructor(lineStart: string, wide: boolean) {
    this.#lineStart = lineStart
    this.#wide = wide
  }

  pattern({ root, ignoreCase }: ReadPattern): string {
    this.#ignoreCase = ignoreCase
    const text = this.#write(root, 'end')
    return ignoreCase ? `(?i:${text})` : text
  }

  #write(node: RegexNode, rest: Continuation): string {
    switch (node.kind) {
      case 'set':
        return classText(node.set, LINEAR)
      case 'line-break':
        return LINE_BREAK
      case 'place':
        return this.#place(node.place, null, rest)
      case 'sequence':
        return this.#sequence(node.items, rest)
      case 'choice':
        return `(?:${node.options.map((each) => this.#write(each, rest)).join('|')})`
      case 'capture': {
        this.slots[node.group] = ++this.#written
        return `(${this.#write(node.body, rest)})`
      }
      case 'case':
        return this.#case(node.ignore, node.body, rest)
      case 'repeat':
        return this.#repeat(node, rest)
      case 'atomic':
        if (!mayBePlain(node.body, rest, this.#ignoreCase)) throw new BeyondLinear()
        return `(?:${this.#write(node.body, rest)})`
      case 'look':
        return this.#look(node)
      case 'reference':
        throw new BeyondLinear()
    }
  }

  #sequence(items: readonly RegexNode[], rest: Continuation): string {
    let behind = rest
    const rests = items.toReversed().map((node) => {
      const own = behind
      behind = { node, next: behind }
      return own
    })
    const texts = items.map((each, at) => {
      const own = rests[items.length - 1 - at] ?? null
      return each.kind === 'place'
        ? this.#place(each.place, besideOf(items[at - 1], 'last'), own)
        : this.#write(each, own)
    })
    return texts.join('')
  }

  #place(place: ZeroWidthAssertion, before: AdjacentCharacter, rest: Continuation): string {
    if (place === 'boundary' || place === 'no-boundary') {
      this.hasBoundaries = true
      return (this.#wide ? this.#boundary(place === 'boundary', before, nextOf(rest)) : null) ?? PLACES[place]
    }
    if (place === 'text-end-line') {
      this.tails.push(++this.#written)
      return '(?:\\z|(\\n)\\z)'
    }
    if (place === 'keep') {
      this.keeps.push(++this.#written)
      return '()'
    }
    if (place !== 'line-start') return PLACES[place]
    this.startsLines = true
    return this.#lineStart
  }

  /** A boundary of words by what is not known beside it yet; null where neither side is known. */
  #boundary(differs: boolean, before: AdjacentCharacter, next: AdjacentCharacter | 'end'): string | null {
    if (next === 'word' || next === 'other') {
      this.looksBehind = true
      return (next === 'word') === differs ? `(?<![${WORD}])` : `(?<=[${WORD}])`
    }
    if (next !== 'end' || before === null) return null
    this.tails.push(++this.#written)
    return (before === 'word') === differs ? `(?:\\z|([^${WORD}]))` : `([${WORD}])`
  }

  #case(ignore: boolean, body: RegexNode, rest: Continuation): string {
    const before = this.#ignoreCase
    this.#ignoreCase = ignore
    const text = this.#write(body, rest)
    this.#ignoreCase = before
    return `(?${ignore ? 'i' : '-i'}:${text})`
  }

  #repeat(node: RegexNode & { readonly kind: 'repeat' }, rest: Continuation): string {
    const { body, least, most, greed } = node
    if (least > MAX_COUNT || (most ?? 0) > MAX_COUNT) throw new ArgumentFault(`it repeats more than ${MAX_COUNT} times`)
    if (greed === 'possessive' && !mayStayGreedy(body, rest, this.#ignoreCase)) throw new BeyondLinear()
    const text = `(?:${this.#write(body, most === 1 ? rest : null)})`
    const count = most === null ? (least === 0 ? '*' : least === 1 ? '+' : `{${least},}`) : `{${least},${most}}`
    return `(?:${text}${least === 0 && most === 1 ? '?' : count}${greed === 'lazy' ? '?' : ''})`
  }

  #look(node: RegexNode & { readonly kind: 'look' }): string {
    if (!node.behind) throw new BeyondLinear()
    const before = this.#written
    const text = this.#write(node.body, null)
    if (this.#written > before) throw new BeyondLinear()
    this.looksBehind = true
    return `(?<${node.negated ? '!' : '='}${text})`
  }
}

/** A pattern needs more than RE2 does. */
export class BeyondLinear extends Error {}
