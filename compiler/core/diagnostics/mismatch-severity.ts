/** What a site says of values and variables of a wrong type. */
import { APPLICATION } from './absent-modules.ts'
import type { Severity } from './diagnostic.ts'

/** What of a site decides it. */
interface MismatchSettings {
  readonly modules: ReadonlySet<string>
  readonly config: {
    readonly graphqlArgumentTypeMismatchMode: 'error' | 'warning' | 'ignore'
    readonly argumentMismatchWritten: boolean
  }
}

/**
 * The severity of a GraphQL variable, or of a value for one, whose type does not fit: `graphql_argument_type_mismatch_mode` of the site.
 * The setting belongs to the application. Modules without one get warnings, since theirs may ask for no more. Null: nothing is reported.
 */
export function mismatchSeverity({ config, modules }: MismatchSettings): Severity | null {
  const mode = config.graphqlArgumentTypeMismatchMode
  if (mode === 'ignore') return null
  return config.argumentMismatchWritten || modules.has(APPLICATION) ? mode : 'warning'
}
