/** Determines whether a value is new, so that a change to it affects no other value. */
import type { Expression, Lookup } from '../../../core/tree/ast.ts'
import { childrenOf } from '../../../core/tree/expressions.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import { element, property } from '../../../language/types/lookup.ts'
import { isMutable } from '../../../language/types/relate.ts'
import { nameOf } from './context-paths.ts'
import type { Walk } from './walk.ts'

/** Kinds of expressions whose value may contain the values of their parts. */
const HOLDERS: ReadonlySet<Expression['kind']> = new Set(['hash', 'array', 'filtered'])

/** Returns whether an expression creates its value, so that no other variable refers to the value or a part of it. */
export function isNewValue(walk: Walk, expression: Expression): boolean {
  if (expression.kind === 'lookup') return !isMutable(typeWithoutRead(walk, expression))
  // The result of a filter is either new or a part of its input or arguments.
  return !HOLDERS.has(expression.kind) || childrenOf(expression).every((each) => isNewValue(walk, each))
}

/** Returns the type of a lookup without recording a read. */
function typeWithoutRead(walk: Walk, { name, path }: Lookup): Type {
  if (name === null || walk.flow.includeWrites.has(name.name)) return UNKNOWN
  let type = walk.typeNow(name.name)
  for (const accessor of path) {
    const key = nameOf(accessor)
    if (key === null) type = element(type)
    else {
      const lookup = property(type, key, accessor.kind === 'key')
      type = lookup.missingKey === null ? lookup.type : UNKNOWN
    }
  }
  return type
}
