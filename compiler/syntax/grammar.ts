/**
 * The grammar of values: one grammar for all modes. What is accepted laxly stands in productions named `lax…`, which note
 * what they skipped; the phase that owns the mode decides whether a note is an error.
 *
 * Chevrotain runs every rule once with dummy tokens to learn the grammar, so whatever looks at a token or a result stands
 * inside `$.act`.
 */
import {
  EmbeddedActionsParser,
  EOF,
  type IRuleConfig,
  type IToken,
  type TokenType,
  type ParserMethod,
} from 'chevrotain'
import type {
  Accessor,
  ArrayLiteral,
  Comparison,
  ComparisonOperator,
  Expression,
  FilterCall,
  Filtered,
  HashKey,
  HashLiteral,
  Interpolation,
  Literal,
  LiteralValue,
  Lookup,
  NamedArgument,
  NameNode,
  WriteTarget,
} from '../model/ast.ts'
import type { Dialect, Syntax } from '../model/dialect.ts'
import type { Span } from '../source/span.ts'
import * as T from './tokens.ts'

/** What a lax production skipped or forgave. `kind` decides with the mode whether it is an error, a warning or nothing. */
export interface SyntaxNote {
  readonly kind:
    | 'junk-before-value'
    | 'junk-after-value'
    | 'junk-after-filter'
    | 'empty-filter'
    | 'comma-for-colon'
    | 'parenthesis'
    | 'unknown-operator'
    | 'single-quoted-json'
    | 'filtered-json-string'
    | 'unspaced-operator'
    | 'digit-name'
    | 'question-name'
    | 'question-target'
    | 'numeric-key'
    | 'accessor-on-literal'
    | 'missing-value'
    | 'braces-in-text'
    | 'space-in-target'
    | 'filter-without-effect'
    | 'junk-between-arguments'
    | 'nested-argument'
    | 'cut-text'
    | 'at-sign'
    | 'bare-bracket'
    | 'too-long'
  readonly span: Span
  readonly text: string
}

/** Rules by their own name; a tag's grammar calls them through `sub`. */
export type Rule<Result, Arguments extends unknown[] = []> = ParserMethod<Arguments, Result>

const NOTHING: Literal = { kind: 'literal', value: { type: 'nil' }, span: { file: '', start: 0, end: 0 } }

export class Grammar extends EmbeddedActionsParser {
  /** Set before each parse. */
  file = ''
  base = 0
  /** Where the text was changed on its way (a folded YAML value), every place is this one. */
  fixed: Span | null = null
  text = ''
  dialect: Dialect = 'platform'
  syntax: Syntax = 'lax'
  notes: SyntaxNote[] = []

  /** @param checked whether the rules are looked through for mistakes of ours, which a test does: it takes as long as all else */
  constructor(vocabulary: readonly TokenType[], checked: boolean) {
    super(vocabulary as TokenType[], {
      recoveryEnabled: true,
      maxLookahead: 1,
      skipValidations: !checked,
    })
  }

  /** Only whole tags and outputs are recovered from: a broken piece of one never becomes half a value. */
  // biome-ignore lint/suspicious/noExplicitAny: the base class types its rules so
  protected override RULE<F extends (...args: any[]) => any>(
    name: string,
    implementation: F,
    config?: IRuleConfig<ReturnType<F>>,
  ): ParserMethod<Parameters<F>, ReturnType<F>> {
    return super.RULE(name, implementation, { resyncEnabled: false, ...config } as IRuleConfig<ReturnType<F>>)
  }

  // ---- the combinators, public so that a tag's grammar can stand in its own file ------------------------------------

  take(index: number, type: TokenType): IToken {
    return this.consume(index, type)
  }
  /** Takes a sign and says what it means. */
  sign<Value>(index: number, type: TokenType, value: Value): Value {
    this.take(index, type)
    return value
  }
  sub<Result, Arguments extends unknown[]>(index: number, rule: Rule<Result, Arguments>, ...args: Arguments): Result {
    return this.subrule(index, rule as ParserMethod<unknown[], Result>, { ARGS: args } as never) as Result
  }
  maybe<Result>(index: number, what: (() => Result) | { GATE: () => boolean; DEF: () => Result }): Result | undefined {
    return this.option(index, what as never) as Result | undefined
  }
  repeat(index: number, what: (() => void) | { GATE: () => boolean; DEF: () => void }): void {
    this.many(index, what as never)
  }
  either<Result>(index: number, alternatives: readonly Alternative<Result>[]): Result {
    return this.or(index, { DEF: alternatives as never, IGNORE_AMBIGUITIES: true } as never) as Result
  }
  act<Result>(what: () => Result): Result {
    return this.ACTION(what)
  }
  peek(distance: number): IToken {
    return this.LA(distance)
  }
  is(distance: number, type: TokenType): boolean {
    const token = this.LA(distance)
    return token.tokenType === type || T.isA(token, type)
  }

