/** `admin_user_profile_schemas`: the declared types of user profiles. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { deployed } from '../sdl/deployed.ts'

const FILTERS: ItemFilters = {
  created_at: 'date',
  id: 'id',
  metadata: 'json',
  name: 'text',
  parameterized_name: 'text',
  physical_file_path: 'text',
  updated_at: 'date',
}

export const admin_user_profile_schemas: SiteField = {
  kind: 'site',
  name: 'admin_user_profile_schemas',
  sdl: 'admin_user_profile_schemas(filter: UserProfileSchemasFilterInput, page: Int = 1, per_page: Int = 20, sort: [UserProfileSchemasSortInput!]): UserProfileSchemaCollection! @public',
  types: deployed,
  value: async (args, site) => itemPage(await site.profileSchemas(), args, FILTERS),
}
