/** `documents_bulk_upsert_rc`: does the same as `documents_upsert_rc` for many documents. The documents contain their ids. */
import type { MutationField } from '../model.ts'
import { upsertDocuments } from '../writes/documents.ts'

export const documents_bulk_upsert_rc: MutationField = {
  kind: 'mutation',
  name: 'documents_bulk_upsert_rc',
  sdl: 'documents_bulk_upsert_rc(documents: [HashObject]!, search_index: String!): HashObject @public',
  singleLeafArguments: ['documents'],
  build: upsertDocuments,
}
