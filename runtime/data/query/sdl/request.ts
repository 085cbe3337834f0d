/** Types of the requests and jobs that a server in development has recorded. */
export const request = `
"A request or a job that a server in development has recorded. Secrets are masked."
type RecordedRequest {
  at: JSONDate!
  bytes: Int
  cache: JSONPayload
  database_milliseconds: Float!
  error: String
  failed: Boolean!
  files: JSONPayload
  findings: JSONPayload
  format: String
  headers: JSONPayload
  id: ID!
  job: JSONPayload
  jobs: JSONPayload
  kind: String!
  logs: JSONPayload
  messages: JSONPayload
  messages_not_sent: Int!
  method: String
  milliseconds: Float!
  outgoing: JSONPayload
  params: JSONPayload
  path: String
  queries: JSONPayload
  query_groups: JSONPayload
  redirect_to: String
  redirects: JSONPayload
  session: JSONPayload
  statements: Int!
  status: Int
  template: String
  templates: JSONPayload
  update: Boolean!
  user: JSONPayload
}

"One page of recorded requests."
type RecordedRequestCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [RecordedRequest!]
  total_entries: Int!
  total_pages: Int!
}

input RecordedRequestsFilterInput {
  at: DateFilter
  database_milliseconds: RangeFilter
  failed: BooleanFilter
  id: UniqIdFilter
  job_id: StringFilter
  kind: StringFilter
  messages_not_sent: IntegerFilter
  method: StringFilter
  milliseconds: RangeFilter
  or: [RecordedRequestsFilterInput!]
  path: StringFilter
  queued: StringFilter
  statements: IntegerFilter
  status: IntegerFilter
  template: StringFilter
  update: BooleanFilter
}

input RecordedRequestsSortInput {
  at: StandardSort
  bytes: StandardSort
  database_milliseconds: StandardSort
  milliseconds: StandardSort
  statements: StandardSort
}
`
