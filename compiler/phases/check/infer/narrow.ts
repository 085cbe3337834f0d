/** What a condition says of the variables in it. */
import { type Expression, type Literal, unfiltered } from '../../../core/model/ast.ts'

/** Tells the variables that surely count as true, or surely as false, where a condition holds, or where it does not. */
export function narrow(expression: Expression, holds: boolean, tell: (name: string, isTrue: boolean) => void): void {
  const bare = unfiltered(expression)
  if (bare.kind === 'lookup') {
    if (bare.path.length === 0 && bare.name !== null) tell(bare.name.name, holds)
  } else if (bare.kind === 'logical') {
    if ((bare.operator === 'and') === holds) {
      narrow(bare.left, holds, tell)
      narrow(bare.right, holds, tell)
    }
  } else if (bare.kind === 'comparison') {
    const { left, operator, right } = bare
    const special = specialWord(right)
    if (special === null || left.kind !== 'lookup' || left.path.length > 0 || left.name === null) return
    const isNil = operator === '==' ? holds : operator === '!=' ? !holds : null
    if (isNil === null) return
    // Neither nil nor false is left when a value is not blank; `empty` says nothing about nil.
    if (!isNil && special.value.type !== 'empty') tell(left.name.name, true)
  }
}

/** nil, `blank` and `empty`, which compare in ways of their own. */
export function specialWord(expression: Expression): Literal | null {
  const bare = unfiltered(expression)
  if (bare.kind !== 'literal') return null
  const { type } = bare.value
  return type === 'nil' || type === 'blank' || type === 'empty' ? bare : null
}
