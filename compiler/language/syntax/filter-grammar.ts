/** The grammar of filters with their arguments, and of values with filters up to the end of the markup. */
import type { IToken } from 'chevrotain'
import type { Accessor, Expression, FilterCall, Filtered, NamedArgument } from '../../core/tree/ast.ts'
import { shareList, shareText } from '../../core/model/shared-values.ts'
import { type Alternative, MAX_PARTS, NIL, type Rule, type SyntaxNote } from './grammar-base.ts'
import { LiteralGrammar } from './literal-grammar.ts'
import * as T from './tokens.ts'

export abstract class FilterGrammar extends LiteralGrammar {
  /** A condition. `value`: it is in the place of a value. */
  abstract readonly condition: Rule<Expression, [boolean]>

  /** `| name: a, b, key: c`. Null for a pipe without a name. `greedy`: surplus text up to the next pipe is skipped. */
  readonly filter: Rule<FilterCall | null, [boolean]> = this.RULE('filter', (greedy: boolean) => {
    const pipe = this.take(0, T.Pipe)
    let name: IToken | undefined
    const positional: Expression[] = []
    const named: NamedArgument[] = []
    if (greedy !== false && (this.RECORDING_PHASE || !this.is(1, T.Name)))
      this.repeat(0, { GATE: () => !this.is(1, T.Name), DEF: () => this.skipJunk(0, 'empty-filter') })
    this.maybe(0, () => {
      name = this.take(0, T.Name)
      if (this.maybeAt(T.Colon) || this.is(1, T.Comma))
        this.maybe(1, {
          GATE: () => greedy !== false || this.is(1, T.Colon),
          DEF: () => {
            this.either(0, this.colonAlternatives ?? (this.colonAlternatives = this.colonOrComma()))
            this.sub(0, this.filterArguments, positional, named, greedy)
          },
        })
      if (greedy !== false && this.maybeAt(T.NoPipe)) this.repeat(1, () => this.skipJunk(1, 'junk-after-filter'))
    })
    return this.act(() => {
      const span = this.since(pipe)
      if (name === undefined) {
        this.note('empty-filter', span, '|')
        return null
      }
      const nameNode = { name: shareText(name.image), span: this.spanOf(name) }
      return { name: nameNode, positional: shareList(positional), named: shareList(named), span }
    })
  })

  private colonAlternatives: Alternative<void>[] | undefined

  private colonOrComma(): Alternative<void>[] {
    return [
      { ALT: () => void this.take(0, T.Colon) },
      {
        ALT: () => {
          const comma = this.take(0, T.Comma)
          this.act(() => this.note('comma-for-colon', this.spanOf(comma), ','))
        },
      },
    ]
  }

  private skipJunk(index: number, kind: SyntaxNote['kind']): void {
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
      if (this.maybeAt(T.Comma) || this.named(1))
        this.repeat(0, {
          GATE: () => (this.is(1, T.Comma) && this.startsValue(2)) || this.named(1),
          DEF: () => {
            this.maybe(1, () => this.take(0, T.Comma))
            this.sub(1, this.filterArgument, positional, named)
          },
        })
      if (greedy !== false && this.maybeAt(T.Comma)) this.maybe(2, () => this.take(1, T.Comma))
    },
  )

  readonly filterArgument: Rule<void, [Expression[], NamedArgument[]]> = this.RULE(
    'filterArgument',
    (positional: Expression[], named: NamedArgument[]) => {
      if (!this.RECORDING_PHASE && !this.named(1)) {
        positional.push(this.sub(0, this.literalOrPrimary))
        return
      }
      this.either(0, [
        {
          GATE: () => this.named(1),
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

  /** `value`, or `key: value` as a hash with one pair. */
  readonly argumentValue: Rule<Expression> = this.RULE('argumentValue', () =>
    this.either<Expression>(0, [
      {
        GATE: () => this.named(1),
        ALT: () => {
          const token = this.take(0, T.Name)
          this.take(0, T.Colon)
          const value = this.sub(0, this.literalOrPrimary)
          return this.act(() => ({
            kind: 'hash',
            entries: [{ key: { kind: 'quoted', name: shareText(token.image), span: this.spanOf(token) }, value }],
            span: this.since(token),
          }))
        },
      },
      { ALT: () => this.sub(1, this.literalOrPrimary) },
    ]),
  )

  /**
   * A value with its filters, up to the end of the markup: in `{{ }}`, `echo`, `print`, `assign` and `return`. In the platform dialect,
   * the value may be a condition.
   */
  readonly filtered: Rule<Filtered> = this.RULE('filtered', () => {
    if (this.maybeAt(T.Stray) || this.is(1, T.StrayQuote))
      this.repeat(2, {
        GATE: () => this.is(1, T.Stray) || this.is(1, T.StrayQuote),
        DEF: () => this.skipJunk(1, 'junk-before-value'),
      })
    const firstToken = this.peek(1)
    const input = this.either<Expression>(
      0,
      this.inputAlternatives ??
        (this.inputAlternatives = [
          { ALT: () => this.sub(0, this.hashLiteral) },
          { ALT: () => this.sub(0, this.arrayHead) },
          { GATE: () => this.dialect === 'platform', ALT: () => this.sub(0, this.condition, true) },
          { ALT: () => this.sub(0, this.primary) },
        ]),
    )
    if (this.maybeAt(T.NoPipe)) this.repeat(0, () => this.skipJunk(0, 'junk-after-value'))
    const filters: FilterCall[] = []
    if (this.maybeAt(T.Pipe))
      this.repeat(1, () => {
        const filter = this.sub(0, this.filter, true)
        this.act(() => filter !== null && filters.push(filter))
      })
    this.act(() => {
      if (filters.length <= MAX_PARTS) return
      this.note('too-long', this.since(firstToken))
      filters.length = MAX_PARTS
    })
    return this.act(
      (): Filtered => ({
        kind: 'filtered',
        input,
        filters: shareList(filters),
        span: this.sinceWith(firstToken, input.span),
      }),
    )
  })

  private inputAlternatives: Alternative<Expression>[] | undefined

  /** An array literal. In base Liquid, `["name"]` is the variable with that name. */
  readonly arrayHead: Rule<Expression> = this.RULE('arrayHead', () => {
    const firstToken = this.peek(1)
    const literal = this.sub(0, this.arrayLiteral)
    const path: Accessor[] = []
    this.repeat(0, () => {
      const accessor = this.sub(0, this.accessor)
      this.act(() => path.push(accessor))
    })
    return this.act((): Expression => {
      if (this.dialect === 'liquid') {
        const span = this.since(firstToken)
        this.note('bare-bracket', span)
        const value = literal.items[0] ?? NIL
        return { kind: 'lookup', name: null, path: [{ kind: 'index', value, span: literal.span }, ...path], span }
      }
      if (path[0] !== undefined) this.note('accessor-on-literal', path[0].span)
      return literal
    })
  })
}
