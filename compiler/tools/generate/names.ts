/** The names and fields that a generator is given, checked, and the words that are made of them. */
import { findNearest } from '../../core/diagnostics/suggest.ts'
import { UsageError } from '../../core/usage-error.ts'

/** The types of a property that a form can take. */
const TYPES = ['string', 'text', 'integer', 'float', 'boolean', 'date', 'datetime'] as const
export type FieldType = (typeof TYPES)[number]

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

/** The names of a table. @throws UsageError for what cannot be one */
export function namesOf(written: string): Names {
  if (!/^[a-z][a-z0-9_]*$/.test(written))
    throw new UsageError(`'${written}' is no name of a table: small letters, digits and \`_\`, as in blog_post.`)
  const many = plural(written)
  return { one: written, many, title: words(written), titles: words(many) }
}

/** What a reader sees of a name: `blog_post` is `Blog post`. */
export function words(name: string): string {
  const text = name.replaceAll(/[_/-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}

/** `title price:integer`; a field without a type is a text in one line. @throws UsageError */
export function fieldsOf(written: readonly string[]): readonly Field[] {
  const fields = written.map((each): Field => {
    const [name = '', kind = 'string', ...rest] = each.split(':')
    if (!/^[a-z][a-z0-9_]*$/.test(name) || rest.length > 0)
      throw new UsageError(`'${each}' is no field: write NAME or NAME:TYPE, as in price:integer.`)
    const type = TYPES.find((known) => known === kind)
    if (type !== undefined) return { name, type }
    const near = findNearest(kind, TYPES)
    throw new UsageError(
      `There is no type '${kind}'${near === null ? `: there are ${TYPES.join(', ')}.` : `: did you mean ${name}:${near}?`}`,
    )
  })
  const twice = fields.find(({ name }, at) => fields.findIndex((each) => each.name === name) < at)
  if (twice !== undefined) throw new UsageError(`The field '${twice.name}' is given twice.`)
  return fields
}

/** A path of a page or a form: `shop/opening-hours`. @throws UsageError */
export function pathOf(written: string): string {
  if (/^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*)*$/.test(written)) return written
  throw new UsageError(`'${written}' is no path: small letters, digits, \`-\` and \`_\`, parted by slashes.`)
}