  /** Whether `name:` comes at that distance. */
  named(distance: number): boolean {
    return this.is(distance, T.Name) && this.is(distance + 1, T.Colon)
  }

  // Recovery is done once, at the end of a tag or output: a token that is missing is never made up.
  protected override canTokenTypeBeInsertedInRecovery(): boolean {
    return false
  }
  protected override canTokenTypeBeDeletedInRecovery(): boolean {
    return false
  }

  // ---- places -------------------------------------------------------------------------------------------------------

  at(start: number, end: number): Span {
    return this.fixed ?? { file: this.file, start: this.base + start, end: this.base + end }
  }
  spanOf(token: IToken): Span {
    return this.at(token.startOffset, endOf(token))
  }
  /** From a token that was read before to the last token read. */
  since(first: IToken): Span {
    return this.at(first.startOffset, this.lastEnd(first))
  }
  private lastEnd(first: IToken): number {
    const last = this.LA(0)
    return last === undefined || last.tokenType === EOF || Number.isNaN(last.startOffset)
      ? endOf(first)
      : Math.max(endOf(last), endOf(first))
  }
  note(kind: SyntaxNote['kind'], span: Span, text = ''): void {
    this.notes.push({ kind, span, text })
  }

  // ---- names --------------------------------------------------------------------------------------------------------

  /** A variable's name. */
  readonly name: Rule<NameNode> = this.RULE('name', () => {
    const token = this.either(
      0,
      this.nameAlternatives ??
        (this.nameAlternatives = [
          { ALT: () => this.take(0, T.Name) },
          { ALT: () => this.take(0, T.DigitName) },
          // Only base Liquid has names of digits alone; they can be written and never read.
          { GATE: () => this.dialect === 'liquid', ALT: () => this.take(0, T.Integer) },
        ]),
    )
    return this.act(() => this.nameOf(token))
  })
  private nameAlternatives: Alternative<IToken>[] | undefined

  private nameOf(token: IToken): NameNode {
    const span = this.spanOf(token)
    if (token.tokenType === T.DigitName) this.note('digit-name', span, token.image)
    else if (token.image.endsWith('?')) this.note('question-name', span, token.image)
    return { name: token.image, span }
  }

  /** A name that may be written in quotes: `capture 'x'`. */
  readonly quotableName: Rule<NameNode> = this.RULE('quotableName', () =>
    this.either(0, [
      {
        ALT: () => {
          const token = this.take(0, T.Str)
          return this.act(() => ({
            name: token.image.slice(1, -1),
            span: this.at(token.startOffset + 1, endOf(token) - 1),
          }))
        },
      },
      { ALT: () => this.sub(0, this.name) },
    ]),
  )

  /** Where a write goes: `h['a'].b`. */
  readonly target: Rule<WriteTarget> = this.RULE('target', () => {
    const first = this.peek(1)
    const name = this.sub(0, this.name)
    const path: Accessor[] = []
    this.repeat(0, () => {
      const opener = this.peek(1)
      const accessor = this.sub(0, this.accessor)
      this.act(() => {
        const last = path.at(-1)
        if (this.apart(opener, last))
          this.note('space-in-target', this.spanOf(opener), last?.kind === 'key' ? last.name : name.name)
        path.push(accessor)
      })
    })
    return this.act(() => {
      if (name.name.endsWith('?')) this.note('question-target', name.span, name.name)
      return { name, path, span: this.since(first) }
    })
  })

  /** White space before an accessor, where a write may not have it: only a bracket behind another one may stand apart. */
  private apart(opener: IToken, last: Accessor | undefined): boolean {
    const before = this.text.charCodeAt(opener.startOffset - 1)
    if (before !== 32 && before !== 9 && before !== 10 && before !== 13) return false
    return opener.tokenType === T.Dot || last?.kind !== 'index'
  }

  // ---- values -------------------------------------------------------------------------------------------------------

  readonly accessor: Rule<Accessor> = this.RULE('accessor', () =>
    this.either<Accessor>(0, [
      {
        ALT: () => {
          this.take(0, T.Dot)
          const key = this.either<IToken>(1, [
            { ALT: () => this.take(0, T.Name) },
            { ALT: () => this.take(0, T.DigitName) },
            { ALT: () => this.take(0, T.Integer) },
          ])
          return this.act(() => {
            const span = this.spanOf(key)
            if (key.tokenType === T.Integer) this.note('numeric-key', span, key.image)
            return { kind: 'key', name: key.image, span }
          })
        },
      },
      {
        ALT: () => {
          const open = this.take(0, T.OpenBracket)
          const value = this.sub(0, this.primary)
          this.take(0, T.CloseBracket)
          return this.act(() => ({ kind: 'index', value, span: this.since(open) }))
        },
      },
    ]),
  )

