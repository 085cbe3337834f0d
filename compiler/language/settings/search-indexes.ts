/** Settings of search indexes (`search_indexes` in `app/config.yml`): the types of the fields of their documents. */
import * as z from 'zod'
import type { SearchField, SearchIndexDef } from '../../core/model/operation.ts'

/** The types of search engines, and our types for them. Several names have the same meaning. */
const TYPES: Readonly<Record<string, SearchField['type'] | null>> = {
  keyword: 'keyword',
  ip: 'keyword',
  text: 'text',
  // The older name of `text`.
  string: 'text',
  completion: 'text',
  date: 'date',
  integer: 'integer',
  long: 'integer',
  short: 'integer',
  byte: 'integer',
  float: 'float',
  double: 'float',
  half_float: 'float',
  scaled_float: 'float',
  boolean: 'boolean',
  // These types have no value of their own, only properties.
  object: null,
  nested: null,
  // These types cannot be compared or searched.
  binary: null,
  geo_point: null,
  geo_shape: null,
}

interface MappedField {
  readonly type?: string | null | undefined
  readonly properties?: MappedFields | null | undefined
  readonly fields?: MappedFields | null | undefined
}

interface MappedFields extends Readonly<Record<string, MappedField>> {}

const name = z
  .string()
  .refine((text) => text !== '' && !text.includes('\0') && text.isWellFormed(), { error: 'a name' })

// Other keys of search engines, such as `analyzer` and `format`, have no effect here.
const field: z.ZodType<MappedField> = z.lazy(() =>
  z.object(
    {
      type: z.enum(Object.keys(TYPES), { error: `one of ${Object.keys(TYPES).join(', ')}` }).nullish(),
      properties: fields.nullish(),
      fields: fields.nullish(),
    },
    { error: 'a mapping with `type` or `properties`' },
  ),
)

const fields: z.ZodType<MappedFields> = z.record(name, field, { error: 'a mapping of fields' })

const index = z
  .object({ properties: fields.nullish(), mappings: z.object({ properties: fields.nullish() }).nullish() })
  .nullable()

const indexes = z.record(name, index, { error: 'a list of mappings by the names of indexes' })

type Indexes = z.infer<typeof indexes>

/**
 * A list of mappings with one index each, or one mapping of all indexes. It is not a union, because union errors do not name the entry.
 */
export const searchIndexes = z
  .unknown()
  .transform((value, context): readonly Indexes[] => {
    const parsed = Array.isArray(value) ? z.array(indexes).safeParse(value) : indexes.safeParse(value)
    if (parsed.success) return Array.isArray(parsed.data) ? parsed.data : [parsed.data]
    for (const { path, message } of parsed.error.issues)
      context.issues.push({ code: 'custom', path, message, input: value })
    return z.NEVER
  })
  .transform((list): readonly SearchIndexDef[] =>
    list.flatMap((each) =>
      Object.entries(each).map(([key, mapping]) => ({
        name: key,
        fields: flatten({ ...mapping?.mappings?.properties, ...mapping?.properties }, []),
      })),
    ),
  )

/** Returns each field under its name in queries. `author.name` can also be written as one key. */
function flatten(mappedFields: MappedFields, parentPath: readonly string[]): SearchField[] {
  return Object.entries(mappedFields).flatMap(([key, { type, properties, fields: others }]) => {
    const path = [...parentPath, ...key.split('.')]
    const ownFields = typedField(path.join('.'), path, type)
    const subfields = Object.entries(others ?? {}).flatMap(([sub, other]) =>
      typedField(`${path.join('.')}.${sub}`, path, other.type),
    )
    return [...ownFields, ...subfields, ...flatten(properties ?? {}, path)]
  })
}

function typedField(fieldName: string, path: readonly string[], type: string | null | undefined): SearchField[] {
  const knownType = TYPES[type ?? 'object'] ?? null
  return knownType === null ? [] : [{ name: fieldName, path, type: knownType }]
}
