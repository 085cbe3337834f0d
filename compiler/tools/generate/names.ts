/** Validates the names and fields passed to a generator, and derives labels from them. */
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { UsageError } from '../../core/usage-error.ts'

/** Property types that a form can contain. */
const TYPES = ['string', 'text', 'integer', 'float', 'boolean', 'date', 'datetime'] as const
type FieldType = (typeof TYPES)[number]

export interface Field {
  readonly name: string
  readonly type: FieldType
}

export interface Names {
  /** `blog_post` */
  readonly one: string
  /** `blog_posts` */
  readonly many: string
  /** `Blog post` */
  readonly title: string
  /** `Blog posts` */
  readonly titles: string
}

/** Parses a table name. @throws UsageError for an invalid one */
export function parseTableName(written: string): Names {
  if (!/^[a-z][a-z0-9_]*$/.test(written))
    throw new UsageError(`'${written}' is not a table name: use lowercase letters, digits and \`_\`, as in blog_post.`)
  const many = plural(written)
  return { one: written, many, title: labelOf(written), titles: labelOf(many) }
}

/** Returns the label for a name: `blog_post` is `Blog post`. */
export function labelOf(name: string): string {
  const text = name.replaceAll(/[_/-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

/** Parses fields such as `title price:integer`. The default type is a single-line text. @throws UsageError */
export function parseFields(written: readonly string[]): readonly Field[] {
  const fields = written.map((each): Field => {
    const [name = '', kind = 'string', ...rest] = each.split(':')
    if (!/^[a-z][a-z0-9_]*$/.test(name) || rest.length > 0)
      throw new UsageError(`'${each}' is not a field: write NAME or NAME:TYPE, as in price:integer.`)
    const type = TYPES.find((known) => known === kind)
    if (type !== undefined) return { name, type }
    const near = findNearest(kind, TYPES)
    throw new UsageError(
      `There is no type '${kind}'${near === null ? `: there are ${TYPES.join(', ')}.` : `: did you mean ${name}:${near}?`}`,
    )
  })
  const duplicate = fields.find(({ name }, at) => fields.findIndex((each) => each.name === name) < at)
  if (duplicate !== undefined) throw new UsageError(`The field '${duplicate.name}' is given twice.`)
  return fields
}

/** Parses the path of a page or form: `shop/opening-hours`. @throws UsageError */
export function parsePath(written: string): string {
  if (/^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*)*$/.test(written)) return written
  throw new UsageError(
    `'${written}' is not a path: use lowercase letters, digits, \`-\` and \`_\`, separated by slashes.`,
  )
}