  readonly lookup: Rule<Lookup> = this.RULE('lookup', () => {
    const first = this.peek(1)
    this.maybe(0, () => {
      const sign = this.take(0, T.At)
      this.act(() => this.note('at-sign', this.spanOf(sign), sign.image))
    })
    const name = this.sub(0, this.name)
    const path: Accessor[] = []
    this.repeat(0, () => {
      const accessor = this.sub(0, this.accessor)
      this.act(() => path.push(accessor))
    })
    return this.act((): Lookup => ({ kind: 'lookup', name, path, span: this.since(first) }))
  })

  /** A value without filters, operators or JSON literals. */
  readonly primary: Rule<Expression> = this.RULE('primary', () =>
    this.either<Expression>(
      0,
      this.primaryAlternatives ??
        (this.primaryAlternatives = [
          { ALT: () => this.sub(0, this.stringLiteral) },
          { ALT: () => this.sub(0, this.interpolation) },
          { ALT: () => this.word(0, T.True, { type: 'boolean', value: true }) },
          { ALT: () => this.word(0, T.False, { type: 'boolean', value: false }) },
          { ALT: () => this.word(0, T.Nil, { type: 'nil' }) },
          { ALT: () => this.word(0, T.Null, { type: 'nil' }) },
          { ALT: () => this.word(0, T.Blank, { type: 'blank' }) },
          { ALT: () => this.word(0, T.Empty, { type: 'empty' }) },
          { ALT: () => this.number(0, T.Integer) },
          { ALT: () => this.number(0, T.Float) },
          { ALT: () => this.number(0, T.DotFloat) },
          { ALT: () => this.sub(0, this.range) },
          { ALT: () => this.sub(0, this.lookup) },
        ]),
    ),
  )
  private primaryAlternatives: Alternative<Expression>[] | undefined

  private word(index: number, type: TokenType, value: LiteralValue): Literal {
    const token = this.take(index, type)
    return this.act(() => {
      const span = this.spanOf(token)
      return { kind: 'literal', value, span }
    })
  }

  private number(index: number, type: TokenType): Literal {
    const token = this.take(index, type)
    return this.act(() => {
      const span = this.spanOf(token)
      if (type !== T.Integer)
        return { kind: 'literal', value: { type: 'float', value: Number(token.image.replace(/\.$/, '.0')) }, span }
      const small = Number(token.image)
      const value = Number.isSafeInteger(small) ? (small === 0 ? 0 : small) : BigInt(token.image)
      return { kind: 'literal', value: { type: 'integer', value }, span }
    })
  }

  readonly stringLiteral: Rule<Expression> = this.RULE('stringLiteral', () =>
    this.either<Expression>(0, [
      {
        ALT: () => {
          const token = this.take(0, T.Str)
          return this.act(() => this.textOf(token, token.image.slice(1, -1)))
        },
      },
      {
        ALT: () => {
          const token = this.take(0, T.JsonStr)
          return this.act(() => this.textOf(token, unescapeJson(token.image.slice(1, -1))))
        },
      },
    ]),
  )

  private textOf(token: IToken, value: string): Literal {
    const span = this.spanOf(token)
    // Where values in texts are on, a double-quoted text with braces is another token.
    if (token.image.startsWith('"') && /\{\{[^]*\}\}/.test(token.image)) this.note('braces-in-text', span)
    return { kind: 'literal', value: { type: 'string', value }, span }
  }

  readonly interpolation: Rule<Interpolation> = this.RULE('interpolation', () => {
    const open = this.take(0, T.InterpolationOpen)
    const parts: (string | Filtered)[] = []
    this.act(() => parts.push(open.image.slice(1, -2)))
    const first = this.sub(0, this.filtered)
    this.act(() => parts.push(first))
    this.repeat(0, () => {
      const mid = this.take(0, T.InterpolationMid)
      const value = this.sub(1, this.filtered)
      this.act(() => parts.push(mid.image.slice(2, -2), value))
    })
    const close = this.take(0, T.InterpolationClose)
    return this.act((): Interpolation => {
      parts.push(close.image.slice(2, -1))
      return { kind: 'interpolation', parts, span: this.since(open) }
    })
  })

  readonly range: Rule<Expression> = this.RULE('range', () => {
    const open = this.take(0, T.OpenParen)
    const from = this.sub(0, this.primary)
    this.take(0, T.DotDot)
    const to = this.sub(1, this.primary)
    this.take(0, T.CloseParen)
    return this.act((): Expression => ({ kind: 'range', from, to, span: this.since(open) }))
  })

