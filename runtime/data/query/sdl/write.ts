/** Inputs of mutations, and the results that only mutations return. */
import { properties, propertyUpload } from './properties.ts'

export const write = `
"A property to write. The first key with a value is used. array_append, array_remove, increment and decrement are atomic."
input PropertyInputType {
  array_append: String
  array_remove: String
  decrement: Float
  increment: Float
  name: String!
  value: String
  value_array: [String]
  value_boolean: Boolean
  value_float: Float
  value_int: Int
  value_json: JSONPayload
  value_upload: ValueUploadInput
}

"A property to write, for users and in the old mutations. It has the same keys as PropertyInputType."
input CustomAttributeInputType {
  array_append: String
  array_remove: String
  decrement: Float
  increment: Float
  name: String!
  value: String
  value_array: [String]
  value_boolean: Boolean
  value_float: Float
  value_int: Int
  value_json: JSONPayload
}

"A record to write."
input RecordInputType {
  created_at: JSONDate
  deleted_at: JSONDate
  external_id: ID
  id: ID
  properties: [PropertyInputType]
  "New records that belong to this record."
  records: [RecordsInputType]
  table: String
  updated_at: JSONDate
  user_id: ID
}

"A new record that belongs to another record."
input RecordsInputType {
  table: String
  values: RecordInputType
}

"A record to write, with its properties as an object."
input RecordsCreateInputType {
  created_at: JSONDate
  deleted_at: JSONDate
  external_id: ID
  id: ID
  properties: PropertiesObject
  table: String
  updated_at: JSONDate
}

"The kind of row that a record belongs to, in the old mutations."
enum CustomizableTypeEnum {
  Customization
  Transactable
  User
  UserProfile
}

"A record to write, for the old mutations."
input CustomizationInputType {
  created_at: JSONDate
  custom_model_type_id: ID
  custom_model_type_name: String
  customizable_id: ID
  customizable_type: CustomizableTypeEnum
  deleted_at: JSONDate
  external_id: ID
  id: ID
  model_schema_name: String
  properties: [CustomAttributeInputType]
  title: String
  user_id: ID
}

"An account to write."
input UserInputType {
  authentications: [AuthenticationInputType]
  deleted_at: JSONDate
  email: String
  external_id: ID
  first_name: String
  last_name: String
  middle_name: String
  name: String
  "The password as plain text, at least six characters. Only its hash is stored."
  password: String
  profiles: [UserProfileInputType]
  properties: [CustomAttributeInputType]
  slug: String
}

"A profile to write."
input UserProfileInputType {
  name: String
  values: DefaultProfileInputType
}

"The content of the default profile."
input DefaultProfileInputType {
  deleted_at: JSONDate
  properties: [CustomAttributeInputType]
}

"The number of rows that were changed."
type ObjectCount {
  count: Int! @public
}

"The ids of a created record."
type RecordCreate {
  id: ID! @public
  table: String! @public
}

"An old name of a record."
type Customization implements PropertiesInterface {
  created_at: JSONDate @public
  customizable_id: ID @public
  customizable_type: String @public
  deleted_at: JSONDate @public
  external_id: ID @public
  id: ID @public
  name: String @public
  ${properties}
  ${propertyUpload}
  related_model(foreign_property: String = "id", join_on_property: String, model_schema_name: String): ListingsCustomization @public
  related_models(foreign_property: String!, join_on_property: String!, model_schema_name: [String]): [ListingsCustomization!] @public
  related_user(foreign_property: String = "id", join_on_property: String = "user_id"): User @public
  updated_at: JSONDate @public
  user_id: ID @public
}

enum PropertyUploadACL {
  private
  public
}

enum ValueUploadInputTypeEnum {
  image
  pdf
  plain
}

"A file to create from content, or to fetch from a URL."
input ValueUploadInput {
  acl: PropertyUploadACL = private
  cache_control: String
  content: String
  content_disposition: String
  content_type: String
  encryption: PropertyUploadEncryptionInput
  file_path: String
  remote_url: String
  synchronous: Boolean = false
  type: ValueUploadInputTypeEnum!
}
`
