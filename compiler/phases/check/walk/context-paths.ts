/** Finds lookups that read below the host's `context`. */
import { type Accessor, type Lookup, type NameNode, stringOf } from '../../../core/tree/ast.ts'
import type { Walk } from './walk.ts'

/**
 * Returns the path of a lookup below the host's `context`. An older name of a field, such as `params`, counts as its path. Returns null
 * for other variables.
 */
export function contextPath(walk: Walk, name: NameNode, path: readonly Accessor[]): readonly Accessor[] | null {
  if (walk.isOwn(name.name)) return null
  if (name.name === 'context') return path
  const keys = walk.env.globals.has(name.name) ? null : walk.possibleKeys(name.name)
  return keys === null ? null : [...keys.map((key) => ({ kind: 'key', name: key, span: name.span }) as const), ...path]
}

/** Returns whether a lookup starts at the host's `context`, and not at a variable of the template. */
export function isContext(walk: Walk, { name }: Lookup): boolean {
  if (name?.name === 'context') return !walk.isOwn('context')
  return name !== null && walk.oldKeys(name.name)?.length === 0
}

/** Returns the key of an accessor; null if it is computed. */
export function nameOf(accessor: Accessor): string | null {
  return accessor.kind === 'key' ? accessor.name : stringOf(accessor.value)
}
