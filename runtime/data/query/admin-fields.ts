/** Determines which fields only administrators may use: all fields without the directive `@public`. */
import { type DocumentNode, type GraphQLField, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { mutationField, schema } from './schema.ts'
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

/** Fields that read data of the site, and not its files. A client that may only change files does not get them. */
const DATA_FIELDS: ReadonlySet<string> = new Set(['records_count_rc'])

/** Root fields about assets that belong to changes of files. */
const ASSET_FIELDS: ReadonlySet<string> = new Set([
  'admin_assets_listing',
  'admin_assets_listing_create',
  'admin_assets_presign_urls',
])

/** The fields of a document by their right: those that change files of the site, and those that need another right. */
interface FieldsByRight {
  readonly changes: readonly string[]
  readonly others: readonly string[]
}

/**
 * Returns the names of a document's fields that change files of the site, and of those that need another right. What a change returns needs no other right,
 * except for data.
 */
export function changeFields(document: DocumentNode): FieldsByRight {
  const changes = new Set<string>()
  const others = new Set<string>()
  const types = new TypeInfo(schema())
  visit(
    document,
    visitWithTypeInfo(types, {
      Field({ name: { value: name } }) {
        const parent = types.getParentType()?.name
        const isRoot = parent === 'RootMutation' || parent === 'RootQuery'
        if (isRoot && (mutationField(name)?.kind === 'change' || ASSET_FIELDS.has(name))) changes.add(name)
        else if (parent === undefined || parent.startsWith('Root') || DATA_FIELDS.has(name)) {
          if (name !== '__typename') others.add(name)
        }
      },
    }),
  )
  return { changes: [...changes], others: [...others] }
}