  // ---- JSON literals ------------------------------------------------------------------------------------------------

  readonly hashLiteral: Rule<HashLiteral> = this.RULE('hashLiteral', () => {
    const open = this.take(0, T.OpenBrace)
    const entries: { key: HashKey; value: Expression }[] = []
    this.maybe(0, () => {
      const first = this.sub(0, this.hashEntry)
      this.act(() => entries.push(first))
      this.repeat(0, () => {
        this.take(0, T.Comma)
        const next = this.sub(1, this.hashEntry)
        this.act(() => entries.push(next))
      })
    })
    this.take(0, T.CloseBrace)
    return this.act((): HashLiteral => ({ kind: 'hash', entries, span: this.since(open) }))
  })

  readonly hashEntry: Rule<{ key: HashKey; value: Expression }> = this.RULE('hashEntry', () => {
    const key = this.either<HashKey>(0, [
      {
        ALT: () => {
          const token = this.take(0, T.JsonStr)
          return this.act(() => ({
            kind: 'quoted',
            name: unescapeJson(token.image.slice(1, -1)),
            span: this.spanOf(token),
          }))
        },
      },
      {
        ALT: () => {
          const token = this.take(0, T.Str)
          return this.act(() => {
            const span = this.spanOf(token)
            this.note('single-quoted-json', span, token.image)
            return { kind: 'quoted', name: token.image.slice(1, -1), span }
          })
        },
      },
      {
        ALT: () => {
          const value = this.sub(0, this.interpolation)
          return this.act(() => ({ kind: 'computed', value, span: value.span }))
        },
      },
      {
        ALT: () => {
          const token = this.take(0, T.Name)
          return this.act(() => ({ kind: 'bare', name: token.image, span: this.spanOf(token) }))
        },
      },
    ])
    this.take(0, T.Colon)
    const value = this.sub(0, this.jsonValue)
    return this.act(() => ({ key, value }))
  })

  readonly arrayLiteral: Rule<ArrayLiteral> = this.RULE('arrayLiteral', () => {
    const open = this.take(0, T.OpenBracket)
    const items: Expression[] = []
    this.maybe(0, () => {
      const first = this.sub(0, this.jsonValue)
      this.act(() => items.push(first))
      this.repeat(0, () => {
        this.take(0, T.Comma)
        const next = this.sub(1, this.jsonValue)
        this.act(() => items.push(next))
      })
    })
    this.take(0, T.CloseBracket)
    return this.act((): ArrayLiteral => ({ kind: 'array', items, span: this.since(open) }))
  })

  readonly jsonValue: Rule<Expression> = this.RULE('jsonValue', () => {
    const first = this.peek(1)
    const input = this.sub(0, this.literalOrPrimary)
    const filters: FilterCall[] = []
    this.repeat(0, () => {
      const filter = this.sub(0, this.filter, false)
      this.act(() => filter !== null && filters.push(filter))
    })
    return this.act((): Expression => {
      if (input.kind === 'literal' && input.value.type === 'string') {
        if (first.image.startsWith("'")) this.note('single-quoted-json', input.span, first.image)
        if (filters.length > 0) this.note('filtered-json-string', this.since(first), first.image)
      }
      return filters.length === 0 ? input : { kind: 'filtered', input, filters, span: this.since(first) }
    })
  })

  readonly literalOrPrimary: Rule<Expression> = this.RULE('literalOrPrimary', () =>
    this.either<Expression>(
      0,
      this.literalAlternatives ??
        (this.literalAlternatives = [
          { ALT: () => this.sub(0, this.hashLiteral) },
          { ALT: () => this.sub(0, this.arrayLiteral) },
          { ALT: () => this.sub(0, this.primary) },
        ]),
    ),
  )
  private literalAlternatives: Alternative<Expression>[] | undefined

  // ---- filters ------------------------------------------------------------------------------------------------------

