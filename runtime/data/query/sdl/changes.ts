/**
 * Types of the mutations that change deployed files. No input has a default: a setting that is not given stays as it is in an update, and is left to
 * the site in a new file.
 */
const FILE = `"Accepted, without effect: a full deploy removes every file that it does not contain."
  manually_managed: Boolean
  metadata: HashObject`

const PAGE = `authorization_policies: [String]
  authorization_policy_ids: [ID]
  content: String
  dynamic_cache_expire: Int
  dynamic_cache_key: String
  dynamic_cache_layout: Boolean
  format: PageFormat
  handler: PageHandler
  layout: String
  layout_name: String
  ${FILE}
  max_deep_level: Int
  redirect_code: PageRedifectCode
  redirect_to: String
  request_method: PageRequestMethod
  response_headers: HashObject
  searchable: Boolean
  slug: String
  static_cache_expire: Int
  subdomain: String`

const TEMPLATE = `body: String
  "It must agree with the name of the file."
  format: PageFormat
  ${FILE}`

const POLICY = `flash_alert: String
  ${FILE}
  name: String
  physical_file_path: String
  redirect_to: String`

const NOTIFICATION = `content: String
  "In minutes."
  delay_by: String
  "Refused: forms name the notifications that they send."
  form_configuration_ids: [ID]
  name: String
  to: String
  trigger_condition: String`

const EMAIL = `attachments: String
  bcc: String
  cc: String
  ${NOTIFICATION}
  from: String
  layout: String
  layout_path: String
  ${FILE}
  reply_to: String`

const CALL = `callback: String
  ${NOTIFICATION}
  headers: HashObject
  ${FILE}
  request_headers: HashObject`

const FORM = `async_callback_actions: String
  "In minutes."
  async_callback_delay: String
  async_callback_max_attempts: Int
  async_callback_priority: AsyncCallbackPriority
  authorization_policy_ids: [ID!]
  callback_actions: String
  configuration: HashObject
  default_payload: String
  flash_alert: String
  flash_notice: String
  liquid_body: String
  metadata: HashObject
  name: String
  redirect_to: String
  response_headers: String
  spam_protection: SpamProtectionInput`

const PROPERTY = `attribute_type: PropertyTypeEnum
  belongs_to: String
  default_value: String
  metadata: HashObject
  options: PropertyUploadOptionsInput`

const CHOSEN_FILE = 'physical_file_path: String!'
const OPTIONAL_FILE = 'physical_file_path: String'
const SCHEMA = `fields: [NestedPropertyInputType]
  metadata: HashObject
  name: String
  properties: [NestedPropertyInputType]`

