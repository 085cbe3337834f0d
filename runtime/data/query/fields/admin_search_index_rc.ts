/** `admin_search_index_rc`: the name and the number of documents of a search index. */
import type { QueryField } from '../model.ts'
import { searchIndexJson } from '../rows/documents.ts'

export const admin_search_index_rc: QueryField = {
  kind: 'query',
  name: 'admin_search_index_rc',
  sdl: 'admin_search_index_rc(search_index: String!): HashObject @public',
  build: searchIndexJson,
}
