/** `admin_search_index_rc`: a search index: its name, and how many documents it has. */
import type { QueryField } from '../model.ts'
import { searchIndexJson } from '../rows/documents.ts'

export const admin_search_index_rc: QueryField = {
  kind: 'query',
  name: 'admin_search_index_rc',
  sdl: 'admin_search_index_rc(search_index: String!): HashObject @public',
  build: searchIndexJson,
}
