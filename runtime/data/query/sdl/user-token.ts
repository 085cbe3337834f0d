/** Types of tokens with which programs act as a user. The platform has none of them. */
export const userToken = `
"Ingot's own: a token with which a program acts as a user."
type UserToken {
  created_at: JSONDate!
  expires_at: JSONDate!
  id: ID!
  name: String!
  scope: String!
  "The text of the token. It is returned only when the token is created, because only a digest is stored. Null afterwards."
  token: String
  user_id: ID!
}

"Ingot's own: what a token of a user permits. site: pages and forms, as this user. read: pages, and all data in queries of /api/graph. write: also forms, and mutations of /api/graph."
enum UserTokenScope {
  read
  site
  write
}
`
