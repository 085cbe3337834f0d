/** Types of what the check of a site in development reports. */
export const problem = `
"A finding of \`ingot check\`: an error, a warning or a remark."
type Problem {
  code: String!
  column: Int
  file: String
  fix_id: ID
  fix_title: String
  hint: String
  id: ID!
  line: Int
  message: String!
  severity: String!
}

"One page of findings. \`checked\` is false before the first check."
type ProblemCollection {
  checked: Boolean!
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [Problem!]
  total_entries: Int!
  total_pages: Int!
}

input ProblemsFilterInput {
  code: StringFilter
  file: StringFilter
  message: StringFilter
  or: [ProblemsFilterInput!]
  severity: StringFilter
}
`
