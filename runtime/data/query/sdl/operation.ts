/** Types for operators: sessions, the log of the site, and the log of changes. The platform has none of them. */
const collection = (name: string): string => `
"One page of results."
type ${name}Collection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [${name}!]
  total_entries: Int!
  total_pages: Int!
}
`

export const operation = `
"Ingot's own: a session of a signed-in user. The id is a digest, with which no one can sign in."
type UserSession {
  created_at: JSONDate!
  expires_at: JSONDate!
  id: ID!
  "The time of the last visit, to the minute."
  seen_at: JSONDate!
  user_id: ID!
}
${collection('UserSession')}
input UserSessionsFilterInput {
  id: UniqIdFilter
  or: [UserSessionsFilterInput!]
  user_id: UniqIdFilter
}

input UserSessionsSortInput {
  created_at: StandardSort
  seen_at: StandardSort
}

"Ingot's own: an entry of the site's log. The data has the origin: page, request, user, job and template."
type LogRecord {
  created_at: JSONDate!
  data: HashObject!
  id: ID!
  message: String!
  type: String!
}
${collection('LogRecord')}
input LogRecordsFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  message: StringFilter
  or: [LogRecordsFilterInput!]
  type: StringFilter
}

input LogRecordsSortInput {
  created_at: StandardSort
  id: StandardSort
}

"Ingot's own: a change that a person made in the studio. Passwords and values of constants are left out."
type DataChange {
  "create, update, delete or restore"
  action: String!
  "The email address of the user, or development."
  actor: String!
  actor_id: ID
  "The row after the change; null after a permanent deletion."
  after: HashObject
  "The row before the change; null for a new row."
  before: HashObject
  created_at: JSONDate!
  id: ID!
  "records, users, profiles, constants, translations, sessions or user_tokens"
  kind: String!
  row_id: ID!
  "The site's table of a record."
  table_name: String
}
${collection('DataChange')}
input DataChangesFilterInput {
  action: StringFilter
  actor: StringFilter
  created_at: DateFilter
  id: UniqIdFilter
  kind: StringFilter
  or: [DataChangesFilterInput!]
  row_id: UniqIdFilter
  table_name: StringFilter
}

input DataChangesSortInput {
  created_at: StandardSort
  id: StandardSort
}

"Ingot's own: a text of the site in a language, from a file or set at run time."
type SiteTranslation {
  "The text of the file; null for a key that no file has."
  file_value: Any
  id: ID!
  key: String!
  locale: String!
  "The time at which the text was set at run time; null for a text of a file."
  set_at: JSONDate
  "The text that the site shows: the one that was set, or otherwise the one of the file."
  value: Any
}
${collection('SiteTranslation')}
input SiteTranslationsFilterInput {
  id: UniqIdFilter
  is_set: BooleanFilter
  key: StringFilter
  locale: StringFilter
  or: [SiteTranslationsFilterInput!]
  value: StringFilter
}

input SiteTranslationsSortInput {
  key: StandardSort
  locale: StandardSort
  set_at: StandardSort
}

"Ingot's own: a room with subscribers, on all processes."
type ChannelRoom {
  channel: String!
  id: ID!
  "Number of processes with subscribers."
  processes: Int!
  room_id: ID!
  subscriptions: Int!
}
${collection('ChannelRoom')}
input ChannelRoomsFilterInput {
  channel: StringFilter
  id: UniqIdFilter
  or: [ChannelRoomsFilterInput!]
  room_id: UniqIdFilter
}

input ChannelRoomsSortInput {
  channel: StandardSort
  room_id: StandardSort
  subscriptions: StandardSort
}

"Ingot's own: a process with open WebSockets."
type ChannelProcess {
  connections: Int!
  id: ID!
  "The time at which the process has last written this."
  seen_at: JSONDate!
}
${collection('ChannelProcess')}
input ChannelProcessesSortInput {
  connections: StandardSort
  seen_at: StandardSort
}
${collection('UserToken')}
input UserTokensFilterInput {
  id: UniqIdFilter
  or: [UserTokensFilterInput!]
  user_id: UniqIdFilter
}

input UserTokensSortInput {
  created_at: StandardSort
  expires_at: StandardSort
}
`
