/** Replaces the checks of names in GraphQL documents in browsers, where no document is parsed. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkQueryNames(): readonly Diagnostic[] {
  return []
}

/** Returns null for each channel: any notification may be sent. */
export function sentByQueries(): ReadonlyMap<string, null> {
  return new Map(['email', 'sms', 'api_call'].map((channel) => [channel, null]))
}
