/** `customizations`: the old search for records. */
import type { QueryField } from '../model.ts'
import { customizationsJson } from '../rows/old-search.ts'
import { listing } from '../sdl/listing.ts'

export const customizations: QueryField = {
  kind: 'query',
  name: 'customizations',
  sdl:
    'customizations(aggregations: [ListingAggregation], created_at: DateRange, custom_model_type: QueryCustomModelType, customizable_id: ID, ' +
    'customizable_ids: [ID], customizable_type: String, external_id: ID, external_ids: [ID], id: ID, ids: [ID], ' +
    'is_deleted: Boolean = false, model_schema: QueryModelSchema, name: String, names: [String], page: Int = 1, ' +
    'per_page: Int = 20, properties: [QueryCustomAttribute], query: Query, sort: [SortOrder], updated_at: DateRange, ' +
    'user_id: ID, user_ids: [ID], without_ids: [ID], without_names: [String]): ListingsCustomizationCollection! @deprecated @public',
  types: listing,
  build: customizationsJson,
}
