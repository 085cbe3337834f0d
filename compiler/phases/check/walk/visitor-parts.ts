/** Parts of `context` that depend on the visitor or the request. */
import type { Accessor, Expression } from '../../../core/tree/ast.ts'
import { childrenOf } from '../../../core/tree/expressions.ts'
import { contextPath, nameOf } from './context-paths.ts'
import type { Walk } from './walk.ts'

/** Fields of `context` that differ between requests, each with the fields that a cache key needs to distinguish these requests. */
export const REQUEST_FIELDS: Readonly<Record<string, readonly string[]>> = {
  params: ['params', 'location'],
  language: ['language', 'params', 'location'],
}

/** Fields of `context` that belong to one visitor. CSRF tokens are left out: they are filled in for each visitor. */
const VISITOR_FIELDS: ReadonlySet<string> = new Set(['current_user', 'session', 'flash', 'cookies'])

/** Records a read of `context`, or of an old name for a part of it, if it depends on the visitor or the request. */
export function noteVisitor(walk: Walk, name: string, field: Accessor | undefined): void {
  const part = visitorField(walk, name, field)
  if (part !== null && field !== undefined) walk.readVisitor(part, field.span)
}

/** Returns the part of `context` that depends on the visitor or the request, from which a value was computed; null if there is none. */
export function visitorPart(walk: Walk, source: Expression): string | null {
  if (source.kind === 'filtered') {
    for (const each of childrenOf(source)) {
      const part = visitorPart(walk, each)
      if (part !== null) return part
    }
    return null
  }
  if (source.kind !== 'lookup' || source.name === null) return null
  const { name, path } = source
  if (walk.flow.local(name.name) !== undefined) return null
  return walk.isOwn(name.name)
    ? (walk.flow.variables.get(name.name)?.visitor ?? null)
    : visitorField(walk, name.name, contextPath(walk, name, path)?.[0])
}

/** Returns the name of a field of `context` that depends on the visitor or the request; null for any other read. */
function visitorField(walk: Walk, name: string, field: Accessor | undefined): string | null {
  const part = field === undefined || (name !== 'context' && walk.oldKeys(name) === null) ? null : nameOf(field)
  return part !== null && (VISITOR_FIELDS.has(part) || Object.hasOwn(REQUEST_FIELDS, part)) ? part : null
}
