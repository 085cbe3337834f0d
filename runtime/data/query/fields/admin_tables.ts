/** `admin_tables`: the declared tables. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'

/** What tables are filtered by, under both of their names. */
export const TABLE_FILTERS: ItemFilters = {
  created_at: 'date',
  id: 'id',
  metadata: 'json',
  name: 'text',
  parameterized_name: 'text',
  physical_file_path: 'text',
  updated_at: 'date',
}

export const admin_tables: SiteField = {
  kind: 'site',
  name: 'admin_tables',
  sdl: 'admin_tables(filter: TablesFilterInput, page: Int = 1, per_page: Int = 20, sort: [TablesSortInput!]): TableCollection! @public',
  value: async (args, site) => itemPage(await site.tables(), args, TABLE_FILTERS),
}
