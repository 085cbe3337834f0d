/** Types of exports. */
export const dataExport = `
"An export. It has a URL when it is done."
type DataExport {
  created_at: JSONDate!
  id: ID
  status: String
  updated_at: JSONDate!
  url: String
}

"One page of exports."
type DataExportCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [DataExport!]
  total_entries: Int!
  total_pages: Int!
}

input DataExportRecordsInput {
  filter: RecordsFilterInput
  per_page: Int = 5000000
  sort: [RecordsSortInput!]
}

input DataExportUsersInput {
  filter: UsersFilterInput
  per_page: Int = 5000000
  sort: [UsersSortInput!]
}

input DataExportsFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  updated_at: DateFilter
}

input DataExportsSortInput {
  created_at: StandardSort
  id: StandardSort
  updated_at: StandardSort
}
`
