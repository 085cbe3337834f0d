/** Types of vectors. */
export const embedding = `
"A vector of 1536 numbers, with what it stands for."
type Embedding {
  content: String
  created_at: JSONDate!
  embedding: [Float!]!
  id: ID!
  metadata: HashObject
  token_count: Int
  updated_at: JSONDate!
}

"One page of vectors."
type EmbeddingCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [Embedding!]
  total_entries: Int!
  total_pages: Int!
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

"The nearest first."
input VectorDistanceSort {
  embedding: [Float!]
  order: VectorDistanceEnum!
}
`
