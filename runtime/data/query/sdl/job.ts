/** Types of background jobs. */
export const job = `
"The state of a job: waiting for its time, running, waiting for the next attempt after a failure, or dead after the last attempt."
enum BackgroundJobsTypeEnum {
  DEAD
  RETRY
  RUNNING
  SCHEDULED
}

"A job that is not finished."
type BackgroundJob {
  arguments: JSONPayload
  attempts: Int
  created_at: JSONDate!
  dead_at: JSONDate
  error: String
  error_class: String
  error_message: String
  failed_at: JSONDate
  form_configuration_name: String
  form_name: String
  id: ID!
  label: String
  liquid_body: JSONPayload
  locked_at: JSONDate
  partial_name: String
  queue: String!
  resource_id: ID
  resource_type: String
  retry_at: JSONDate
  run_at: JSONDate
  source_name: String
  source_type: String
  stack: JSONPayload
  started_at: JSONDate
  updated_at: JSONDate
}

"One page of jobs."
type BackgroundJobCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [BackgroundJob!]
  total_entries: Int!
  total_pages: Int!
}

"The jobs that were deleted."
type BackgroundJobsResult {
  results: [BackgroundJob!]!
}

input BackgroundJobsFilterInput {
  created_at: DateFilter
  failed_at: DateFilter
  form_configuration_name: StringFilter
  id: UniqIdFilter
  label: StringFilter
  locked_at: DateFilter
  or: [BackgroundJobsFilterInput!]
  queue: StringFilter
  resource_id: UniqIdFilter
  resource_type: StringFilter
  run_at: DateFilter
  source_name: StringFilter
  source_type: StringFilter
  timestamp: DateFilter
  type: BackgroundJobsTypeEnum
  updated_at: DateFilter
}

input BackgroundJobsSortInput {
  attempts: StandardSort
  class_name: StandardSort
  created_at: StandardSort
  enqueued_at: StandardSort
  failed_at: StandardSort
  form_configuration_name: StandardSort
  id: StandardSort
  label: StandardSort
  locked_at: StandardSort
  queue: StandardSort
  resource_id: StandardSort
  resource_type: StandardSort
  retry: StandardSort
  run_at: StandardSort
  source_name: StandardSort
  source_type: StandardSort
  updated_at: StandardSort
}
`
