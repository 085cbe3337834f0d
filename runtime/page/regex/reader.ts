/** Parses Ruby's regular expressions to a tree, in linear time. */
import { ArgumentFault } from '../fault.ts'
import { type CharSet, invert, MAX_CODE_POINT, createSet } from './char-set.ts'
import { readClass, readEscape } from './class-reader.ts'
import type { ZeroWidthAssertion, ParsedPattern, RegexNode, RegexOptions } from './node.ts'
import { Source } from './source.ts'

/** Maximum nesting of groups. */
const MAX_DEPTH = 200

/** Maximum length of a pattern in characters. */
const MAX_PATTERN = 10_000

/** The options that are in effect at a position of the pattern. */
interface Scope extends RegexOptions {
  /** The meaning of `\w` and similar classes: Ruby's default, ASCII (`(?a)`), or Unicode (`(?u)`). */
  readonly range: 'd' | 'a' | 'u'
}

/**
 * Parses a pattern.
 * @throws ArgumentFault for a pattern that is invalid in Ruby, or uses an unsupported feature
 */
export function parsePattern(source: string, options: RegexOptions): ParsedPattern {
  if (source.length > MAX_PATTERN) throw new ArgumentFault(`longer than ${MAX_PATTERN} characters`)
  const reader = new PatternReader(source, false)
  const root = reader.read(options)
  if (!reader.mixed) return { root, ignoreCase: options.ignoreCase, groups: reader.groups, names: reader.names }
  // When a pattern has named groups, its unnamed groups do not capture. The pattern is then parsed again.
  const second = new PatternReader(source, true)
  return { root: second.read(options), ignoreCase: options.ignoreCase, groups: second.groups, names: second.names }
}

const PLACES: ReadonlyMap<string, ZeroWidthAssertion> = new Map<string, ZeroWidthAssertion>([
  ['A', 'text-start'],
  ['z', 'text-end'],
  ['Z', 'text-end-line'],
  ['b', 'boundary'],
  ['B', 'no-boundary'],
  ['K', 'keep'],
])

const EMPTY: RegexNode = { kind: 'sequence', items: [] }
const NEWLINE = createSet([[10, 10]])
const ANY = createSet([[0, MAX_CODE_POINT]])

class PatternReader {
  readonly #source: Source
  readonly #namedOnly: boolean
  readonly names = new Map<string, number[]>()
  readonly #references: { readonly node: { group: number }; readonly name: string | number }[] = []
  groups = 0
  #bare = false
  #depth = 0

  constructor(source: string, namedOnly: boolean) {
    this.#source = new Source(source)
    this.#namedOnly = namedOnly
  }

  /** Returns whether the pattern has both named and unnamed groups. */
  get mixed(): boolean {
    return this.#bare && this.names.size > 0
  }

