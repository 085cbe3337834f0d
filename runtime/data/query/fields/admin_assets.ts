/** `admin_assets`: files below `assets/`. */
import { deployedList, textFilters } from '../site/deployed-list.ts'

export const admin_assets = deployedList({
  name: 'admin_assets',
  singularName: 'Asset',
  filter: 'QueryAssetsFilterInput',
  filters: {
    ...textFilters('content_type', 'name'),
    deleted_at: 'date',
    file_size: 'number',
    manually_managed: 'boolean',
    virtual_deleted_at: 'date',
  },
  items: (site) => site.assets(),
})
