/** Fields for records and users of other sites. They are not public: with them, a client makes the server send requests. */

const ARGUMENTS = 'endpoint: Endpoint!, join_on_property: String!'

/** The field for records of another site. */
export const remoteRecords = `"The records of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows."
  remote_records(${ARGUMENTS}): [Record!]`

/** The field for users of another site. */
export const remoteUsers = `"The users of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows."
  remote_users(${ARGUMENTS}): [User!]`

export const remote = `
"A page of another site that answers with JSON. The token is sent in the header Authentication-Token."
input Endpoint {
  token: String
  url: String!
}

"Types with records of other sites."
interface RemoteRecordsInterface {
  ${remoteRecords}
}

"Types with users of other sites."
interface RemoteUsersInterface {
  ${remoteUsers}
}
`
