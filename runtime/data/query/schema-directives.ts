/** Directives in the source of the schema that only Ingot's own code reads. They are removed from the published schema. */
import type { FieldDefinitionNode } from 'graphql'

/** `public`: every API token may use the field, not only those of administrators. `markup`: templates print the text unescaped. */
export const INTERNAL_DIRECTIVES = ['public', 'markup'] as const

/** Returns whether a field has a directive. */
export function hasDirective(
  field: FieldDefinitionNode | null | undefined,
  directiveName: (typeof INTERNAL_DIRECTIVES)[number],
): boolean {
  return field?.directives?.some(({ name }) => name.value === directiveName) ?? false
}
