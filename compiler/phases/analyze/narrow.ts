/** Finds what a condition proves about the variables in it. */
import { type Expression, type Literal, unfiltered } from '../../core/tree/ast.ts'

/** Reports the variables that are certainly true or certainly false where a condition holds, or where it does not. */
export function narrow(expression: Expression, holds: boolean, report: (name: string, isTrue: boolean) => void): void {
  const bareExpression = unfiltered(expression)
  if (bareExpression.kind === 'lookup') {
    if (bareExpression.path.length === 0 && bareExpression.name !== null) report(bareExpression.name.name, holds)
  } else if (bareExpression.kind === 'logical') {
    if ((bareExpression.operator === 'and') === holds) {
      narrow(bareExpression.left, holds, report)
      narrow(bareExpression.right, holds, report)
    }
  } else if (bareExpression.kind === 'comparison') {
    const { left, operator, right } = bareExpression
    const special = specialWord(right)
    if (special === null || left.kind !== 'lookup' || left.path.length > 0 || left.name === null) return
    const isNil = operator === '==' ? holds : operator === '!=' ? !holds : null
    if (isNil === null) return
    // A value that is not blank is neither nil nor false; `empty` says nothing about nil.
    if (!isNil && special.value.type !== 'empty') report(left.name.name, true)
  }
}

/** Returns the literal nil, `blank` or `empty`, which have special comparison rules; null for another expression. */
export function specialWord(expression: Expression): Literal | null {
  const bareExpression = unfiltered(expression)
  if (bareExpression.kind !== 'literal') return null
  const { type } = bareExpression.value
  return type === 'nil' || type === 'blank' || type === 'empty' ? bareExpression : null
}
