/** Replaces the checks of caches in browsers, where a cache is never shared by several visitors. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
export function sharedCacheOf(): null {
  return null
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
