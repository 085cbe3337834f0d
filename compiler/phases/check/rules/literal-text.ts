/** Texts that stand in a template as they are. */
import { type Expression, unfiltered } from '../../../core/model/ast.ts'

/** The text of a literal; null for everything that is computed. */
export function literalText(expression: Expression): string | null {
  const bare = unfiltered(expression)
  return bare.kind === 'literal' && bare.value.type === 'string' ? bare.value.value : null
}
