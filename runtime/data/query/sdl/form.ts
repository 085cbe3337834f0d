/** Types of submitted forms. */
export const form = `
"What became of a form."
type FormSubmitPayload {
  result: Result @public
  validation_errors: HashObject @public
}

type Result {
  changes: HashObject @public
  user: User @public
}
`