  read(options: RegexOptions): RegexNode {
    const root = this.#choice({ ...options, range: 'd' })
    if (!this.#source.ended) throw new ArgumentFault('unmatched close parenthesis')
    for (const { node, name } of this.#references) {
      const group = typeof name === 'number' ? name : this.names.get(name)?.at(-1)
      if (group === undefined) throw new ArgumentFault(`undefined name <${name}> reference`)
      // In the first of two passes, group numbers are not final, and are not checked.
      if (group < 1 || (group > this.groups && !this.mixed)) throw new ArgumentFault('invalid backref number/name')
      node.group = group
    }
    return root
  }

  #choice(scope: Scope): RegexNode {
    if (++this.#depth > MAX_DEPTH) throw new ArgumentFault('too deeply nested')
    const options = [this.#sequence(scope)]
    while (this.#source.consume('|')) options.push(this.#sequence(scope))
    this.#depth--
    return options.length === 1 ? (options[0] ?? EMPTY) : { kind: 'choice', options }
  }

  #sequence(scope: Scope): RegexNode {
    const items: RegexNode[] = []
    for (;;) {
      if (scope.extended) this.#skipSpace()
      const character = this.#source.peek()
      if (character === '' || character === '|' || character === ')') break
      const item = this.#atom(character, scope)
      if (item === null) continue
      if (item !== EMPTY || this.#isQuantifier()) items.push(this.#withQuantifiers(item, scope))
    }
    return items.length === 1 ? (items[0] ?? EMPTY) : items.length === 0 ? EMPTY : { kind: 'sequence', items }
  }

  #skipSpace(): void {
    this.#source.match(/(?:[ \t\r\n\f\v]|#[^\n]*)+/y)
  }

  /** Parses one item; returns null for a comment. */
  #atom(character: string, scope: Scope): RegexNode | null {
    const source = this.#source
    if (this.#isQuantifier()) throw new ArgumentFault('target of repeat operator is not specified')
    if (character === '(') return this.#group(scope)
    if (character === '[') return setNode(readClass(source, scope.range))
    source.next()
    if (character === '\\') return this.#escape(scope)
    if (character === '.') return setNode(scope.dotAll ? ANY : invert(NEWLINE))
    if (character === '^') return placeNode(scope.wholeText ? 'text-start' : 'line-start')
    if (character === '$') return placeNode(scope.wholeText ? 'text-end' : 'line-end')
    return setNode(literalSet(character))
  }

  #isQuantifier(): boolean {
    const character = this.#source.peek()
    return character === '*' || character === '+' || character === '?'
  }

  #withQuantifiers(atom: RegexNode, scope: Scope): RegexNode {
    let node = atom
    for (;;) {
      if (scope.extended) this.#skipSpace()
      const repeatedNode = this.#repeat(node)
      if (repeatedNode === null) return node
      node = repeatedNode
      if (++this.#depth > MAX_DEPTH) throw new ArgumentFault('too deeply nested')
    }
  }

  #repeat(body: RegexNode): RegexNode | null {
    const source = this.#source
    const character = source.match(/[*+?]/y)?.[0]
    if (character !== undefined) {
      const suffix = source.match(/[?+]/y)?.[0]
      const greed = suffix === '?' ? 'lazy' : suffix === '+' ? 'possessive' : 'greedy'
      return { kind: 'repeat', body, minimum: character === '+' ? 1 : 0, maximum: character === '?' ? 1 : null, greed }
    }
    const countMatch = source.match(/\{(?:(\d{1,9})(,?)(\d{0,9})|,(\d{1,9}))\}/y)
    if (countMatch === null) return null
    const minimum = Number(countMatch[1] ?? 0)
    const exact = countMatch[2] === '' && countMatch[4] === undefined
    const upper = countMatch[4] ?? countMatch[3] ?? ''
    const maximum = exact ? minimum : upper === '' ? null : Number(upper)
    if (maximum !== null && maximum < minimum) throw new ArgumentFault(`the range ${countMatch[0]} runs backwards`)
    const lazy = source.consume('?')
    if (!lazy || !exact) return { kind: 'repeat', body, minimum, maximum, greed: lazy ? 'lazy' : 'greedy' }
    // After `{n}`, a `?` makes the whole repeat optional.
    const fixed: RegexNode = { kind: 'repeat', body, minimum, maximum, greed: 'greedy' }
    return { kind: 'repeat', body: fixed, minimum: 0, maximum: 1, greed: 'greedy' }
  }

