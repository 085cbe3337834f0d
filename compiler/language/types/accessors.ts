/** Which steps of a path mean a property of the value's own, and nothing else. */
import type { Accessor } from '../../core/model/ast.ts'

/** Names that stand on the prototype of some value that a template can hold, and the pseudo-properties of the language. */
const SHARED_NAMES: ReadonlySet<string> = new Set([
  ...[Object, Array, String, Number, Boolean, BigInt].flatMap((type) => Object.getOwnPropertyNames(type.prototype)),
  ...['length', 'size', 'first', 'last', '__proto__'],
])

/** Whether `value?.name` can only find a property of the value's own. */
export function isDirect(name: string): boolean {
  // An array would answer to the text of an index.
  const first = name.charCodeAt(0)
  return !SHARED_NAMES.has(name) && !(first >= 48 && first <= 57 && /^\d+$/.test(name))
}

/** The name that a step of a path reads by a point; null where it may mean more than a property of the value's own. */
export function directKey(accessor: Accessor | undefined): string | null {
  const key = literalKey(accessor)
  return key !== null && isDirect(key) ? key : null
}

/** The key of a step that is written as one, or as a literal text. */
export function literalKey(accessor: Accessor | undefined): string | null {
  if (accessor?.kind === 'key') return accessor.name
  if (accessor?.kind !== 'index') return null
  const { value } = accessor
  return value.kind === 'literal' && value.value.type === 'string' ? value.value.value : null
}
