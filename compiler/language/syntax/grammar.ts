/**
 * The grammar of values, one for all modes. It is a single parser in several classes that extend each other, one per file: values, JSON
 * literals, filters, conditions, and here the arguments of tags. Lax syntax is noted, and a later phase decides whether a note is an
 * error.
 */
import { EOF, type IToken } from 'chevrotain'
import type { Expression, FilterCall, NamedArgument } from '../../core/tree/ast.ts'
import type { Span } from '../../core/source/span.ts'
import { ConditionGrammar } from './condition-grammar.ts'
import { endOf, type Rule } from './grammar-base.ts'
import * as T from './tokens.ts'

export class Grammar extends ConditionGrammar {
  /** `, a: 1 b: 2`: commas are optional, and other text is skipped and noted. */
  readonly namedArguments: Rule<NamedArgument[]> = this.RULE('namedArguments', () => this.argumentList('read'))

  /** Named arguments in a markup that ends at its first pipe. The filters after it apply to the result of the tag. */
  readonly argumentsBeforePipe: Rule<NamedArgument[]> = this.RULE('argumentsBeforePipe', () =>
    this.argumentList('piped'),
  )

  /**
   * Named arguments in a markup in which the reference implementation searches for `name: value` anywhere. Each has a single value;
   * other text is not an argument.
   */
  readonly scannedArguments: Rule<NamedArgument[]> = this.RULE('scannedArguments', () => this.argumentList('scanned'))

  private argumentList(mode: 'read' | 'piped' | 'scanned'): NamedArgument[] {
    const list: NamedArgument[] = []
    this.repeat(0, {
      GATE: () => this.atArgument() || (this.skippable() && this.argumentAhead(mode === 'piped')),
      DEF: () => {
        this.either(0, [
          {
            GATE: () => this.atArgument() && !(mode === 'scanned' && this.lacksValue()),
            ALT: () => {
              const previous = this.LA(0)
              const comma = this.maybe(0, () => this.take(0, T.Comma))
              const name = this.sub(0, this.name)
              this.act(() => {
                if (comma === undefined)
                  this.note('missing-comma', { ...name.span, start: this.spanOf(previous).end }, name.name)
              })
              this.take(0, T.Colon)
              const value = this.sub(
                0,
                mode === 'read' ? this.tagArgument : mode === 'piped' ? this.bareArgument : this.scannedArgument,
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
      // One comma is allowed before each argument.
      if (token.tokenType !== T.Comma || this.is(1, T.Comma))
        this.note('junk-between-arguments', this.spanOf(token), token.image)
    })
  }

  /** Returns whether `name:` comes next, possibly after a comma. */
  private atArgument(): boolean {
    return this.named(1) || (this.is(1, T.Comma) && this.is(2, T.Name) && this.is(3, T.Colon))
  }

  /** Returns whether no valid value follows the next `name:`, such as an unclosed quote or a symbol. */
  private lacksValue(): boolean {
    const distance = this.is(1, T.Comma) ? 4 : 3
    return this.is(distance, T.StrayQuote) || this.is(distance, T.Stray)
  }

  private skippable(): boolean {
    return !T.isA(this.LA(1), T.TagClose) && !T.isA(this.LA(1), T.OutputClose) && this.LA(1).tokenType !== EOF
  }

  /** Returns whether another `name:` comes before the end of the markup, after text that is not an argument. */
  private argumentAhead(beforePipe: boolean): boolean {
    if (beforePipe && this.is(1, T.Pipe)) return false
    for (let distance = 2; ; distance++) {
      const token = this.LA(distance)
      if (token.tokenType === EOF || T.isA(token, T.TagClose)) return false
      if (beforePipe && token.tokenType === T.Pipe) return false
      if (T.isA(token, T.Name) && this.LA(distance + 1).tokenType === T.Colon) return true
    }
  }

  /** The value of a scanned argument. Of `key: value`, it is only `key`. Filters are parsed and ignored. */
  readonly scannedArgument: Rule<{ value: Expression; ignoredFilters: Span | null }> = this.RULE(
    'scannedArgument',
    () => {
      const firstToken = this.peek(1)
      const argument = this.sub(0, this.filteredArgument, false)
      this.maybe(0, {
        GATE: () => argument.value?.kind === 'lookup' && this.is(1, T.Colon),
        DEF: () => {
          this.take(0, T.Colon)
          this.maybe(1, {
            GATE: () => !this.named(1) && this.startsValue(1),
            DEF: () => this.sub(0, this.literalOrPrimary),
          })
          this.act(() => this.note('nested-argument', this.since(firstToken), firstToken.image))
        },
      })
      return argument
    },
  )

  /** The value of an argument of a tag. Filters apply only to JSON literals; elsewhere they are parsed and ignored. */
  readonly tagArgument: Rule<{ value: Expression; ignoredFilters: Span | null }> = this.RULE('tagArgument', () =>
    this.sub(0, this.filteredArgument, true),
  )

  /** `pairs`: whether `key: value` is a hash. */
  readonly filteredArgument: Rule<{ value: Expression; ignoredFilters: Span | null }, [boolean]> = this.RULE(
    'filteredArgument',
    (pairs: boolean) => {
      const firstToken = this.peek(1)
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
        const span = this.since(firstToken)
        if (head.kind === 'hash' || head.kind === 'array')
          return { value: { kind: 'filtered', input: head, filters, span }, ignoredFilters: null }
        const ignoredSpan = this.since(pipe)
        this.note('filter-without-effect', ignoredSpan, filters[0]?.name.name)
        return { value: head, ignoredFilters: ignoredSpan }
      })
    },
  )

  /** The value of an argument that cannot have filters. */
  readonly bareArgument: Rule<{ value: Expression; ignoredFilters: Span | null }> = this.RULE('bareArgument', () => {
    const value = this.sub(0, this.argumentValue)
    return { value, ignoredFilters: null }
  })

  /** A value whose filters are parsed and ignored: the subject of `case`, the key of `cache`, the message of `log`. */
  readonly plainValue: Rule<Expression> = this.RULE('plainValue', () => {
    const { value } = this.sub(0, this.tagArgument)
    return value
  })

  /** Everything up to the end of the markup; null if nothing is left, which is the usual case. */
  protected restOfMarkup(index: number): Span | null {
    return this.atEnd() ? null : this.sub(index, this.leftover)
  }

  private readonly leftover: Rule<Span | null> = this.RULE('leftover', () => {
    const tokens: IToken[] = []
    this.repeat(0, () => {
      const token = this.take(0, T.Any)
      this.act(() => tokens.push(token))
    })
    return this.act(() => {
      const firstToken = tokens[0]
      const last = tokens.at(-1)
      return firstToken === undefined || last === undefined ? null : this.at(firstToken.startOffset, endOf(last))
    })
  })
}
