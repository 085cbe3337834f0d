/** `people`: the old search for users. */
import type { QueryField } from '../model.ts'
import { peopleJson } from '../rows/old-search.ts'

export const people: QueryField = {
  kind: 'query',
  name: 'people',
  sdl: 'people(aggregations: [ListingAggregation], page: Int = 1, per_page: Int = 20, query: Query, sort: [SortOrder], user: QueryUser): UserListingCollection! @deprecated @public',
  build: peopleJson,
}
