/** Types of notifications that were sent or failed. */
export const notification = `
enum NotificationTypeEnum {
  API_CALL
  EMAIL
  SMS
}

input NotificationTypeFilter {
  not_value: NotificationTypeEnum
  not_value_in: [NotificationTypeEnum!]
  value: NotificationTypeEnum
  value_in: [NotificationTypeEnum!]
}

"A mail, text message or API call that was sent or failed. The options contain the error."
type SentNotification {
  content: String
  created_at: JSONDate!
  id: ID!
  notification_id: ID!
  notification_type: NotificationTypeEnum!
  options: HashObject
  updated_at: JSONDate!
}

"One page of notifications."
type SentNotificationCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [SentNotification!]
  total_entries: Int!
  total_pages: Int!
}

input SentNotificationsFilterInput {
  content: StringFilter
  created_at: DateFilter
  id: UniqIdFilter
  notification_id: UniqIdFilter
  notification_type: NotificationTypeFilter
  or: [SentNotificationsFilterInput!]
  updated_at: DateFilter
}

input SentNotificationsSortInput {
  created_at: StandardSort
  id: StandardSort
  updated_at: StandardSort
}
`
