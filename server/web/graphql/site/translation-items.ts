/** The texts of a site, from its files and set at run time, as plain items for `admin_translations`. */
import type { Sql } from 'postgres'
import type { SiteItem } from '../../../../runtime/data/query/site-facts.ts'
import type { SiteTranslation } from '../../../../runtime/data/query/schema.generated.ts'
import { isObject } from '../../../../runtime/data/values/json-data.ts'
import type { ItemOf } from './deployed.ts'

/**
 * Returns an item for each text, sorted by key and language.
 * @param trees the texts of the files as nested objects, by language
 * @throws the database client's errors
 */
export async function translationItems(
  trees: Readonly<Record<string, unknown>>,
  sql: Sql,
): Promise<readonly SiteItem[]> {
  const items = new Map<string, SiteItem>()
  for (const [locale, tree] of Object.entries(trees))
    for (const [key, value] of leaves(tree, ''))
      items.set(idOf(locale, key), translationItem({ locale, key, value, fileValue: value, setAt: null }))
  const rows = await sql<{ locale: string; key: string; value: string | null; at: string }[]>`
    select locale, key, value::text as value,
      to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from ingot.translations`
  for (const { locale, key, value, at } of rows) {
    const fileValue = items.get(idOf(locale, key))?.['file_value'] ?? null
    const set = value === null ? null : JSON.parse(value)
    items.set(idOf(locale, key), translationItem({ locale, key, value: set, fileValue, setAt: at }))
  }
  return [...items.values()].toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))
}

interface Text {
  readonly locale: string
  readonly key: string
  readonly value: unknown
  readonly fileValue: unknown
  /** ISO 8601; null for a text of a file. */
  readonly setAt: string | null
}

function translationItem({ locale, key, value, fileValue, setAt }: Text): SiteItem {
  return {
    id: idOf(locale, key),
    key,
    locale,
    value,
    file_value: fileValue,
    set_at: setAt,
    is_set: setAt !== null,
    searched: typeof value === 'string' ? value : JSON.stringify(value),
  } satisfies ItemOf<SiteTranslation, 'is_set' | 'searched'>
}

/** Keys contain no space, so that equal keys are neighbours in the order of the ids. */
function idOf(locale: string, key: string): string {
  return `${key} ${locale}`
}

/** Yields the texts below a node with their keys, as templates write them. */
function* leaves(node: unknown, prefix: string): Generator<readonly [key: string, value: unknown]> {
  if (!isObject(node)) {
    if (prefix !== '') yield [prefix.slice(0, -1), node]
    return
  }
  // A module's keys are written `modules/<name>/…`.
  for (const [name, value] of Object.entries(node))
    yield* leaves(
      value,
      `${prefix}${name}${prefix === '' && name.startsWith('modules/') && isObject(value) ? '/' : '.'}`,
    )
}
