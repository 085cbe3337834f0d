/** `embeddings_rc`: a page of vectors. When a reference vector is given, the nearest vectors come first. */
import type { QueryField } from '../model.ts'
import { embedding } from '../sdl/embedding.ts'
import { embeddingsJson } from '../writes/embeddings.ts'

export const embeddings_rc: QueryField = {
  kind: 'query',
  name: 'embeddings_rc',
  sdl: 'embeddings_rc(filter: EmbeddingsFilterInput, options: QueryOptionsInput, page: Int = 1, per_page: Int!, sort: [EmbeddingsSortInput!]): EmbeddingCollection! @public',
  types: embedding,
  build: embeddingsJson,
}
