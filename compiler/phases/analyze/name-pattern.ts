/** Derives patterns for computed partial names from the constant parts of the assigned texts. */
import type { TextPattern } from '../../core/model/outline.ts'
import type { Expression } from '../../core/tree/ast.ts'
import { childrenOf } from '../../core/tree/expressions.ts'
import { constantTexts } from './domains/constant-texts.ts'

/** Returns the pattern of possible values; null if nothing is known about the value. */
export function derivePattern(expression: Expression): TextPattern | null {
  const texts = constantTexts(expression, () => null)
  return texts?.length === 1 ? (texts[0] ?? null) : null
}

/** Returns true if the expression cannot fail. If an expression fails, the variable keeps its old value. */
export function isSureName(expression: Expression): boolean {
  const { kind } = expression
  if (kind === 'filtered') {
    const joinsTexts = expression.filters.every(
      ({ name, positional, named }) =>
        (name.name === 'append' || name.name === 'prepend') && positional.length === 1 && named.length === 0,
    )
    if (!joinsTexts) return false
  } else if (kind !== 'literal' && kind !== 'lookup' && kind !== 'interpolation') return false
  return childrenOf(expression).every(isSureName)
}
