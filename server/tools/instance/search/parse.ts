/**
 * Parses a search: one `select` over a stream, in a small subset of SQL. The result is a tree. No text of the search becomes part of a
 * statement.
 */
import { SearchError, type Token, tokensOf } from './tokens.ts'

export interface Search {
  /** Null for `*`. */
  readonly items: readonly Item[] | null
  readonly from: string
  readonly where: Condition | null
  readonly groupBy: readonly string[]
  readonly orderBy: readonly { readonly name: string; readonly descending: boolean }[]
  readonly limit: number | null
  readonly offset: number
}

export type Item =
  | { readonly kind: 'column'; readonly name: string; readonly as: string }
  /** `of` is null for `count(*)`; `share` is the second argument of a percentile. */
  | {
      readonly kind: 'call'
      readonly call: Aggregate
      readonly of: string | null
      readonly share: number | null
      readonly as: string
    }

type Aggregate = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'percentile'

export type Literal = string | number

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'compare'; readonly column: string; readonly sign: Comparison; readonly value: Literal }
  | { readonly kind: 'like'; readonly column: string; readonly pattern: string; readonly anyCase: boolean }
  | { readonly kind: 'in'; readonly column: string; readonly values: readonly Literal[] }
  | { readonly kind: 'null'; readonly column: string }

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>='

/** Maximum length of a search in characters, maximum depth of parentheses, and maximum length of a list. */
const MAX_LENGTH = 10_000
const MAX_DEPTH = 50
const MAX_LIST_LENGTH = 1_000

const AGGREGATES: Readonly<Record<string, Aggregate>> = {
  count: 'count',
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  approx_percentile_cont: 'percentile',
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
}

/** Words that cannot be names of columns or aliases. */
const RESERVED: ReadonlySet<string> = new Set(
  'select from where group order by limit offset and or not in is null like ilike between as asc desc'.split(' '),
)

/** Parses a search. @throws SearchError for an invalid search */
export function parseSearch(text: string): Search {
  if (text.length > MAX_LENGTH) throw new SearchError(`the search has more than ${MAX_LENGTH} characters`)
  return new SearchParser(tokensOf(text)).search()
}

class SearchParser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  search(): Search {
    this.#expect('select')
    const items = this.#takeSign('*') ? null : this.#list(() => this.#item())
    this.#expect('from')
    const from = this.#name('the name of a stream')
    // An alias of the stream, which is ignored.
    this.#alias()
    const where = this.#take('where') ? this.#condition() : null
    const groupBy = this.#takeBoth('group', 'by') ? this.#list(() => this.#name('the name of a column')) : []
    const orderBy = this.#takeBoth('order', 'by') ? this.#list(() => this.#order()) : []
    const limit = this.#take('limit') ? this.#count() : null
    const offset = this.#take('offset') ? this.#count() : 0
    this.#takeSign(';')
    if (this.#now().kind !== 'end') throw this.#wrong('the end of the search')
    return { items, from, where, groupBy, orderBy, limit, offset }
  }

  #item(): Item {
    const token = this.#now()
    const name = this.#name('a column')
    const call = token.kind === 'word' && Object.hasOwn(AGGREGATES, name) ? AGGREGATES[name] : undefined
    if (call === undefined || !this.#takeSign('(')) return { kind: 'column', name, as: this.#alias() ?? name }
    const of = call === 'count' && this.#takeSign('*') ? null : this.#name('a column')
    const share = call === 'percentile' ? this.#share() : null
    this.#expectSign(')')
    return { kind: 'call', call, of, share, as: this.#alias() ?? `${name}(${of ?? '*'})` }
  }

  #share(): number {
    this.#expectSign(',')
    const value = this.#literal()
    if (typeof value !== 'number' || value < 0 || value > 1)
      throw new SearchError('a percentile must be a number from 0 to 1')
    return value
  }

  #alias(): string | null {
    if (this.#take('as')) return this.#name('a name')
    const token = this.#now()
    return token.kind === 'name' || (token.kind === 'word' && !RESERVED.has(token.text)) ? this.#name('a name') : null
  }

