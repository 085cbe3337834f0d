/** The grammar of conditions: comparisons that are joined with `and` and `or`. */
import { EOF, type IToken } from 'chevrotain'
import type { Comparison, Expression } from '../../core/tree/ast.ts'
import { FilterGrammar } from './filter-grammar.ts'
import { MAX_PARTS, NIL, type Rule } from './grammar-base.ts'
import * as T from './tokens.ts'

export abstract class ConditionGrammar extends FilterGrammar {
  /** `a and b or c`, evaluated from right to left. `value`: it is in the place of a value, so a plain value stays a value. */
  readonly condition: Rule<Expression, [boolean]> = this.RULE('condition', (value: boolean) => {
    const terms: Expression[] = []
    const operators: ('and' | 'or')[] = []
    const firstExpression = this.sub(0, this.comparison, value)
    this.act(() => terms.push(firstExpression))
    if (this.maybeAt(T.And) || this.is(1, T.Or))
      this.repeat(0, () => {
        const operator = this.either<'and' | 'or'>(0, [
          { ALT: () => this.sign(0, T.And, 'and') },
          { ALT: () => this.sign(0, T.Or, 'or') },
        ])
        this.act(() => operators.push(operator))
        const next = this.sub(1, this.comparison, value)
        this.act(() => terms.push(next))
      })
    return this.act(() => {
      if (terms.length > MAX_PARTS) {
        this.note('too-long', { file: this.file, start: terms[0]?.span.start ?? 0, end: terms.at(-1)?.span.end ?? 0 })
        terms.length = MAX_PARTS
      }
      let result = terms.at(-1) ?? NIL
      for (let at = terms.length - 2; at >= 0; at--) {
        const left = terms[at] ?? NIL
        const span = { file: this.file, start: left.span.start, end: result.span.end }
        result = { kind: 'logical', operator: operators[at] ?? 'and', left, right: result, span }
      }
      return result
    })
  })

  readonly comparison: Rule<Expression, [boolean]> = this.RULE('comparison', (value: boolean) => {
    const firstToken = this.peek(1)
    const left = this.sub(0, this.operand)
    if (!this.RECORDING_PHASE && !this.operatorAhead(value)) return left
    let operator: IToken | undefined
    let right: Expression | undefined
    this.maybe(0, {
      GATE: () => this.operatorAhead(value),
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
      const span = this.since(firstToken)
      const knownOperator = T.COMPARISON_OPERATORS[operator.image]
      if (knownOperator === undefined) {
        // `if not x` is parsed as a comparison of `not` with `x`.
        const word = left.kind === 'lookup' && left.name?.name === 'not' && left.path.length === 0 ? left.name : null
        this.note('unknown-operator', word?.span ?? this.spanOf(operator), word?.name ?? operator.image)
      } else if (right === undefined) this.note('missing-value', this.spanOf(operator), operator.image)
      else if (knownOperator !== 'contains' && this.unspaced(operator))
        this.note('unspaced-operator', span, operator.image)
      return {
        kind: 'comparison',
        operator: knownOperator ?? { unknown: operator.image },
        left,
        right: right ?? NIL,
        span,
      } satisfies Comparison
    })
  })

  private operatorAhead(value: boolean): boolean {
    return this.is(1, T.Comparator) || this.is(1, T.Contains) || (value !== true && this.unknownOperator())
  }

  /** A word in the place of an operator: `if not x` is parsed as `not` and `x`. */
  private unknownOperator(): boolean {
    if (this.is(1, T.Assign)) return true
    return this.is(1, T.Name) && !this.is(1, T.And) && !this.is(1, T.Or) && !this.is(2, T.Colon)
  }

  private unspaced(operator: IToken): boolean {
    const charBefore = this.text.charCodeAt(operator.startOffset - 1)
    return charBefore !== 32 && charBefore !== 9 && charBefore !== 10 && charBefore !== 13
  }

  /** A value in a condition. Parentheses that are not a range are skipped, like in the reference implementation. */
  readonly operand: Rule<Expression> = this.RULE('operand', () => {
    if (this.maybeAt(T.OpenParen))
      this.repeat(0, {
        GATE: () => this.is(1, T.OpenParen) && !this.opensRange(),
        DEF: () => {
          const paren = this.take(0, T.OpenParen)
          this.act(() => this.note('parenthesis', this.spanOf(paren), '('))
        },
      })
    const value = this.sub(0, this.primary)
    if (this.maybeAt(T.CloseParen))
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
}
