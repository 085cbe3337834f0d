/** Parses character classes, `[a-z&&[^aeiou]]`, with all of Ruby's syntax. */
import { ArgumentFault } from '../fault.ts'
import {
  createRange,
  type CharSet,
  intersection,
  invert,
  letterClass,
  posixClass,
  propertySet,
  createSet,
  union,
} from './char-set.ts'
import type { Source } from './source.ts'

/** Maximum nesting of classes. */
const MAX_DEPTH = 50

/**
 * Parses the class whose opening bracket is next.
 * @throws ArgumentFault for invalid syntax
 */
export function readClass(source: Source, range: 'd' | 'a' | 'u', depth = 0): CharSet {
  if (depth > MAX_DEPTH) throw new ArgumentFault('too deeply nested')
  source.next()
  const negated = source.consume('^')
  let classSet: CharSet | null = null
  let parts: CharSet[] = []
  for (let isFirst = true; ; isFirst = false) {
    if (source.ended) throw new ArgumentFault('premature end of char-class')
    // A closing bracket in first position is literal if another closing bracket follows.
    if (source.peek() === ']' && !(isFirst && source.isNext(/\](?=[^\]]*\])/y))) {
      source.next()
      if (isFirst) throw new ArgumentFault('empty char-class')
      break
    }
    if (source.consume('&&')) {
      classSet = intersectWith(classSet, union(parts))
      parts = []
    } else parts.push(readClassItem(source, range, depth))
  }
  const set = intersectWith(classSet, union(parts))
  return negated ? invert(set) : set
}

function intersectWith(a: CharSet | null, b: CharSet): CharSet {
  return a === null ? b : intersection(a, b)
}

function readClassItem(source: Source, range: 'd' | 'a' | 'u', depth: number): CharSet {
  const posix = source.match(/\[:(\^?)([a-z]+):\]/y)
  if (posix !== null) {
    const posixSet = posixClass(posix[2] ?? '', range === 'a')
    if (posixSet === null) throw new ArgumentFault(`invalid POSIX bracket [:${posix[2]}:]`)
    return posix[1] === '^' ? invert(posixSet) : posixSet
  }
  if (source.peek() === '[') return readClass(source, range, depth + 1)
  const from = readMember(source, range)
  if (typeof from !== 'number') return from
  // A dash at the end of the class is literal.
  if (source.match(/-(?!\]|&&|\[)/y) === null) return createSet([[from, from]])
  const to = readMember(source, range)
  if (typeof to !== 'number') throw new ArgumentFault('char-class value at end of range')
  return createSet([createRange(from, to)])
}

/**
 * Parses a code point, or an escape that denotes a set.
 * @throws ArgumentFault for invalid syntax
 */
function readMember(source: Source, range: 'd' | 'a' | 'u'): number | CharSet {
  const character = source.next()
  return character === '\\' ? readEscape(source, range, true) : (character.codePointAt(0) ?? 0)
}

/**
 * Parses an escape after its backslash: a code point or a set.
 * @throws ArgumentFault for invalid syntax
 */
export function readEscape(source: Source, range: 'd' | 'a' | 'u', inClass: boolean): number | CharSet {
  const letters = letterClass(source.peek(), range === 'u')
  if (letters !== null) {
    source.next()
    return letters
  }
  if (inClass && (source.consume('R') || source.consume('X')))
    throw new ArgumentFault('no escape of several characters in a char-class')
  const property = source.match(/([pP])\{(\^?)([^}]*)\}/y)
  if (property !== null) return namedProperty(property)
  const codes = source.codes(inClass)
  return codes.length === 1 ? (codes[0] ?? 0) : createSet(codes.map((code) => [code, code] as const))
}

function namedProperty([, letter, character, name = '']: RegExpExecArray): CharSet {
  const namedSet = propertySet(name)
  if (namedSet === null) throw new ArgumentFault(`invalid character property name {${name.slice(0, 100)}}`)
  return (letter === 'P') !== (character === '^') ? invert(namedSet) : namedSet
}
