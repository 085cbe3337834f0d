/**
 * Replaces the output functions of sites that sanitize their output, for compiled modules in browsers. The sanitizer is too large for a
 * page.
 */
import { LiquidFault } from '../fault.ts'
export { escAttribute as cleanAttribute } from '../values/text.ts'

/** Rejects sanitized output, which browsers do not support. @throws LiquidFault always */
export function clean(_value: unknown): string {
  throw new LiquidFault('sanitized output works only on a server')
}
