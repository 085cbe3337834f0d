/** `documents_upsert_rc`: adds a document to a search index, or merges it into the one with its id. */
import type { MutationField } from '../model.ts'
import { upsertDocument } from '../writes/documents.ts'

export const documents_upsert_rc: MutationField = {
  kind: 'mutation',
  name: 'documents_upsert_rc',
  sdl: 'documents_upsert_rc(document: HashObject!, id: ID, search_index: String!): HashObject @public',
  singleLeafArguments: ['document'],
  build: upsertDocument,
}
