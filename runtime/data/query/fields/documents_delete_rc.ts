/** `documents_delete_rc`: removes a document from a search index. */
import type { MutationField } from '../model.ts'
import { deleteDocument } from '../writes/documents.ts'

export const documents_delete_rc: MutationField = {
  kind: 'mutation',
  name: 'documents_delete_rc',
  sdl: 'documents_delete_rc(id: ID!, search_index: String!): HashObject @public',
  build: deleteDocument,
}
