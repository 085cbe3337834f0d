/** Determines whether a value is new, so that a change to it affects no other value. */
import type { Expression, Lookup } from '../../../core/tree/ast.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import { element, property } from '../../../language/types/lookup.ts'
import { isMutable } from '../../../language/types/relate.ts'
import { keyOf } from './below-context.ts'
import type { Walk } from './walk.ts'

/** Returns whether an expression creates its value, so that no other variable refers to the value or a part of it. */
export function isFresh(walk: Walk, expression: Expression): boolean {
  switch (expression.kind) {
    case 'hash':
      return expression.entries.every(({ value }) => isFresh(walk, value))
    case 'array':
      return expression.items.every((item) => isFresh(walk, item))
    case 'filtered':
      // The result of a filter is either new or a part of its input or arguments.
      return (
        isFresh(walk, expression.input) &&
        expression.filters.every(({ positional, named }) =>
          [...positional, ...named.map(({ value }) => value)].every((each) => isFresh(walk, each)),
        )
      )
    case 'lookup':
      return !isMutable(typeWithoutRead(walk, expression))
    default:
      return true
  }
}

/** Returns the type of a lookup without recording a read. */
function typeWithoutRead(walk: Walk, { name, path }: Lookup): Type {
  if (name === null || walk.flow.includeWrites.has(name.name)) return UNKNOWN
  let type = walk.typeNow(name.name)
  for (const accessor of path) {
    const key = accessor.kind === 'key' ? accessor.name : keyOf(accessor.value)
    if (key === null) type = element(type)
    else {
      const lookup = property(type, key, accessor.kind === 'key')
      type = lookup.missingKey === null ? lookup.type : UNKNOWN
    }
  }
  return type
}