export const changes = `
"A stored query or mutation, with its text as body."
type GraphQL {
  body: String @public
  created_at: JSONDate! @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  physical_file_path: String @public
  updated_at: JSONDate! @public
}

"The status of a redirect: 301 or 302."
enum PageRedifectCode {
  MOVED_PERMANENTLY
  MOVED_TEMPORARILY
}

input PageInputType {
  ${PAGE}
  ${CHOSEN_FILE}
}

input UpdatePageInputType {
  ${PAGE}
  "Refused, except null: use admin_page_delete."
  deleted_at: JSONDate
  ${OPTIONAL_FILE}
}

input LiquidPartialInputType {
  ${TEMPLATE}
  path: String!
  ${OPTIONAL_FILE}
}

input UpdateLiquidPartialInputType {
  ${TEMPLATE}
  path: String
  ${OPTIONAL_FILE}
}

input LiquidLayoutInputType {
  ${TEMPLATE}
  path: String!
  ${CHOSEN_FILE}
}

input UpdateLiquidLayoutInputType {
  ${TEMPLATE}
  path: String
  ${OPTIONAL_FILE}
}

input GraphqlInputType {
  body: String!
  ${FILE}
  ${CHOSEN_FILE}
}

input UpdateGraphqlInputType {
  body: String
  metadata: HashObject
  path: String
  ${OPTIONAL_FILE}
}

input AuthorizationPolicyInputType {
  content: String!
  ${POLICY}
}

input UpdateAuthorizationPolicyInputType {
  content: String
  ${POLICY}
}

input EmailNotificationInputType {
  ${EMAIL}
  ${CHOSEN_FILE}
  subject: String!
}

input UpdateEmailNotificationInputType {
  ${EMAIL}
  ${OPTIONAL_FILE}
  subject: String
}

input SmsNotificationInputType {
  ${NOTIFICATION}
  form_ids: [ID]
  metadata: HashObject
  ${CHOSEN_FILE}
}

input UpdateSmsNotificationInputType {
  ${NOTIFICATION}
  metadata: HashObject
  ${OPTIONAL_FILE}
}

input ApiCallNotificationInputType {
  ${CALL.replace('to: String', 'to: String!')}
  ${CHOSEN_FILE}
  request_type: String!
}

input UpdateApiCallNotificationInputType {
  ${CALL}
  ${OPTIONAL_FILE}
  request_type: String
}

input TableInputType {
  metadata: HashObject
  ${CHOSEN_FILE}
  properties: [NestedPropertyInputType]
}

input UpdateTableInputType {
  metadata: HashObject
  name: String
  ${OPTIONAL_FILE}
  properties: [NestedPropertyInputType]
}

input ModelSchemaInputType {
  ${SCHEMA}
  ${CHOSEN_FILE}
}

input UpdateModelSchemaInputType {
  ${SCHEMA}
  ${OPTIONAL_FILE}
}

input UserProfileSchemaInputType {
  ${SCHEMA}
  ${CHOSEN_FILE}
}

input UpdateUserProfileSchemaInputType {
  ${SCHEMA}
  ${OPTIONAL_FILE}
}

input FormInput {
  ${FORM}
  ${CHOSEN_FILE}
  resource: String!
  resource_owner: String!
}

input UpdateFormInput {
  ${FORM}
  ${OPTIONAL_FILE}
  resource: String
  resource_owner: String
}

"The challenges that visitors must solve, with their options."
input SpamProtectionInput {
  hcaptcha: HashObject
  recaptcha_v2: HashObject
  recaptcha_v3: SpamProtectionRecaptchaV3Input
}

input SpamProtectionRecaptchaV3Input {
  action: String!
  minimum_score: Float
}

input AssetUpdateInput {
  "Refused, except null: the server sets how long browsers keep assets."
  cache_control: String
  ${FILE}
  ${CHOSEN_FILE}
}

input AssetUpdateAllInput {
  manually_managed: Boolean
}

input MutationAssetsFilterInput {
  created_at: DateFilter
  deleted_at: DateFilter
  id: UniqIdFilter
  metadata: JsonbFilter
  name: StringFilter
  physical_file_path: StringFilter
  updated_at: DateFilter
}

"A property of a table. An update finds it by its id, or by its name, and adds it when there is none."
input NestedPropertyInputType {
  "Any text except false removes the property."
  _destroy: String
  ${PROPERTY}
  id: ID
  name: String!
}

"What a property belongs to. A ModelSchema is a table."
enum PropertyTargetType {
  ModelSchema
  User
  UserProfileSchema
}

input StandalonePropertyInputType {
  ${PROPERTY}
  name: String!
  target_id: ID
  target_type: PropertyTargetType!
}

input UpdateStandalonePropertyInputType {
  ${PROPERTY}
  name: String
  target_id: ID
  target_type: PropertyTargetType
}

"A strength from 0.3 to 1000."
scalar ImageBlur

"A name of a color, hexadecimal digits, or rgb()."
scalar CssColor

"A whole number from 0 to 100."
scalar ImageQuality

enum PropertyUploadContentDisposition {
  attachment
  inline
}

enum PropertyUploadFit {
  contain
  cover
  fill
  inside
  outside
}

enum PropertyUploadFormat {
  avif
  jpeg
  png
  webp
}

enum PropertyUploadPosition {
  bottom
  center
  left
  left_bottom
  left_top
  right
  right_bottom
  right_top
  top
}

"The allowed size of a file in kilobytes."
input PropertyUploadContentLengthInput {
  gte: Int
  lte: Int!
}

input PropertyUploadManipulateInput {
  blur: ImageBlur
  flatten: CssColor
  greyscale: Boolean
}

input PropertyUploadOutputInput {
  format: PropertyUploadFormat
  quality: ImageQuality
}

input PropertyUploadResizeInput {
  background: CssColor
  fit: PropertyUploadFit
  height: Int
  position: PropertyUploadPosition
  width: Int
  without_enlargement: Boolean
}

"A version of uploaded images."
input PropertyUploadVersionInput {
  manipulate: PropertyUploadManipulateInput
  name: String!
  output: PropertyUploadOutputInput
  resize: PropertyUploadResizeInput
}

input PropertyUploadOptionsInput {
  acl: PropertyUploadACL
  cache_control: String
  content_disposition: PropertyUploadContentDisposition
  content_length: PropertyUploadContentLengthInput
  versions: [PropertyUploadVersionInput!]
}
`
