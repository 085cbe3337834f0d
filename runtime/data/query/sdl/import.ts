/** Types of rows that a mutation imports. */

const file = `direct_path: String
  id: ID
  name: String!
  url: String`

export const imports = `
"The ids of the imported rows, in the order of the rows."
type ImportUsersMutationPayload {
  external_ids: [ID!]! @public
  ids: [ID!]! @public
}

"The ids of the imported rows, in the order of the rows."
type ImportCustomizationsMutationPayload {
  external_ids: [ID!]! @public
  ids: [ID!]! @public
}

input AddressImport {
  address: String
  address2: String
  apartment: String
  city: String
  country: String
  iso_country_code: String
  lat: Float
  lng: Float
  name: String!
  postcode: String
  service_radius: String
  state: String
  street: String
  street_number: String
  suburb: String
}

input ImagesImport {
  ${file}
}

input AttachmentsImport {
  ${file}
}

input UserProfileImportType {
  addresses: [AddressImport!]
  attachments: [AttachmentsImport!]
  id: ID
  images: [ImagesImport!]
  properties: HashObject
  type_name: String!
}

input UserImport {
  created_at: JSONDate
  email: String!
  encrypted_password: String
  external_id: ID
  first_name: String
  id: ID
  last_name: String
  middle_name: String
  name: String
  password: String
  profiles: [UserProfileImportType!] = []
  properties: HashObject
  slug: String!
  updated_at: JSONDate
}

input CustomizationImport {
  addresses: [AddressImport!]
  attachments: [AttachmentsImport!]
  created_at: ISO8601DateTime
  customizable_id: ID
  customizable_type: CustomizableTypeEnum
  id: ID
  images: [ImagesImport!]
  properties: HashObject
  "name of the table"
  type_name: String!
  updated_at: ISO8601DateTime
  user_id: ID
}
`
