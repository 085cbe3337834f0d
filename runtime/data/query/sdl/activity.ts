/** Types of activities and feeds. */
export const activity = `
"An activity."
type ActivityStreamsActivity {
  id: ID!
  payload: ActivityStreamsPayload
  uuid: String!
}

"One page of activities."
type ActivityStreamsActivityCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [ActivityStreamsActivity!]
  total_entries: Int!
  total_pages: Int!
}

"One page of a feed."
type ActivityStreamsActivityStreamCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [ActivityStreamsActivity!]
  total_entries: Int!
  total_pages: Int!
  unread_count: Int!
}

"A type of feeds."
type ActivityStreamsFeed {
  ids: [ID!]
  name: String
}

input ActiveRecordReference {
  id: ID
  ids: [ID]
  type: String!
}

input ActivitiesSortInput {
  created_at: StandardSort
  id: StandardSort
  updated_at: StandardSort
}
`
