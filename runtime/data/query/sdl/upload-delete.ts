/** Types of files that are taken out of properties. */
export const uploadDelete = `
enum ObjectsWithUploadsEnum {
  Record
  User
  UserProfile
}

"What was taken out of which row."
type ObjectUpload {
  errors: [String!]
  job_id: String
  upload_object_id: ID!
  upload_object_type: String!
  uploads: JSONPayload
}
`
