/** `documents_rc`: documents of a search index. */
import type { QueryField } from '../model.ts'
import { documentsJson } from '../rows/documents.ts'
import { document } from '../sdl/document.ts'

export const documents_rc: QueryField = {
  kind: 'query',
  name: 'documents_rc',
  sdl: 'documents_rc(aggregations: [ListingAggregation], filter: [IndexSearchFilterInput!], page: Int = 1, per_page: Int!, query: IndexSearchQuery, search_index: String!, sort: [IndexSearchSortInput!]): IndexSearchCollection! @public',
  types: document,
  build: documentsJson,
}