  #order(): { readonly name: string; readonly descending: boolean } {
    const name = this.#name('the name of a column')
    const descending = this.#take('desc')
    if (!descending) this.#take('asc')
    return { name, descending }
  }

  #condition(): Condition {
    const parts = [this.#conjunction()]
    while (this.#take('or')) parts.push(this.#conjunction())
    return joined('or', parts)
  }

  #conjunction(): Condition {
    const parts = [this.#negation()]
    while (this.#take('and')) parts.push(this.#negation())
    return joined('and', parts)
  }

  #negation(): Condition {
    if (++this.#depth > MAX_DEPTH) throw new SearchError('the search is nested too deeply')
    try {
      if (this.#take('not')) return { kind: 'not', part: this.#negation() }
      if (!this.#takeSign('(')) return this.#comparison()
      const inner = this.#condition()
      this.#expectSign(')')
      return inner
    } finally {
      this.#depth--
    }
  }

  #comparison(): Condition {
    const column = this.#name('a column')
    if (this.#take('is')) {
      const negated = this.#take('not')
      this.#expect('null')
      return not(negated, { kind: 'null', column })
    }
    const negated = this.#take('not')
    if (this.#take('in')) {
      this.#expectSign('(')
      const values = this.#list(() => this.#literal())
      this.#expectSign(')')
      return not(negated, { kind: 'in', column, values })
    }
    if (this.#take('between')) {
      const low = this.#literal()
      this.#expect('and')
      const high = this.#literal()
      const parts: readonly Condition[] = [
        { kind: 'compare', column, sign: '>=', value: low },
        { kind: 'compare', column, sign: '<=', value: high },
      ]
      return not(negated, { kind: 'and', parts })
    }
    const anyCase = this.#take('ilike')
    if (anyCase || this.#take('like')) {
      const pattern = String(this.#literal())
      return not(negated, { kind: 'like', column, pattern, anyCase })
    }
    const token = this.#now()
    const sign = token.kind === 'sign' && Object.hasOwn(COMPARISONS, token.text) ? COMPARISONS[token.text] : undefined
    if (negated || sign === undefined) throw this.#wrong('a comparison')
    this.#at++
    return { kind: 'compare', column, sign, value: this.#literal() }
  }

  #literal(): Literal {
    const token = this.#now()
    if (token.kind !== 'text' && token.kind !== 'number') throw this.#wrong('a value')
    this.#at++
    if (token.kind === 'number') return token.value
    if (token.text.includes('\0')) throw new SearchError('texts cannot contain the character NUL')
    return token.text
  }

  #count(): number {
    const value = this.#literal()
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw new SearchError('`limit` and `offset` need a whole number')
    return value
  }

  #list<T>(read: () => T): readonly T[] {
    const items = [read()]
    while (this.#takeSign(',')) {
      if (items.length >= MAX_LIST_LENGTH) throw new SearchError(`a list has more than ${MAX_LIST_LENGTH} parts`)
      items.push(read())
    }
    return items
  }

  #name(what: string): string {
    const token = this.#now()
    if (token.kind !== 'name' && (token.kind !== 'word' || RESERVED.has(token.text))) throw this.#wrong(what)
    if (token.text.includes('\0')) throw new SearchError('names cannot contain the character NUL')
    this.#at++
    return token.text
  }

  #now(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)]!
  }

  #isWord(word: string, offset = 0): boolean {
    const token = this.#tokens[this.#at + offset]
    return token?.kind === 'word' && token.text === word
  }

  #take(word: string): boolean {
    if (!this.#isWord(word)) return false
    this.#at++
    return true
  }

  #takeBoth(first: string, second: string): boolean {
    if (!this.#isWord(first) || !this.#isWord(second, 1)) return false
    this.#at += 2
    return true
  }

  #takeSign(sign: string): boolean {
    const token = this.#now()
    if (token.kind !== 'sign' || token.text !== sign) return false
    this.#at++
    return true
  }

  #expect(word: string): void {
    if (!this.#take(word)) throw this.#wrong(`\`${word}\``)
  }

  #expectSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#wrong(`\`${sign}\``)
  }

  #wrong(expected: string): SearchError {
    const token = this.#now()
    const found =
      token.kind === 'end' ? 'the end' : `'${token.kind === 'number' ? token.value : token.text.slice(0, 40)}'`
    return new SearchError(`expected ${expected} at character ${token.at + 1}, but found ${found}`)
  }
}

function joined(kind: 'and' | 'or', parts: readonly Condition[]): Condition {
  const [first] = parts
  return parts.length === 1 && first !== undefined ? first : { kind, parts }
}

function not(negated: boolean, part: Condition): Condition {
  return negated ? { kind: 'not', part } : part
}
