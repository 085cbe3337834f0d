/** Types of submitted forms. */
export const form = `
"The result of a submitted form."
type FormSubmitPayload {
  result: Result @public
  validation_errors: HashObject @public
}

type Result {
  changes: HashObject @public
  user: User @public
}
`
