/** Types of the stored releases. */
export const release = `
"A stored build of the site. \`rollback\` is true for the release that a rollback activates; \`refused\` is the reason why a server could not serve it."
type SiteRelease {
  active: Boolean!
  bytes: Float!
  files: Int!
  id: ID!
  pushed_at: JSONDate!
  refused: String
  rollback: Boolean!
  servers: Int!
}
`
