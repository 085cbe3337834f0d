/** Types of documents in search indexes. */
import { properties } from './properties.ts'

export const document = `
"A document of a search index. Names of its properties may be paths: author.name."
type Document {
  id: ID @public
  ${properties}
}

"One page of documents."
type IndexSearchCollection {
  aggregations: Aggregations! @public
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [Document!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"Conditions on a property of documents; all that are given must hold."
input IndexSearchFilterInput {
  exists: Boolean
  name: String!
  not_value: String
  not_value_in: [String!]
  prefix: String
  range: RangeFilter
  value: String
  value_in: [String!]
  value_in_operator: OperatorEnum = OR
}

"A keyword, and where it is looked for; by default in all texts."
input IndexSearchQuery {
  analyzer: String
  fields: [FullTextQueryField]
  keyword: String
  match_type: QueryMatchTypeEnum = EXACT
  operator: OperatorEnum = AND
  properties: [FullTextQueryField]
}

input IndexSearchSortInput {
  name: String!
  order: String = "asc"
}
`
