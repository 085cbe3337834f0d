/** `admin_model_schemas`: old name of `admin_tables`. */
import { itemPage } from '../items.ts'
import type { SiteField } from '../model.ts'
import { TABLE_FILTERS } from './admin_tables.ts'

export const admin_model_schemas: SiteField = {
  kind: 'site',
  name: 'admin_model_schemas',
  sdl: 'admin_model_schemas(filter: ModelSchemasFilterInput, page: Int = 1, per_page: Int = 20, sort: [ModelSchemasSortInput!]): ModelSchemaCollection! @deprecated @public',
  value: async (args, site) => itemPage(await site.tables(), args, TABLE_FILTERS),
}
