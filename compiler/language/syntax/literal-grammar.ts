/** The grammar of JSON literals: hashes and arrays, whose values may have filters. */
import type { ArrayLiteral, Expression, FilterCall, HashKey, HashLiteral } from '../../core/tree/ast.ts'
import { shareList, shareText } from '../../core/model/shared-values.ts'
import type { Alternative, Rule } from './grammar-base.ts'
import * as T from './tokens.ts'
import { unescapeJson, ValueGrammar } from './value-grammar.ts'

export abstract class LiteralGrammar extends ValueGrammar {
  /** A filter of a value; null for a pipe without a name. */
  abstract readonly filter: Rule<FilterCall | null, [boolean]>

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
    return this.act((): HashLiteral => ({ kind: 'hash', entries: shareList(entries), span: this.since(open) }))
  })

  readonly hashEntry: Rule<{ key: HashKey; value: Expression }> = this.RULE('hashEntry', () => {
    const key = this.either<HashKey>(0, [
      {
        ALT: () => {
          const token = this.take(0, T.JsonStr)
          return this.act(() => ({
            kind: 'quoted',
            name: shareText(unescapeJson(token.image.slice(1, -1))),
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
            return { kind: 'quoted', name: shareText(token.image.slice(1, -1)), span }
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
          return this.act(() => ({ kind: 'bare', name: shareText(token.image), span: this.spanOf(token) }))
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
      const firstExpression = this.sub(0, this.jsonValue)
      this.act(() => items.push(firstExpression))
      this.repeat(0, () => {
        this.take(0, T.Comma)
        const next = this.sub(1, this.jsonValue)
        this.act(() => items.push(next))
      })
    })
    this.take(0, T.CloseBracket)
    return this.act((): ArrayLiteral => ({ kind: 'array', items: shareList(items), span: this.since(open) }))
  })

  readonly jsonValue: Rule<Expression> = this.RULE('jsonValue', () => {
    const firstToken = this.peek(1)
    const input = this.sub(0, this.literalOrPrimary)
    const filters: FilterCall[] = []
    this.repeat(0, () => {
      const filter = this.sub(0, this.filter, false)
      this.act(() => filter !== null && filters.push(filter))
    })
    return this.act((): Expression => {
      if (input.kind === 'literal' && input.value.type === 'string') {
        if (firstToken.image.startsWith("'")) this.note('single-quoted-json', input.span, firstToken.image)
        if (filters.length > 0) this.note('filtered-json-string', this.since(firstToken), firstToken.image)
      }
      return filters.length === 0
        ? input
        : { kind: 'filtered', input, filters: shareList(filters), span: this.since(firstToken) }
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
}
