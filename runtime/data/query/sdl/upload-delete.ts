/** Types for removing files from properties. */
export const uploadDelete = `
enum ObjectsWithUploadsEnum {
  Record
  User
  UserProfile
}

"The files that were removed from a row."
type ObjectUpload {
  errors: [String!] @public
  job_id: String @public
  upload_object_id: ID! @public
  upload_object_type: String! @public
  uploads: JSONPayload @public
}
`
