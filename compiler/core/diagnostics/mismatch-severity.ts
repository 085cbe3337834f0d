/** The severity of GraphQL type mismatches, from the configuration of a site. */
import { APPLICATION } from './absent-modules.ts'
import type { Severity } from './diagnostic.ts'

interface MismatchSettings {
  readonly modules: ReadonlySet<string>
  readonly config: {
    readonly graphqlArgumentTypeMismatchMode: 'error' | 'warning' | 'ignore'
    readonly argumentMismatchWritten: boolean
  }
}

/**
 * Returns the severity of a GraphQL type mismatch from the setting `graphql_argument_type_mismatch_mode`; null if it is not reported.
 * Modules without an application get at most warnings, because the setting belongs to the application.
 */
export function mismatchSeverity({ config, modules }: MismatchSettings): Severity | null {
  const mode = config.graphqlArgumentTypeMismatchMode
  if (mode === 'ignore') return null
  return config.argumentMismatchWritten || modules.has(APPLICATION) ? mode : 'warning'
}