  /** `| name: a, b, key: c`. Null for a pipe without a name. `greedy`: what is left over up to the next pipe is skipped. */
  readonly filter: Rule<FilterCall | null, [boolean]> = this.RULE('filter', (greedy: boolean) => {
    const pipe = this.take(0, T.Pipe)
    let name: IToken | undefined
    const positional: Expression[] = []
    const named: NamedArgument[] = []
    if (greedy !== false) this.repeat(0, { GATE: () => !this.is(1, T.Name), DEF: () => this.junk(0, 'empty-filter') })
    this.maybe(0, () => {
      name = this.take(0, T.Name)
      this.maybe(1, {
        GATE: () => greedy !== false || this.is(1, T.Colon),
        DEF: () => {
          this.either(0, [
            { ALT: () => this.take(0, T.Colon) },
            {
              ALT: () => {
                const comma = this.take(0, T.Comma)
                this.act(() => this.note('comma-for-colon', this.spanOf(comma), ','))
              },
            },
          ])
          this.sub(0, this.filterArguments, positional, named, greedy)
        },
      })
      if (greedy !== false) this.repeat(1, () => this.junk(1, 'junk-after-filter'))
    })
    return this.act(() => {
      const span = this.since(pipe)
      if (name === undefined) {
        this.note('empty-filter', span, '|')
        return null
      }
      return { name: { name: name.image, span: this.spanOf(name) }, positional, named, span }
    })
  })

  private junk(index: number, kind: SyntaxNote['kind']): void {
    const token = this.take(index + 8, T.NoPipe)
    this.act(() => this.note(kind, this.spanOf(token), token.image))
  }

  readonly filterArguments: Rule<void, [Expression[], NamedArgument[], boolean]> = this.RULE(
    'filterArguments',
    (positional: Expression[], named: NamedArgument[], greedy: boolean) => {
      this.maybe(0, {
        GATE: () => this.startsValue(1),
        DEF: () => this.sub(0, this.filterArgument, positional, named),
      })
      this.repeat(0, {
        GATE: () => (this.is(1, T.Comma) && this.startsValue(2)) || this.startsArgument(),
        DEF: () => {
          this.maybe(1, () => this.take(0, T.Comma))
          this.sub(1, this.filterArgument, positional, named)
        },
      })
      if (greedy !== false) this.maybe(2, () => this.take(1, T.Comma))
    },
  )

  /** `name: value` without a comma before it. */
  private startsArgument(): boolean {
    return this.is(1, T.Name) && this.is(2, T.Colon)
  }

  /** Whether a value comes, perhaps behind characters that are skipped. */
  valueAhead(): boolean {
    let distance = 1
    while (this.is(distance, T.Stray) || this.is(distance, T.StrayQuote)) distance++
    return this.startsValue(distance)
  }

  private startsValue(distance: number): boolean {
    return VALUE_STARTS.some((type) => this.is(distance, type))
  }

  readonly filterArgument: Rule<void, [Expression[], NamedArgument[]]> = this.RULE(
    'filterArgument',
    (positional: Expression[], named: NamedArgument[]) => {
      this.either(0, [
        {
          GATE: () => this.startsArgument(),
          ALT: () => {
            const name = this.sub(0, this.name)
            this.take(0, T.Colon)
            const value = this.sub(0, this.argumentValue)
            this.act(() => named.push({ name, value, ignoredFilters: null }))
          },
        },
        {
          ALT: () => {
            const value = this.sub(0, this.literalOrPrimary)
            this.act(() => positional.push(value))
          },
        },
      ])
    },
  )

  /** `value`, or `key: value` as a hash of one pair. */
  readonly argumentValue: Rule<Expression> = this.RULE('argumentValue', () =>
    this.either<Expression>(0, [
      {
        GATE: () => this.startsArgument(),
        ALT: () => {
          const token = this.take(0, T.Name)
          this.take(0, T.Colon)
          const value = this.sub(0, this.literalOrPrimary)
          return this.act(() => ({
            kind: 'hash',
            entries: [{ key: { kind: 'quoted', name: token.image, span: this.spanOf(token) }, value }],
            span: this.since(token),
          }))
        },
      },
      { ALT: () => this.sub(1, this.literalOrPrimary) },
    ]),
  )

  /**
   * A value with its filters, up to the end of its markup: `{{ }}`, echo, print, assign, return.
   * In the platform's dialect the value may be a condition.
   */
  readonly filtered: Rule<Filtered> = this.RULE('filtered', () => {
    this.repeat(2, {
      GATE: () => this.is(1, T.Stray) || this.is(1, T.StrayQuote),
      DEF: () => this.junk(1, 'junk-before-value'),
    })
    const first = this.peek(1)
    const input = this.either<Expression>(0, [
      { ALT: () => this.sub(0, this.hashLiteral) },
      { ALT: () => this.sub(0, this.arrayHead) },
      { GATE: () => this.dialect === 'platform', ALT: () => this.sub(0, this.condition, true) },
      { ALT: () => this.sub(0, this.primary) },
    ])
    this.repeat(0, () => this.junk(0, 'junk-after-value'))
    const filters: FilterCall[] = []
    this.repeat(1, () => {
      const filter = this.sub(0, this.filter, true)
      this.act(() => filter !== null && filters.push(filter))
    })
    this.act(() => {
      if (filters.length <= MOST_PARTS) return
      this.note('too-long', this.since(first))
      filters.length = MOST_PARTS
    })
    return this.act((): Filtered => ({ kind: 'filtered', input, filters, span: this.since(first) }))
  })

