/** Expressions that are only the value of a variable. */
import { type Expression, unfiltered } from '../../../core/tree/ast.ts'

/** Returns the variable if an expression is only the value of a variable; null for any other expression. */
export function variableOf(expression: Expression): string | null {
  const bareExpression = unfiltered(expression)
  return bareExpression.kind === 'lookup' && bareExpression.path.length === 0
    ? (bareExpression.name?.name ?? null)
    : null
}
