/** What a lookup reads of the host's `context`. */
import type { Accessor, Expression, NameNode } from '../../../core/model/ast.ts'
import type { Walk } from './walk.ts'

/** What a lookup reads below the host's `context`, where it may be by an old name for a part of it; null for another variable. */
export function belowContext(walk: Walk, name: NameNode, path: readonly Accessor[]): readonly Accessor[] | null {
  if (walk.isOwn(name.name)) return null
  if (name.name === 'context') return path
  const keys = walk.env.globals.has(name.name) ? null : walk.possibleKeys(name.name)
  return keys === null ? null : [...keys.map((key) => ({ kind: 'key', name: key, span: name.span }) as const), ...path]
}

/** The key that an accessor surely asks for; null for a computed one. */
export function nameOf(accessor: Accessor): string | null {
  return accessor.kind === 'key' ? accessor.name : keyOf(accessor.value)
}

/** The text that an index is; null for another value. */
export function keyOf(index: Expression): string | null {
  return index.kind === 'literal' && index.value.type === 'string' ? index.value.value : null
}
