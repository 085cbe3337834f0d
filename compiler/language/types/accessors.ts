/** Checks which accessors can only mean an own property of a value. */
import { type Accessor, stringOf } from '../../core/tree/ast.ts'

/** Names on the prototype of a possible template value, and the pseudo properties of the language. */
const SHARED_NAMES: ReadonlySet<string> = new Set([
  ...[Object, Array, String, Number, Boolean, BigInt].flatMap((type) => Object.getOwnPropertyNames(type.prototype)),
  ...['length', 'size', 'first', 'last', '__proto__'],
])

/** Returns whether `value?.name` can only read an own property of the value. */
function isDirect(name: string): boolean {
  // An array has elements under the texts of its indexes.
  const first = name.charCodeAt(0)
  return !SHARED_NAMES.has(name) && !(first >= 48 && first <= 57 && /^\d+$/.test(name))
}

/** Returns the property name that an accessor reads directly; null if it may mean anything other than an own property. */
export function directKey(accessor: Accessor | undefined): string | null {
  const key = literalKey(accessor)
  return key !== null && isDirect(key) ? key : null
}

/** Returns the key of an accessor that is a plain key or a literal string. */
export function literalKey(accessor: Accessor | undefined): string | null {
  if (accessor?.kind === 'key') return accessor.name
  return stringOf(accessor?.value)
}