  #group(scope: Scope): RegexNode | null {
    const source = this.#source
    source.next()
    if (!source.consume('?')) {
      this.#bare = true
      return this.#namedOnly ? this.#groupBody(scope) : this.#capture(scope)
    }
    if (source.match(/#(?:\\[^]|[^)\\])*/y) !== null) {
      if (!source.consume(')')) throw new ArgumentFault('end pattern in group')
      return null
    }
    if (source.consume(':')) return this.#groupBody(scope)
    if (source.consume('>')) return { kind: 'atomic', body: this.#groupBody(scope) }
    const look = source.match(/<?[=!]/y)?.[0]
    if (look !== undefined)
      return { kind: 'look', isBehind: look.startsWith('<'), negated: look.endsWith('!'), body: this.#groupBody(scope) }
    const name = source.match(/<([^\W\d]\w*)>|'([^\W\d]\w*)'/uy)
    if (name !== null) return this.#capture(scope, name[1] ?? name[2])
    if (source.match(/[<']/y) !== null) throw new ArgumentFault('group name is empty or no name')
    if (source.peek() === '~') throw new ArgumentFault('it has an absence group `(?~…)`, which is not supported')
    if (source.peek() === '(') throw new ArgumentFault('it has a condition `(?(…)…)`, which is not supported')
    return this.#options(scope)
  }

  #capture(scope: Scope, name?: string): RegexNode {
    const group = ++this.groups
    if (name !== undefined) {
      const groupsOfName = this.names.get(name)
      if (groupsOfName === undefined) this.names.set(name, [group])
      else groupsOfName.push(group)
    }
    return { kind: 'capture', group, body: this.#groupBody(scope) }
  }

  #groupBody(scope: Scope): RegexNode {
    const body = this.#choice(scope)
    if (!this.#source.consume(')')) throw new ArgumentFault('end pattern with unmatched parenthesis')
    return body
  }

  /** Parses `(?im-x:…)` or `(?i)`. The latter applies up to the end of the enclosing group, including its alternatives. */
  #options(scope: Scope): RegexNode {
    const optionsMatch = this.#source.match(/([imxadu]*)(?:-([imx]*))?([:)])/y)
    if (optionsMatch === null) throw new ArgumentFault('undefined group option')
    const [, on = '', off = '', end] = optionsMatch
    const lastRange = /[adu](?=[^adu]*$)/.exec(on)?.[0]
    const flag = (letter: string, before: boolean) => (on.includes(letter) || before) && !off.includes(letter)
    const innerScope: Scope = {
      ...scope,
      ignoreCase: flag('i', scope.ignoreCase),
      dotAll: flag('m', scope.dotAll),
      extended: flag('x', scope.extended),
      range: lastRange === 'd' || lastRange === 'a' || lastRange === 'u' ? lastRange : scope.range,
    }
    const body = end === ':' ? this.#groupBody(innerScope) : this.#choice(innerScope)
    return innerScope.ignoreCase === scope.ignoreCase ? body : { kind: 'case', ignore: innerScope.ignoreCase, body }
  }

  #escape(scope: Scope): RegexNode {
    const source = this.#source
    const letter = source.peek()
    const where = PLACES.get(letter)
    if (where !== undefined) {
      source.next()
      return placeNode(where)
    }
    if (letter === 'R') {
      source.next()
      return { kind: 'line-break' }
    }
    if (letter === 'X') throw new ArgumentFault('it has `\\X`, which is not supported')
    if (letter === 'G') throw new ArgumentFault('it has `\\G`, which is not supported')
    if (letter === 'g') throw new ArgumentFault('it calls a group with `\\g`, which is not supported')
    const reference = source.match(/k(?:<(-?\w+)>|'(-?\w+)')/uy)
    if (reference !== null) return this.#reference(reference[1] ?? reference[2] ?? '')
    const number = source.match(this.groups > 9 ? /[1-9]\d?/y : /[1-9](?![0-7])/y)
    if (number !== null) return this.#reference(number[0])
    // A number that is not the number of a group is an octal character code.
    const octal = source.match(/[1-7][0-7]{1,2}/y)
    if (octal !== null) return setNode(literalSet(String.fromCodePoint(Number.parseInt(octal[0], 8))))
    const escaped = readEscape(source, scope.range, false)
    return setNode(typeof escaped === 'number' ? createSet([[escaped, escaped]]) : escaped)
  }

  #reference(writtenGroup: string): RegexNode {
    const number = /^-?\d+$/.test(writtenGroup) ? Number(writtenGroup) : null
    const node = { kind: 'reference' as const, group: 0 }
    const name = number === null ? writtenGroup : number < 0 ? this.groups + 1 + number : number
    this.#references.push({ node, name })
    return node
  }
}

function setNode(chars: CharSet): RegexNode {
  return { kind: 'set', set: chars }
}

function placeNode(where: ZeroWidthAssertion): RegexNode {
  return { kind: 'place', place: where }
}

function literalSet(character: string): CharSet {
  const code = character.codePointAt(0) ?? 0
  return createSet([[code, code]])
}
