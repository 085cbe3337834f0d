/** Replaces the checks of caches in browsers, where a cache is never shared by several visitors. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Expression } from '../../../core/tree/ast.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Walk } from './walk.ts'

export function inCache(_walk: Walk, _span: Span, _key: Expression, run: () => void): void {
  run()
}

export function noteVisitor(): void {
  // Nothing is recorded.
}

export function visitorPart(): string | null {
  return null
}

export function checkSharedCaches(): readonly Diagnostic[] {
  return []
}
