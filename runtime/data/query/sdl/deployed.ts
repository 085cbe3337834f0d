/** Types of deployed files other than pages, partials and tables. */
import { collection } from './collection.ts'

const shared = `created_at: JSONDate! @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  physical_file_path: String @public
  updated_at: JSONDate! @public`

const sorts = `created_at: StandardSort
  id: StandardSort
  metadata: [JsonbSort!]
  physical_file_path: StandardSort
  updated_at: StandardSort`

const filters = `created_at: DateFilter
  id: UniqIdFilter
  metadata: [JsonbFilter!]
  physical_file_path: StringFilter
  updated_at: DateFilter`

export const deployed = `
${collection('AuthorizationPolicy', 'policies')}

input AuthorizationPoliciesFilterInput {
  ${filters}
  content: StringFilter
  flash_alert: StringFilter
  name: StringFilter
  or: [AuthorizationPoliciesFilterInput!]
  redirect_to: StringFilter
}

input AuthorizationPoliciesSortInput {
  ${sorts}
  name: StandardSort
}

"A layout."
type LiquidLayout {
  ${shared}
  body: String @public
  format: PageFormat @public
  path: String! @public
}

${collection('LiquidLayout', 'layouts')}

input LiquidLayoutsFilterInput {
  ${filters}
  body: StringFilter
  or: [LiquidLayoutsFilterInput!]
  path: StringFilter
}

input LiquidLayoutsSortInput {
  ${sorts}
  path: StandardSort
}

"A stored query or mutation."
type GraphQuery {
  ${shared}
  name: String! @public
  query_string: String! @public
}

${collection('GraphQuery', 'stored queries')}

input GraphqlFilterInput {
  ${filters}
  name: StringFilter
  or: [GraphqlFilterInput!]
  query_string: StringFilter
}

input GraphqlSortInput {
  ${sorts}
  name: StandardSort
}

"A mail of the site. Settings are shown as written, including their Liquid."
type EmailNotification {
  ${shared}
  attachments: String @public
  bcc: String @public
  cc: String @public
  content: String @public
  delay_by: String @public
  forms: [Form!] @public
  from: String @public
  layout: String @public
  layout_path: String @deprecated @public
  name: String! @public
  reply_to: String @public
  subject: String @public
  to: String @public
  trigger_condition: String @public
}

${collection('EmailNotification', 'mails')}

input EmailNotificationsFilterInput {
  ${filters}
  attachments: StringFilter
  bcc: StringFilter
  cc: StringFilter
  content: StringFilter
  delay: StringFilter
  delay_by: StringFilter
  layout: StringFilter
  layout_path: StringFilter
  name: StringFilter
  or: [EmailNotificationsFilterInput!]
  subject: StringFilter
  to: StringFilter
  trigger_condition: StringFilter
}

input EmailNotificationsSortInput {
  ${sorts}
  name: StandardSort
}

"A text message of the site. Settings are shown as written, including their Liquid."
type SmsNotification {
  ${shared}
  content: String @public
  delay_by: String @public
  forms: [Form!] @public
  name: String! @public
  to: String! @public
  trigger_condition: String @public
}

${collection('SmsNotification', 'text messages')}

input SmsNotificationsFilterInput {
  ${filters}
  callback: StringFilter
  content: StringFilter
  delay: StringFilter
  delay_by: StringFilter
  name: StringFilter
  or: [SmsNotificationsFilterInput!]
  to: StringFilter
  trigger_condition: StringFilter
}

input SmsNotificationsSortInput {
  ${sorts}
  name: StandardSort
}

"An API call of the site. Settings are shown as written, including their Liquid."
type ApiCallNotification {
  ${shared}
  callback: String @public
  content: String @public
  delay_by: String @public
  forms: [Form!] @public
  headers: String @public
  name: String! @public
  request_type: String! @public
  to: String! @public
  trigger_condition: String @public
}

${collection('ApiCallNotification', 'calls')}

input ApiCallNotificationsFilterInput {
  ${filters}
  callback: StringFilter
  content: StringFilter
  delay: StringFilter
  delay_by: StringFilter
  headers: StringFilter
  name: StringFilter
  or: [ApiCallNotificationsFilterInput!]
  to: StringFilter
  trigger_condition: StringFilter
}

input ApiCallNotificationsSortInput {
  ${sorts}
  name: StandardSort
}

"The priority of a callback."
enum AsyncCallbackPriority {
  default
  high
  low
}

"A form of the site. Settings are shown as written, including their Liquid."
type Form {
  ${shared}
  api_call_notifications: [ApiCallNotification!]
  async_callback_actions: String @public
  async_callback_delay: String @public
  async_callback_max_attempts: Int @public
  async_callback_priority: AsyncCallbackPriority @public
  authorization_policies: [AuthorizationPolicy!] @public
  callback_actions: String @public
  configuration: HashObject @deprecated @public
  default_payload: String @public
  email_notifications: [EmailNotification!] @public
  fields: HashObject @public
  flash_alert: String @public
  flash_notice: String @public
  liquid_body: String @public
  name: String! @public
  redirect_to: String @public
  resource: String! @public
  resource_owner: String! @public
  response_headers: String @public
  sms_notifications: [SmsNotification!] @public
  spam_protection: HashObject @public
}

${collection('Form', 'forms')}

input FormsFilterInput {
  ${filters}
  async_callback_actions: StringFilter
  callback_actions: StringFilter
  default_payload: StringFilter
  flash_notice: StringFilter
  liquid_body: StringFilter
  name: StringFilter
  or: [FormsFilterInput!]
  redirect_to: StringFilter
  resource: StringFilter
  resource_owner: StringFilter
}

input FormsSortInput {
  ${sorts}
  name: StandardSort
}

"A type of user profiles, as its file declares it."
type UserProfileSchema {
  ${shared}
  fields: [Property!]! @deprecated @public
  name: String! @public
  parameterized_name: String! @public
  properties: [Property!]! @public
}

${collection('UserProfileSchema', 'types of user profiles')}

input UserProfileSchemasFilterInput {
  ${filters}
  name: StringFilter
  or: [UserProfileSchemasFilterInput!]
  parameterized_name: StringFilter
}

input UserProfileSchemasSortInput {
  ${sorts}
  name: StandardSort
  parameterized_name: StandardSort
}
`
