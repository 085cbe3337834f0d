/** Words that stand behind fields in the text of the schema, for our own code: the schema that is shown does not have them. */
import type { FieldDefinitionNode } from 'graphql'

/** `public`: not administrators alone may ask for the field. `markup`: templates print the text as it is. */
export const WORDS = ['public', 'markup'] as const

/** Whether the text of a field has a word. */
export function hasWord(field: FieldDefinitionNode | null | undefined, word: (typeof WORDS)[number]): boolean {
  return field?.directives?.some(({ name }) => name.value === word) ?? false
}
