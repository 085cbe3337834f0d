/** Expressions that are only a string literal, or only the value of a variable. */
import { type Expression, stringOf, unfiltered } from '../../../core/tree/ast.ts'
import type { Span } from '../../../core/source/span.ts'

/** A text with its place. */
export interface LocatedText {
  readonly text: string
  readonly span: Span
}

/** Returns the text of a string literal; null for any other expression. */
export function literalText(expression: Expression): string | null {
  return stringOf(unfiltered(expression))
}

/** Returns a string literal with its place; null for any other expression, and for none. */
export function locatedText(expression: Expression | null | undefined): LocatedText | null {
  const bareExpression = expression == null ? null : unfiltered(expression)
  const text = stringOf(bareExpression)
  return bareExpression === null || text === null ? null : { text, span: bareExpression.span }
}

/** Returns the variable if an expression is only the value of a variable; null for any other expression. */
export function variableOf(expression: Expression): string | null {
  const bareExpression = unfiltered(expression)
  return bareExpression.kind === 'lookup' && bareExpression.path.length === 0
    ? (bareExpression.name?.name ?? null)
    : null
}
