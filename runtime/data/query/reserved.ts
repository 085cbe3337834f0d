/** Fields that only administrators may ask for: all those that do not say `@public` in the text of the schema. */
import { type DocumentNode, type GraphQLField, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { schema } from './schema.ts'
import { hasWord } from './words.ts'

/** Whether every token reaches a field: it says so itself. What asks about the schema has no text and holds no data. */
export function isPublic({ name, astNode }: GraphQLField<unknown, unknown>): boolean {
  return name.startsWith('__') || hasWord(astNode, 'public')
}

/**
 * The fields of a document that are not public, by their names. Of fields that the schema does not have nothing is known: planning
 * refuses them.
 */
export function reservedFields(document: DocumentNode): readonly string[] {
  const names = new Set<string>()
  const types = new TypeInfo(schema())
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const parent = types.getParentType()
        const field = types.getFieldDef()
        // The types that describe the schema are the same for everybody.
        if (field === null || field === undefined || parent?.name.startsWith('__')) return
        if (!isPublic(field)) names.add(name.value)
      },
    }),
  )
  return [...names]
}
