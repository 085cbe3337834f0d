/** `embedding_delete_rc`: removes a vector. */
import type { MutationField } from '../model.ts'
import { deleteEmbedding } from '../writes/embeddings.ts'

export const embedding_delete_rc: MutationField = {
  kind: 'mutation',
  name: 'embedding_delete_rc',
  sdl: 'embedding_delete_rc(id: ID!): Embedding! @public',
  build: deleteEmbedding,
}
