/** `uuid`: a random identifier. */
import type { Render, Value } from '../types.ts'

export const dialect = 'platform'

/** A random UUID of version 4. The input is ignored. */
export function uuid(r: Render, _input: Value = null): string {
  return r.services.random.uuid()
}
