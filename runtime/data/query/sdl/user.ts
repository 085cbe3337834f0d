/** Types of users, their credentials and their profiles. */
import { TEMPORARY_TOKEN_HOURS } from '../temporary-token.ts'
import { properties, propertyUpload, relatedModels, relatedRecords, relatedUsers } from './properties.ts'
import { remoteRecords, remoteUsers } from './remote.ts'

export const user = `
"An account."
type User implements PropertiesInterface & RemoteRecordsInterface & RemoteUsersInterface {
  "Checks credentials of this account."
  authenticate: Authenticate! @public
  authentications: [Authentication!]
  created_at: JSONDate @public
  "The records that belong to the user: their customizable_type is User. name is that of their table."
  customizations(name: String, user_id: ID): [Customization!] @public
  "The time of the soft deletion; null for a row that is not deleted."
  deleted_at: JSONDate @public
  email: String! @public
  "The hash of the password."
  encrypted_password: String
  external_id: String @public
  first_name: String @public
  id: ID @public
  "A signed token of this account. It is valid until the password changes. expires_in is in seconds."
  jwt_token(algorithm: JwtAlgorithm = HS256, expires_in: Int = null): String
  language: String @public
  last_name: String @public
  middle_name: String @public
  name: String @public
  "The one-time passwords under a name. The secret is created when it is first read."
  otp(otp_name: String = null): Otp!
  "The names under which the user has one-time passwords."
  otp_tokens: [String!]! @public
  profile(profile_type: String!): Profile @deprecated @public
  profiles(profile_type: String): [Profile!]! @public
  ${properties}
  ${propertyUpload}
  ${relatedModels}
  ${relatedRecords}
  ${relatedUsers('ModelsFilterInput')}
  ${remoteRecords}
  ${remoteUsers}
  slug: String! @public
  "A signed token of this account. It is valid until the password changes. expires_in is in hours. valid_for is its old name."
  temporary_token(expires_in: Float = ${TEMPORARY_TOKEN_HOURS}, valid_for: Int): String
  updated_at: JSONDate @public
}

"Checks credentials of an account."
type Authenticate {
  jwt(algorithm: JwtAlgorithm = HS256, token: String!): Boolean! @public
  "drift is the number of seconds by which the code may be too old or too new."
  otp_code(code: String!, drift: Int): Boolean! @public
  password(password: String!): Boolean! @public
  temporary_token(token: String!): Boolean!
}

"Time-based one-time passwords (RFC 6238)."
type Otp {
  current_code: String!
  secret: String!
  secret_as_svg_qr_code(issuer: String, label: String): String! @markup
}

"The algorithm that signs a token. Only algorithms with a secret of the server are supported: HS256, HS384 and HS512."
enum JwtAlgorithm {
  ES256
  ES384
  ES512
  HS256
  HS384
  HS512
  PS256
  PS384
  PS512
  RS256
  RS384
  RS512
  none
}

"A page of results, with the counters of pages."
type UserCollection {
  "The number of this page, starting at 1."
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [User!] @public
  "The number of matches on all pages."
  total_entries: Int! @public
  "The number of pages with this per_page."
  total_pages: Int! @public
}

"A profile of a user, in the old queries."
type Profile implements PropertiesInterface & RemoteRecordsInterface & RemoteUsersInterface {
  "The records that belong to the profile: their customizable_type is UserProfile. name is that of their table."
  customizations(customizable_id: ID, customizable_type: String, id: [ID], name: String, properties: [QueryCustomAttribute], sort: [CustomizationSortOrder], user_id: ID): [Customization!] @public
  "The time of the soft deletion; null for a row that is not deleted."
  deleted_at: JSONDate @public
  id: ID @public
  profile_type: String! @public
  ${properties}
  ${propertyUpload}
  ${relatedModels}
  ${relatedRecords}
  ${relatedUsers('ModelsFilterInput')}
  ${remoteRecords}
  ${remoteUsers}
}

"A sort by a column, or by a property."
input CustomizationSortOrder {
  field: String
  order: String = "asc"
  property: String
}

"All given keys are joined with AND."
input UsersFilterInput {
  created_at: DateFilter
  deleted_at: DateFilter
  email: StringFilter
  external_id: UniqIdFilter
  first_name: StringFilter
  id: UniqIdFilter
  last_name: StringFilter
  name: StringFilter
  or: [UsersFilterInput!]
  profiles: [ProfileFilterInput!]
  properties: [PropertyFilterInput!]
  related_models: [RelatedModelsFilterInput!]
  related_records: [RelatedRecordsFilterInput!]
  related_users: [RelatedUsersFilterInput!]
  slug: StringFilter
  updated_at: DateFilter
}

"The sort keys of users. Give one key in each object."
input UsersSortInput {
  created_at: StandardSort
  deleted_at: StandardSort
  email: StandardSort
  external_id: StandardSort
  first_name: StandardSort
  id: StandardSort
  last_name: StandardSort
  name: StandardSort
  profile_properties: [PropertySort!]
  properties: [PropertySort!]
  slug: StandardSort
  updated_at: StandardSort
}

"Conditions on a profile. All given keys must match."
input ProfileFilterInput {
  name: String
  name_filter: StringFilter
  properties: [PropertyFilterInput!]
}

enum AuthenticationProvider {
  auth0
  facebook
  github
  google
  instagram
  linkedin
  openid_connect
  saml
  twitter
}

"A link to an account at another provider."
type Authentication {
  created_at: JSONDate
  deleted_at: JSONDate
  id: ID
  "The name of the provider in the address /auth/<name>; for links that the site has written itself, the same as provider."
  name: String
  "The provider. A configured provider with another name is openid_connect."
  provider: AuthenticationProvider
  raw_info: HashObject
  token: String
  token_expires_at: JSONDate
  uid: String
  updated_at: JSONDate
}

input AuthenticationInputType {
  provider: AuthenticationProvider!
  raw_info: HashObject
  token: String
  token_expires_at: JSONDate
  uid: String
}
`
