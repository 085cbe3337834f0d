/** `admin_liquid_partials`: partials and files of `lib`, by their logical names. */
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
  // Sorted by path, so that the order in which callers run them changes only with renaming. Ids are digests of names,
  // and have no meaningful order.
  value: async (args, site) => itemPage(await site.partials(), args, FILTERS, 'path'),
}
