/** Types of forms that are sent. */
export const form = `
"What became of a form."
type FormSubmitPayload {
  result: Result
  validation_errors: HashObject
}

type Result {
  changes: HashObject
  user: User
}
`
