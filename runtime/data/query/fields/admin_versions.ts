/** `admin_versions`: earlier versions of rows. The list is always empty, because none are stored. */
import { pageOfItems } from '../memory-collection.ts'
import type { SiteField } from '../model.ts'
import { absent } from '../sdl/absent.ts'

export const admin_versions: SiteField = {
  kind: 'site',
  name: 'admin_versions',
  sdl: 'admin_versions(filter: VersionFilterInput, options: QueryOptionsInput, page: Int = 1, per_page: Int = 20, sort: [VersionSortInput!]): VersionCollection! @public',
  types: absent,
  value: async (args) => pageOfItems([], args),
}
