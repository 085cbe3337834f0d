/** Types of uploads: the data that a form needs to send a file. */
export const upload = `
"Who may read an uploaded file."
enum ACL {
  private
  public
}

"Input: content."
input Content {
  starts_with: String
  value: String
}

"Input: content length."
input ContentLength {
  gte: Int = null
  lte: Int!
}

"Input: presign url."
input PresignUrl {
  acl: ACL = null
  content_length: ContentLength = null
  content_type: Content = null
}

"Form target and fields for a direct upload."
type PropertyUploadPresignedUrl {
  upload_url: String @public
  upload_url_payload: HashObject @public
}
`
