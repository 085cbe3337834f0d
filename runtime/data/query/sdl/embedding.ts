/** Types of vectors. */
export const embedding = `
"A vector of 1536 numbers, with the content that it represents."
type Embedding {
  content: String @public
  created_at: JSONDate! @public
  embedding: [Float!]! @public
  id: ID! @public
  metadata: HashObject @public
  token_count: Int @public
  updated_at: JSONDate! @public
}

"One page of vectors."
type EmbeddingCollection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [Embedding!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}

input EmbeddingCreateInputType {
  content: String
  created_at: JSONDate
  embedding: [Float!]!
  id: ID
  metadata: HashObject
  token_count: Int
  updated_at: JSONDate
}

input EmbeddingUpdateInputType {
  content: String
  created_at: JSONDate
  embedding: [Float!]
  id: ID
  metadata: HashObject
  token_count: Int
  updated_at: JSONDate
}

input EmbeddingsFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  metadata: [JsonbFilter!]
  updated_at: DateFilter
}

input EmbeddingsSortInput {
  created_at: StandardSort
  embedding: VectorDistanceSort
  id: StandardSort
  updated_at: StandardSort
}

enum VectorDistanceEnum {
  euclidean
}

"Sorts by distance, the nearest vector first."
input VectorDistanceSort {
  embedding: [Float!]
  order: VectorDistanceEnum!
}
`
