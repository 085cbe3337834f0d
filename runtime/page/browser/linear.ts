/**
 * Replaces `regex/linear.ts` in browsers, because RE2's tables are too large. Every pattern is then searched with a limit.
 */
import type { LinearPattern } from '../regex/linear.ts'
import type { ParsedPattern } from '../regex/node.ts'

export class UnsupportedByRe2 extends Error {}

/** Rejects every pattern. @throws UnsupportedByRe2 always */
export function printLinearPattern(_pattern: ParsedPattern, _wide: boolean): LinearPattern {
  throw new UnsupportedByRe2()
}
