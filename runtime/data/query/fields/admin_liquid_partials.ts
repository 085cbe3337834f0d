/** `admin_liquid_partials`: partials and files of `lib`, by the names that they are called by. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'

const FILTERS: ItemFilters = {
  body: 'text',
  created_at: 'date',
  id: 'id',
  metadata: 'json',
  path: 'text',
  physical_file_path: 'text',
  updated_at: 'date',
}

export const admin_liquid_partials: SiteField = {
  kind: 'site',
  name: 'admin_liquid_partials',
  sdl: 'admin_liquid_partials(filter: LiquidPartialsFilterInput, page: Int = 1, per_page: Int = 20, sort: [LiquidPartialsSortInput!]): LiquidPartialCollection! @public',
  // Whoever calls what is listed, one after the other, needs an order that renaming alone changes. Ids are made of names and have none.
  value: async (args, site) => itemPage(await site.partials(), args, FILTERS, 'path'),
}