  /** An array literal; in base Liquid, `["name"]` is the variable of that name. */
  readonly arrayHead: Rule<Expression> = this.RULE('arrayHead', () => {
    const first = this.peek(1)
    const literal = this.sub(0, this.arrayLiteral)
    const path: Accessor[] = []
    this.repeat(0, () => {
      const accessor = this.sub(0, this.accessor)
      this.act(() => path.push(accessor))
    })
    return this.act((): Expression => {
      if (this.dialect === 'liquid') {
        const span = this.since(first)
        this.note('bare-bracket', span)
        const value = literal.items[0] ?? NOTHING
        return { kind: 'lookup', name: null, path: [{ kind: 'index', value, span: literal.span }, ...path], span }
      }
      if (path[0] !== undefined) this.note('accessor-on-literal', path[0].span)
      return literal
    })
  })

  // ---- conditions ---------------------------------------------------------------------------------------------------

  /** `a and b or c`, read from the right. `value`: stands where a value stands, so a plain value stays itself. */
  readonly condition: Rule<Expression, [boolean]> = this.RULE('condition', (value: boolean) => {
    const terms: Expression[] = []
    const operators: ('and' | 'or')[] = []
    const first = this.sub(0, this.comparison, value)
    this.act(() => terms.push(first))
    this.repeat(0, () => {
      this.either(0, [
        {
          ALT: () => {
            this.take(0, T.And)
            this.act(() => operators.push('and'))
          },
        },
        {
          ALT: () => {
            this.take(0, T.Or)
            this.act(() => operators.push('or'))
          },
        },
      ])
      const next = this.sub(1, this.comparison, value)
      this.act(() => terms.push(next))
    })
    return this.act(() => {
      if (terms.length > MOST_PARTS) {
        this.note('too-long', { file: this.file, start: terms[0]?.span.start ?? 0, end: terms.at(-1)?.span.end ?? 0 })
        terms.length = MOST_PARTS
      }
      let result = terms.at(-1) ?? NOTHING
      for (let at = terms.length - 2; at >= 0; at--) {
        const left = terms[at] ?? NOTHING
        const span = { file: this.file, start: left.span.start, end: result.span.end }
        result = { kind: 'logical', operator: operators[at] ?? 'and', left, right: result, span }
      }
      return result
    })
  })

  readonly comparison: Rule<Expression, [boolean]> = this.RULE('comparison', (value: boolean) => {
    const first = this.peek(1)
    const left = this.sub(0, this.operand)
    let operator: IToken | undefined
    let right: Expression | undefined
    this.maybe(0, {
      GATE: () => this.is(1, T.Comparator) || this.is(1, T.Contains) || (value !== true && this.unknownOperator()),
      DEF: () => {
        operator = this.either<IToken>(0, [
          { ALT: () => this.take(0, T.Comparator) },
          { ALT: () => this.take(0, T.Contains) },
          { ALT: () => this.take(0, T.Name) },
          { ALT: () => this.take(0, T.Assign) },
        ])
        right = this.maybe(1, {
          GATE: () => this.startsValue(1) && !this.is(1, T.And) && !this.is(1, T.Or),
          DEF: () => this.sub(1, this.operand),
        })
      },
    })
    return this.act((): Expression => {
      if (operator === undefined) return left
      const span = this.since(first)
      const known = OPERATORS[operator.image]
      if (known === undefined) {
        // `if not x` reads as `not`, compared by `x`.
        const word = left.kind === 'lookup' && left.name?.name === 'not' && left.path.length === 0 ? left.name : null
        this.note('unknown-operator', word?.span ?? this.spanOf(operator), word?.name ?? operator.image)
      } else if (right === undefined) this.note('missing-value', this.spanOf(operator), operator.image)
      else if (known !== 'contains' && this.unspaced(operator)) this.note('unspaced-operator', span, operator.image)
      return {
        kind: 'comparison',
        operator: known ?? { unknown: operator.image },
        left,
        right: right ?? NOTHING,
        span,
      } satisfies Comparison
    })
  })

  /** A word where an operator is expected: `if not x` reads as `not` `x`. */
  private unknownOperator(): boolean {
    if (this.is(1, T.Assign)) return true
    return this.is(1, T.Name) && !this.is(1, T.And) && !this.is(1, T.Or) && !this.is(2, T.Colon)
  }

  private unspaced(operator: IToken): boolean {
    const before = this.text.charCodeAt(operator.startOffset - 1)
    return before !== 32 && before !== 9 && before !== 10 && before !== 13
  }

