/** Types of documents in search indexes. */
import { properties } from './properties.ts'

export const document = `
"A document of a search index. The names of its properties may be paths, such as author.name."
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

"Conditions on a property of documents. All given keys must match."
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

"A keyword, and the properties to search. By default, all texts are searched."
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
