/** The types of the values that the site's templates write to `context.exports` and `context.session`, by name. */
import { NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { asPart, join, unshared } from '../../../language/types/relate.ts'
import type { UnitFacts } from './facts.ts'
import { literalText } from './literal-text.ts'

export interface RequestValues {
  readonly exports: Type
  readonly session: Type
}

type RequestFields = Map<string, Type>

/**
 * Returns the types by name: the join of the types that any tag sets, and nil. The types of arrays and hashes are unknown, because other
 * variables may refer to them and change them. The types of names that the host may write are also unknown. Returns null if nothing is
 * known.
 */
export function requestValues(facts: Iterable<UnitFacts>): RequestValues | null {
  const exports: RequestFields = new Map()
  const namespaces = new Map<string, RequestFields>()
  const session: RequestFields = new Map()
  let hasComputedNamespace = false
  for (const { notes } of facts) {
    for (const { note } of notes) {
      if (note.kind === 'session') addValue(session, note.name, note.type)
      else if (note.kind === 'export') {
        const namespace = note.namespace === null ? '' : literalText(note.namespace)
        if (namespace === null) hasComputedNamespace = true
        else if (namespace === '') addValue(exports, note.name, note.type)
        else {
          const fields = namespaces.get(namespace) ?? new Map<string, Type>()
          namespaces.set(namespace, fields)
          addValue(fields, note.name, note.type)
        }
      }
    }
  }
  for (const [name, fields] of namespaces) exports.set(name, exports.has(name) ? UNKNOWN : join(recordOf(fields), NIL))
  if (hasComputedNamespace) exports.clear()
  return exports.size === 0 && session.size === 0 ? null : { exports: recordOf(exports), session: recordOf(session) }
}

function addValue(fields: RequestFields, name: string, type: Type): void {
  fields.set(name, join(fields.get(name) ?? NIL, asPart(unshared(type))))
}

function recordOf(fields: RequestFields): Type {
  return { kind: 'record', fields, open: true, origin: null }
}
