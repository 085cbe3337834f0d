/** Determines which fields only administrators may use: all fields without the directive `@public`. */
import { type DocumentNode, type GraphQLField, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { schema } from './schema.ts'
import { hasDirective } from './schema-directives.ts'

/**
 * Returns whether every token may use a field. Introspection fields have no directives and contain no data, so they are public.
 * @internal Exported for tests.
 */
export function isPublic({ name, astNode }: GraphQLField<unknown, unknown>): boolean {
  return name.startsWith('__') || hasDirective(astNode, 'public')
}

/** Returns the names of a document's fields that are not public. Unknown fields are skipped, because planning rejects them. */
export function adminFields(document: DocumentNode): readonly string[] {
  const names = new Set<string>()
  const types = new TypeInfo(schema())
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name }) {
        const parent = types.getParentType()
        const field = types.getFieldDef()
        // Introspection types are public.
        if (field === null || field === undefined || parent?.name.startsWith('__')) return
        if (!isPublic(field)) names.add(name.value)
      },
    }),
  )
  return [...names]
}
