/** `embedding_create_rc`: stores a vector. */
import type { MutationField } from '../model.ts'
import { createEmbedding } from '../writes/embeddings.ts'

export const embedding_create_rc: MutationField = {
  kind: 'mutation',
  name: 'embedding_create_rc',
  sdl: 'embedding_create_rc(embedding: EmbeddingCreateInputType!): Embedding! @public',
  build: createEmbedding,
}
