/** Validates the names and fields passed to a generator, and derives labels from them. */
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { capitalize } from '../../core/diagnostics/words.ts'
import { UsageError } from '../../core/usage-error.ts'

/** Types of fields. `references` is a relation with another table; all others are property types. */
const TYPES = ['string', 'text', 'integer', 'float', 'boolean', 'date', 'datetime', 'upload', 'references'] as const
export type FieldType = (typeof TYPES)[number]

export interface Field {
  /** Name of the property: `title`, or `author_id` for a relation. */
  readonly name: string
  readonly type: FieldType
  /** The related table; null for other types. */
  readonly related: Related | null
}

/** A relation of a field with another table. */
interface Related {
  /** Name of the related row in queries: `author`. */
  readonly alias: string
  readonly table: string
  /** The property of the related row that is shown. */
  readonly label: string
}

/** Returns the property that represents the rows of a table. @throws UsageError when the table does not exist */
export type FindLabel = (table: string) => string

export interface Names {
  /** `blog_post` */
  readonly singular: string
  /** `blog_posts` */
  readonly plural: string
  /** `Blog post` */
  readonly title: string
  /** `Blog posts` */
  readonly titles: string
}

const NAME = /^[a-z][a-z0-9_]*$/

/** Parses a table name. @throws UsageError for an invalid one */
export function parseTableName(writtenText: string): Names {
  if (!NAME.test(writtenText))
    throw new UsageError(
      `'${writtenText}' is not a table name: use lowercase letters, digits and \`_\`, as in blog_post.`,
    )
  const many = plural(writtenText)
  return { singular: writtenText, plural: many, title: labelOf(writtenText), titles: labelOf(many) }
}

/** Returns the label for a name: `blog_post` is `Blog post`. */
export function labelOf(name: string): string {
  return capitalize(name.replaceAll(/[_/-]+/g, ' ').trim())
}

function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

/**
 * Parses fields such as `title price:integer author:references:person`. The default type is a single-line text.
 * @throws UsageError
 */
export function parseFields(written: readonly string[], findLabel: FindLabel): readonly Field[] {
  const fields = written.map((each) => parseField(each, findLabel))
  const names = fields.flatMap(({ name, related }) => (related === null ? [name] : [name, related.alias]))
  const duplicate = names.find((name, at) => names.indexOf(name) < at)
  if (duplicate !== undefined) throw new UsageError(`The field '${duplicate}' is given twice.`)
  return fields
}

function parseField(writtenText: string, findLabel: FindLabel): Field {
  const [name = '', kind = 'string', table, ...rest] = writtenText.split(':')
  if (!NAME.test(name) || rest.length > 0 || (table !== undefined && kind !== 'references'))
    throw new UsageError(
      `'${writtenText}' is not a field: write NAME, NAME:TYPE or NAME:references:TABLE, as in price:integer.`,
    )
  const type = TYPES.find((known) => known === kind)
  if (type === 'references') return parseReference(name, table, findLabel)
  if (type !== undefined) return { name, type, related: null }
  const similarName = findNearest(kind, TYPES)
  throw new UsageError(
    `There is no type '${kind}'${similarName === null ? `: there are ${TYPES.join(', ')}.` : `: did you mean ${name}:${similarName}?`}`,
  )
}

function parseReference(name: string, writtenText: string | undefined, findLabel: FindLabel): Field {
  const alias = name.replace(/(?<=.)_id$/, '')
  const table = writtenText ?? alias
  if (!NAME.test(table))
    throw new UsageError(`'${table}' is not a table name: write NAME:references:TABLE, as in author:references:person.`)
  return { name: `${alias}_id`, type: 'references', related: { alias, table, label: findLabel(table) } }
}

/** Returns the field that represents a row in lists and headings: the first with a text or a number. */
export function findNameField(fields: readonly Field[]): Field | null {
  return fields.find(({ type }) => type !== 'upload' && type !== 'references') ?? null
}

/** Returns the name of a field in labels and translations: `author` for a relation `author_id`. */
export function shownName({ name, related }: Field): string {
  return related?.alias ?? name
}

/** Parses the path of a page or form: `shop/opening-hours`. @throws UsageError */
export function parsePath(writtenText: string): string {
  if (/^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*)*$/.test(writtenText)) return writtenText
  throw new UsageError(
    `'${writtenText}' is not a path: use lowercase letters, digits, \`-\` and \`_\`, separated by slashes.`,
  )
}
