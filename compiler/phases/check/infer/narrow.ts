/** Finds what a condition proves about the variables in it. */
import { type Expression, type Literal, unfiltered } from '../../../core/model/ast.ts'

/** Reports the variables that are certainly true or certainly false where a condition holds, or where it does not. */
export function narrow(expression: Expression, holds: boolean, report: (name: string, isTrue: boolean) => void): void {
  const bare = unfiltered(expression)
  if (bare.kind === 'lookup') {
    if (bare.path.length === 0 && bare.name !== null) report(bare.name.name, holds)
  } else if (bare.kind === 'logical') {
    if ((bare.operator === 'and') === holds) {
      narrow(bare.left, holds, report)
      narrow(bare.right, holds, report)
    }
  } else if (bare.kind === 'comparison') {
    const { left, operator, right } = bare
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
  const bare = unfiltered(expression)
  if (bare.kind !== 'literal') return null
  const { type } = bare.value
  return type === 'nil' || type === 'blank' || type === 'empty' ? bare : null
}
