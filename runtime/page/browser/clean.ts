/** Output functions of sites that sanitize their output, for compiled modules in browsers: the sanitizer is too large for a page. */
import { LiquidFault } from '../fault.ts'
export { escAttribute as cleanAttribute } from '../values/text.ts'

/** @throws LiquidFault always */
export function clean(_value: unknown): string {
  throw new LiquidFault('output that is sanitized runs on servers only')
}