  /** A value in a condition. Parentheses that are no range are skipped, as the reference does. */
  readonly operand: Rule<Expression> = this.RULE('operand', () => {
    this.repeat(0, {
      GATE: () => this.is(1, T.OpenParen) && !this.opensRange(),
      DEF: () => {
        const paren = this.take(0, T.OpenParen)
        this.act(() => this.note('parenthesis', this.spanOf(paren), '('))
      },
    })
    const value = this.sub(0, this.primary)
    this.repeat(1, () => {
      const paren = this.take(0, T.CloseParen)
      this.act(() => this.note('parenthesis', this.spanOf(paren), ')'))
    })
    return value
  })

  private opensRange(): boolean {
    let depth = 0
    for (let distance = 1; distance < 60; distance++) {
      const token = this.LA(distance)
      if (token.tokenType === T.OpenParen) depth++
      else if (token.tokenType === T.CloseParen && --depth === 0) return false
      else if (token.tokenType === T.DotDot && depth === 1) return true
      else if (token.tokenType === EOF || T.isA(token, T.TagClose) || T.isA(token, T.OutputClose)) return false
    }
    return false
  }

  // ---- arguments of tags --------------------------------------------------------------------------------------------

  /** `, a: 1 b: 2`: commas are optional, text that fits nowhere is skipped and noted. */
  readonly namedArguments: Rule<NamedArgument[]> = this.RULE('namedArguments', () => this.argumentList('read'))

  /** Named arguments of a markup that is cut at its first pipe: behind it stand filters of the tag's result. */
  readonly argumentsBeforePipe: Rule<NamedArgument[]> = this.RULE('argumentsBeforePipe', () =>
    this.argumentList('piped'),
  )

  /**
   * Named arguments of a markup in which the reference looks for `name: value` wherever it stands: a value is one value, and
   * what cannot be one is no argument.
   */
  readonly scannedArguments: Rule<NamedArgument[]> = this.RULE('scannedArguments', () => this.argumentList('scanned'))

  private argumentList(how: 'read' | 'piped' | 'scanned'): NamedArgument[] {
    const list: NamedArgument[] = []
    this.repeat(0, {
      GATE: () => this.atArgument() || (this.skippable() && this.argumentAhead(how === 'piped')),
      DEF: () => {
        this.either(0, [
          {
            GATE: () => this.atArgument() && !(how === 'scanned' && this.lacksValue()),
            ALT: () => {
              this.maybe(0, () => this.take(0, T.Comma))
              const name = this.sub(0, this.name)
              this.take(0, T.Colon)
              const value = this.sub(
                0,
                how === 'read' ? this.tagArgument : how === 'piped' ? this.bareArgument : this.scannedArgument,
              )
              this.act(() => list.push({ name, ...value }))
            },
          },
          {
            GATE: () => this.atArgument(),
            ALT: () => {
              this.maybe(2, () => this.take(2, T.Comma))
              const name = this.take(0, T.Name)
              this.take(1, T.Colon)
              const value = this.take(1, T.Any)
              this.act(() => {
                const span = this.at(name.startOffset, endOf(value))
                if (value.tokenType === T.StrayQuote) this.note('cut-text', this.spanOf(value), value.image)
                else this.note('junk-between-arguments', span, value.image)
              })
            },
          },
          {
            ALT: () => {
              this.skip(this.take(0, T.Any))
              this.repeat(1, {
                GATE: () => this.skippable() && !this.atArgument(),
                DEF: () => this.skip(this.take(2, T.Any)),
              })
            },
          },
        ])
      },
    })
    this.maybe(1, () => this.take(1, T.Comma))
    return list
  }

  private skip(token: IToken): void {
    this.act(() => {
      if (token.tokenType !== T.Comma) this.note('junk-between-arguments', this.spanOf(token), token.image)
    })
  }

  /** Whether `name:` comes, perhaps behind a comma. */
  private atArgument(): boolean {
    return this.startsArgument() || (this.is(1, T.Comma) && this.is(2, T.Name) && this.is(3, T.Colon))
  }

  /** Whether what stands behind the `name:` that comes can be no value: a quote without its partner, a sign. */
  private lacksValue(): boolean {
    const distance = this.is(1, T.Comma) ? 4 : 3
    return this.is(distance, T.StrayQuote) || this.is(distance, T.Stray)
  }

  private skippable(): boolean {
    return !T.isA(this.LA(1), T.TagClose) && !T.isA(this.LA(1), T.OutputClose) && this.LA(1).tokenType !== EOF
  }

