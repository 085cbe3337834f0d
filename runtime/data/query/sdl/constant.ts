/** Types of constants. */
export const constant = `
"A named secret."
type EncryptedConstant {
  created_at: JSONDate!
  deleted_at: JSONDate
  name: String!
  updated_at: JSONDate!
  value: String!
}

"One page of constants."
type EncryptedConstantCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [EncryptedConstant!]
  total_entries: Int!
  total_pages: Int!
}

input EncryptedConstantFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  name: String
  updated_at: DateFilter
}

input EncryptedConstantsFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  name: StringFilter
  updated_at: DateFilter
}

input EncryptedConstantsSortInput {
  created_at: StandardSort
  id: StandardSort
  name: StandardSort
  updated_at: StandardSort
}
`
