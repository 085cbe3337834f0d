/** Selects pages of the site, for `admin_pages` and its old name `pages`. */
import { type ItemFilters, type ItemPage, itemPage } from '../memory-collection.ts'
import type { SiteFacts } from '../site-facts.ts'
import { isObject } from '../../values/json-data.ts'

/** The arguments of `admin_pages` and `pages`. */
export const pageArguments =
  'exclude: Boolean, filter: PageFilterInput, has_key: String, metadata: String, name: String, page: Int = 1, per_page: Int = 20, sort: [PagesSortInput!], value: String'

/** The filter keys of pages. */
export const PAGE_FILTERS: ItemFilters = {
  authorization_policies: { as: 'texts', key: 'policies' },
  // Compares the field `searched`, which is empty for pages that are not searchable.
  content: { as: 'text', key: 'searched' },
  content_updated_at: 'date',
  created_at: 'date',
  deleted_at: 'date',
  format: 'text',
  id: 'id',
  layout: 'text',
  layout_name: { as: 'text', key: 'layout' },
  metadata: 'json',
  physical_file_path: 'text',
  redirect_code: 'number',
  redirect_to: 'text',
  request_method: 'text',
  searchable: 'boolean',
  slug: 'text',
  subdomain: 'text',
  updated_at: 'date',
}

type Fields = Readonly<Record<string, unknown>>

/** Returns the page of a collection that the arguments select. */
export async function selectPages(args: Fields, site: SiteFacts): Promise<ItemPage> {
  const old = metadataCondition(args)
  const filter = isObject(args['filter']) ? args['filter'] : {}
  const filters = old === null ? filter : { ...filter, metadata: [...listOf(filter['metadata']), old] }
  return itemPage(await site.pages(), { ...args, filter: filters }, PAGE_FILTERS)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Converts the scalar arguments to a condition on the metadata. They are an old way to write a single condition. */
function metadataCondition(args: Fields): Fields | null {
  const { has_key, metadata, name, value, exclude } = args
  const attribute = name === null || name === undefined ? null : { key: name, value, exists: true }
  const condition = { has_key, contains: metadata, attribute }
  if (Object.values(condition).every((one) => one === null || one === undefined)) return null
  return { ...condition, exclude }
}
