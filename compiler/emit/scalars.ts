/** Codes whose values are surely of one kind that no write can change: texts, numbers, booleans. */
import type { Code } from '../model/code.ts'
import type { Type } from '../model/type.ts'

const KINDS: ReadonlySet<Type['kind']> = new Set(['boolean', 'integer', 'float', 'number', 'string'])

/** Whether TypeScript, too, knows the kind of the code's value: it is a literal, or what a function of the runtime declares to give. */
export function isScalar(code: Code): boolean {
  if (code.type !== undefined) return KINDS.has(code.type.kind)
  return code.kind === 'string' || code.kind === 'number' || code.kind === 'boolean' || code.kind === 'template'
}
