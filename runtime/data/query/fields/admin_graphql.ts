/** `admin_graphql`: the stored queries and mutations of the site. */
import { type ItemFilters, itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { deployed } from '../sdl/deployed.ts'

const FILTERS: ItemFilters = {
  created_at: 'date',
  id: 'id',
  metadata: 'json',
  name: 'text',
  physical_file_path: 'text',
  query_string: 'text',
  updated_at: 'date',
}

export const admin_graphql: SiteField = {
  kind: 'site',
  name: 'admin_graphql',
  sdl: 'admin_graphql(filter: GraphqlFilterInput, page: Int = 1, per_page: Int = 20, sort: [GraphqlSortInput!]): GraphQueryCollection! @public',
  types: deployed,
  value: async (args, site) => itemPage(await site.operations(), args, FILTERS),
}
