/** Types of images that belong to a row under the name of a property. */
export const customImage = `
"An image of a row, under the name of a property."
type CustomImage {
  created_at: JSONDate! @public
  deleted_at: JSONDate @public
  file_url: String @deprecated @public
  id: ID! @public
  name: String @public
  property_id: ID @public
  updated_at: JSONDate! @public
  uploader_id: ID @public
  "The URL of the image. When the requested version does not exist, it is the URL of the original."
  url(version: String): String @public
}

input NewCustomImageInputType {
  custom_attribute_name: String!
  "address of the image, from which it is fetched"
  direct_url: String
  owner_id: ID!
  "Customization (or Record), User or UserProfile"
  owner_type: String!
  page_slug: String
  raw_remote_image_url: String
  uploader_id: ID
}
`
