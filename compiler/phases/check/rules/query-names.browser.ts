/** Names in GraphQL documents: in browsers no document is read, so that any may stand there. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'

export function checkQueryNames(): readonly Diagnostic[] {
  return []
}

export function sentByQueries(): ReadonlyMap<string, null> {
  return new Map(['email', 'sms', 'api_call'].map((channel) => [channel, null]))
}
