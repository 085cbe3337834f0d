/** String literals of templates. */
import { type Expression, unfiltered } from '../../../core/model/ast.ts'

/** Returns the text of a string literal; null for any other expression. */
export function literalText(expression: Expression): string | null {
  const bare = unfiltered(expression)
  return bare.kind === 'literal' && bare.value.type === 'string' ? bare.value.value : null
}
