/** `admin_transactable_schemas`: types of transactables. The list is always empty. */
import { pageOfItems } from '../memory-collection.ts'
import type { SiteField } from '../model.ts'
import { absent } from '../sdl/absent.ts'

export const admin_transactable_schemas: SiteField = {
  kind: 'site',
  name: 'admin_transactable_schemas',
  sdl: 'admin_transactable_schemas(filter: TransactableSchemasFilterInput, page: Int = 1, per_page: Int = 20, sort: [TransactableSchemasSortInput!]): TransactableSchemaCollection! @public',
  types: absent,
  value: async (args) => pageOfItems([], args),
}