  /** Whether `name:` comes again before the markup ends, behind something that is no argument. */
  private argumentAhead(beforePipe: boolean): boolean {
    if (beforePipe && this.is(1, T.Pipe)) return false
    for (let distance = 2; ; distance++) {
      const token = this.LA(distance)
      if (token.tokenType === EOF || T.isA(token, T.TagClose)) return false
      if (beforePipe && token.tokenType === T.Pipe) return false
      if (T.isA(token, T.Name) && this.LA(distance + 1).tokenType === T.Colon) return true
    }
  }

  /** The value of an argument that is looked for: of `key: value` the `key` alone. Filters are read and dropped. */
  readonly scannedArgument: Rule<{ value: Expression; ignoredFilters: Span | null }> = this.RULE(
    'scannedArgument',
    () => {
      const first = this.peek(1)
      const argument = this.sub(0, this.filteredArgument, false)
      this.maybe(0, {
        GATE: () => argument.value?.kind === 'lookup' && this.is(1, T.Colon),
        DEF: () => {
          this.take(0, T.Colon)
          this.maybe(1, {
            GATE: () => !this.startsArgument() && this.startsValue(1),
            DEF: () => this.sub(0, this.literalOrPrimary),
          })
          this.act(() => this.note('nested-argument', this.since(first), first.image))
        },
      })
      return argument
    },
  )

  /** The value of a tag's argument. Filters apply to JSON literals only; elsewhere they are read and dropped. */
  readonly tagArgument: Rule<{ value: Expression; ignoredFilters: Span | null }> = this.RULE('tagArgument', () =>
    this.sub(0, this.filteredArgument, true),
  )

  /** `pairs`: whether `key: value` is a hash. */
  readonly filteredArgument: Rule<{ value: Expression; ignoredFilters: Span | null }, [boolean]> = this.RULE(
    'filteredArgument',
    (pairs: boolean) => {
      const first = this.peek(1)
      const head = this.either<Expression>(0, [
        { GATE: () => pairs, ALT: () => this.sub(0, this.argumentValue) },
        { ALT: () => this.sub(0, this.literalOrPrimary) },
      ])
      const pipe = this.peek(1)
      const filters: FilterCall[] = []
      this.repeat(0, () => {
        const filter = this.sub(0, this.filter, false)
        this.act(() => filter !== null && filters.push(filter))
      })
      return this.act((): { value: Expression; ignoredFilters: Span | null } => {
        if (filters.length === 0) return { value: head, ignoredFilters: null }
        const span = this.since(first)
        if (head.kind === 'hash' || head.kind === 'array')
          return { value: { kind: 'filtered', input: head, filters, span }, ignoredFilters: null }
        const ignored = this.since(pipe)
        this.note('filter-without-effect', ignored, filters[0]?.name.name)
        return { value: head, ignoredFilters: ignored }
      })
    },
  )

  /** The value of an argument that no filter can follow. */
  readonly bareArgument: Rule<{ value: Expression; ignoredFilters: Span | null }> = this.RULE('bareArgument', () => {
    const value = this.sub(0, this.argumentValue)
    return { value, ignoredFilters: null }
  })

  /** A value where filters are read and dropped: conditions of case, keys of cache, messages of log. */
  readonly plainValue: Rule<Expression> = this.RULE('plainValue', () => {
    const { value } = this.sub(0, this.tagArgument)
    return value
  })

  /** Everything up to the end of the markup; null when nothing is left. */
  readonly leftover: Rule<Span | null> = this.RULE('leftover', () => {
    const tokens: IToken[] = []
    this.repeat(0, () => {
      const token = this.take(0, T.Any)
      this.act(() => tokens.push(token))
    })
    return this.act(() => {
      const first = tokens[0]
      const last = tokens.at(-1)
      return first === undefined || last === undefined ? null : this.at(first.startOffset, endOf(last))
    })
  })
}

export interface Alternative<Result> {
  readonly ALT: () => Result
  readonly GATE?: () => boolean
}

export function endOf(token: IToken): number {
  return token.startOffset + token.image.length
}

/** Terms of one condition and filters of one value: what is emitted nests as deep. */
const MOST_PARTS = 500

const OPERATORS: Readonly<Record<string, ComparisonOperator>> = {
  '==': '==',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
  contains: 'contains',
}

const VALUE_STARTS: readonly TokenType[] = [
  T.Str,
  T.JsonStr,
  T.InterpolationOpen,
  T.Name,
  T.At,
  T.DigitName,
  T.Integer,
  T.Float,
  T.DotFloat,
  T.OpenParen,
  T.OpenBrace,
  T.OpenBracket,
]

/** JSON's escapes; an unknown one keeps its character. */
function unescapeJson(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, code: string | undefined, char: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return ESCAPES[char ?? ''] ?? char ?? ''
  })
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
