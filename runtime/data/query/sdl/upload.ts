/** Types of uploads: the data that a form needs to send a file. */
export const upload = `
"Who may read an uploaded file."
enum ACL {
  private
  public
}

"The media type of the file, or the beginning of it."
input Content {
  starts_with: String
  value: String
}

"The minimum and maximum size of the file, in kilobytes."
input ContentLength {
  gte: Int = null
  lte: Int!
}

"Conditions on the file that will be uploaded."
input PresignUrl {
  acl: ACL = null
  content_length: ContentLength = null
  content_type: Content = null
}

"The URL that the form of a direct upload is sent to, and its fields."
type PropertyUploadPresignedUrl {
  upload_url: String @public
  upload_url_payload: HashObject @public
}
`
