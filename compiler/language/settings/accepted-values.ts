/** The values that the schema of a setting lists. They are read from its zod issues, whose messages are words only. */
import type * as z from 'zod'

/** A text that only a schema for any text accepts. */
const PROBE = '\0'

/** Returns the values that a schema lists, such as the words of an enum. */
export function listedValues(schema: z.ZodType): readonly string[] {
  const values = (schema.safeParse(PROBE).error?.issues ?? []).flatMap(acceptedValues)
  return [...new Set(values)].filter((each) => each !== '')
}

/** Returns the values that a schema accepts, if its issue lists them. A check of a text lists them in `params.accepted`. */
export function acceptedValues(issue: z.core.$ZodIssue): readonly string[] {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.map(String)
    case 'invalid_type':
      return issue.expected === 'boolean' ? ['true', 'false'] : []
    case 'invalid_union':
      return issue.errors.flat().flatMap((inner) => (inner.path.length === 0 ? acceptedValues(inner) : []))
    case 'custom': {
      const accepted: unknown = issue.params?.['accepted']
      return Array.isArray(accepted) ? accepted.map(String) : []
    }
    default:
      return []
  }
}
