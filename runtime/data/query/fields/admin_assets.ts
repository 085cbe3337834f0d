/** `admin_assets`: files below `assets/`. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'

const FILTERS: ItemFilters = {
  content_type: 'text',
  created_at: 'date',
  deleted_at: 'date',
  file_size: 'number',
  id: 'id',
  manually_managed: 'boolean',
  metadata: 'json',
  name: 'text',
  physical_file_path: 'text',
  updated_at: 'date',
  virtual_deleted_at: 'date',
}

export const admin_assets: SiteField = {
  kind: 'site',
  name: 'admin_assets',
  sdl: 'admin_assets(filter: QueryAssetsFilterInput, page: Int = 1, per_page: Int = 20, sort: [AssetsSortInput!]): AssetCollection! @public',
  value: async (args, site) => itemPage(await site.assets(), args, FILTERS),
}
