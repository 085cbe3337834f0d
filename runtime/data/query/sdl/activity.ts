/** Types of activities and feeds. */
export const activity = `
"An activity."
type ActivityStreamsActivity {
  id: ID! @public
  payload: ActivityStreamsPayload @public
  uuid: String! @public
}

"One page of activities."
type ActivityStreamsActivityCollection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [ActivityStreamsActivity!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"One page of a feed."
type ActivityStreamsActivityStreamCollection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [ActivityStreamsActivity!] @public
  total_entries: Int! @public
  total_pages: Int! @public
  unread_count: Int! @public
}

"A type of feeds."
type ActivityStreamsFeed {
  ids: [ID!] @public
  name: String @public
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
