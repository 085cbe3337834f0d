/** In browsers every pattern is searched with a limit: RE2 has large tables, of which a browser has its own. */
import type { LinearPattern } from './linear.ts'
import type { ReadPattern } from './node.ts'

export class BeyondLinear extends Error {}

/** @throws BeyondLinear always */
export function linearPattern(_pattern: ReadPattern, _wide: boolean): LinearPattern {
  throw new BeyondLinear()
}
