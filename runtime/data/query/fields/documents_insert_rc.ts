/** `documents_insert_rc`: adds a document to a search index, or replaces the one with its id. */
import type { MutationField } from '../model.ts'
import { insertDocument } from '../writes/documents.ts'

export const documents_insert_rc: MutationField = {
  kind: 'mutation',
  name: 'documents_insert_rc',
  sdl: 'documents_insert_rc(document: HashObject!, id: ID, search_index: String!): HashObject @public',
  singleLeafArguments: ['document'],
  build: insertDocument,
}
