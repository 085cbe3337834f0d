/** `embedding_update_rc`: changes a vector. */
import type { MutationField } from '../model.ts'
import { updateEmbedding } from '../writes/embeddings.ts'

export const embedding_update_rc: MutationField = {
  kind: 'mutation',
  name: 'embedding_update_rc',
  sdl: 'embedding_update_rc(embedding: EmbeddingUpdateInputType!, id: ID!): Embedding! @public',
  build: updateEmbedding,
}
