/** The two values of a comparison. */
import { type Comparison, unfiltered } from '../../../core/tree/ast.ts'
import type { Type } from '../../../core/model/type.ts'
import { type Category, categories } from '../../../language/types/relate.ts'
import { specialWord } from '../../analyze/narrow.ts'
import type { Walk } from './walk.ts'

/** Returns the operator of a comparison of two values; null if one of them is a word such as `blank`, or the operator is a value. */
export function operatorOfValues({ operator, left, right }: Comparison): string | null {
  return typeof operator !== 'string' || specialWord(left) !== null || specialWord(right) !== null ? null : operator
}

/** Returns the only category of a value besides nil; null when there are several or none. */
export function nonNilCategory(type: Type): Category | null {
  const all = [...(categories(type) ?? [])].filter((each) => each !== 'nil')
  return all.length === 1 ? (all[0] ?? null) : null
}

/** Returns the source of the literal in a comparison of a text with a number, if it could be written as the other type; else null. */
export function findLiteralSide(walk: Walk, { left: a, right: b }: Comparison, left: Type, right: Type): string | null {
  for (const [side, own, otherType] of [
    [b, right, left],
    [a, left, right],
  ] as const) {
    const bareExpression = unfiltered(side)
    if (bareExpression.kind !== 'literal') continue
    const source = walk.source(bareExpression.span)
    if (
      nonNilCategory(own) === 'text' &&
      nonNilCategory(otherType) === 'number' &&
      /^(["'])-?\d+(?:\.\d+)?\1$/.test(source)
    )
      return source
    if (nonNilCategory(own) === 'number' && nonNilCategory(otherType) === 'text') return source
  }
  return null
}
