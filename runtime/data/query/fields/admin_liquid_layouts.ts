/** `admin_liquid_layouts`: the layouts of the site. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { deployed } from '../sdl/deployed.ts'

const FILTERS: ItemFilters = {
  body: 'text',
  created_at: 'date',
  id: 'id',
  metadata: 'json',
  path: 'text',
  physical_file_path: 'text',
  updated_at: 'date',
}

export const admin_liquid_layouts: SiteField = {
  kind: 'site',
  name: 'admin_liquid_layouts',
  sdl: 'admin_liquid_layouts(filter: LiquidLayoutsFilterInput, page: Int = 1, per_page: Int = 20, sort: [LiquidLayoutsSortInput!]): LiquidLayoutCollection! @public',
  types: deployed,
  value: async (args, site) => itemPage(await site.layouts(), args, FILTERS),
}
