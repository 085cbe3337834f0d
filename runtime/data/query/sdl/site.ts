/** Types of what the compiled site tells about itself. */
export const site = `
"A page of the site, as it is compiled."
type Page {
  authorization_policies: [AuthorizationPolicy!]
  content: String
  content_updated_at: JSONDate!
  created_at: JSONDate!
  deleted_at: JSONDate
  dynamic_cache_expire: Int
  dynamic_cache_key: String
  dynamic_cache_layout: Boolean
  format: PageFormat
  handler: PageHandler
  html_content: String
  id: ID!
  layout: String
  layout_name: String @deprecated
  manually_managed: Boolean
  max_deep_level: Int
  metadata: HashObject
  physical_file_path: String
  redirect_code: Int
  redirect_to: String
  request_method: PageRequestMethod
  response_headers: HashObject
  searchable: Boolean
  slug: String!
  static_cache_expire: Int
  subdomain: String
  updated_at: JSONDate!
}

"One page of pages."
type PageCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [Page!]
  total_entries: Int!
  total_pages: Int!
}

"A policy of the site."
type AuthorizationPolicy {
  authorization_policy_associations: [AuthorizationPolicyAssociation!]
  content: String!
  created_at: JSONDate!
  flash_alert: String
  http_status: Int
  id: ID!
  manually_managed: Boolean
  metadata: HashObject
  name: String!
  physical_file_path: String
  redirect_to: String
  updated_at: JSONDate!
}

"Use of a policy."
type AuthorizationPolicyAssociation {
  authorizable_id: ID!
  authorizable_type: String!
  authorization_policy_id: ID!
  created_at: JSONDate!
  id: ID!
  updated_at: JSONDate!
}

"A partial, or a file of \`lib\`."
type LiquidPartial {
  body: String
  created_at: JSONDate!
  format: PageFormat
  id: ID!
  manually_managed: Boolean
  metadata: HashObject
  path: String!
  physical_file_path: String
  updated_at: JSONDate!
}

"One page of partials."
type LiquidPartialCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [LiquidPartial!]
  total_entries: Int!
  total_pages: Int!
}

"A table, as its file declares it."
type Table {
  created_at: JSONDate!
  fields: [Property!]! @deprecated
  id: ID!
  manually_managed: Boolean
  metadata: HashObject
  name: String!
  parameterized_name: String!
  physical_file_path: String
  properties: [Property!]!
  records_count_rc: Int!
  updated_at: JSONDate!
}

"One page of tables."
type TableCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [Table!]
  total_entries: Int!
  total_pages: Int!
}

"A declared property."
type Property {
  attribute_type: PropertyTypeEnum!
  belongs_to: String
  created_at: JSONDate!
  default_value: String
  id: ID!
  manually_managed: Boolean
  metadata: HashObject
  name: String!
  options: HashObject
  physical_file_path: String
  target_id: ID!
  target_type: String!
  updated_at: JSONDate!
}

"What users have besides their columns."
type UserSchema {
  properties: [Property!]!
}

"A file below \`assets/\`."
type Asset {
  content_type: String
  created_at: JSONDate!
  deleted_at: JSONDate
  file_size: Int
  id: ID!
  manually_managed: Boolean
  metadata: HashObject
  name: String!
  physical_file_path: String
  updated_at: JSONDate!
  url: String!
  virtual_deleted_at: JSONDate @deprecated
}

"One page of assets."
type AssetCollection {
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  per_page: Int!
  results: [Asset!]
  total_entries: Int!
  total_pages: Int!
}

"This installation."
type Instance {
  created_at: JSONDate!
  feature_flags: HashObject!
  id: ID!
  name: String!
  updated_at: JSONDate!
}

input PageFilterInput {
  authorization_policies: AuthorizationPoliciesFilter
  content: StringFilter
  content_updated_at: DateFilter
  created_at: DateFilter
  deleted_at: DateFilter
  format: PageFormatFilter
  id: UniqIdFilter
  layout: StringFilter
  layout_name: StringFilter
  metadata: [JsonbFilter!]
  or: [PageFilterInput!]
  physical_file_path: StringFilter
  redirect_code: IntegerFilter
  redirect_to: StringFilter
  request_method: PagesRequestMethodFilter
  searchable: BooleanFilter
  slug: StringFilter
  subdomain: StringFilter
  updated_at: DateFilter
}

input PagesSortInput {
  content_updated_at: StandardSort
  created_at: StandardSort
  id: StandardSort
  metadata: [JsonbSort!]
  physical_file_path: StandardSort
  redirect_code: StandardSort
  redirect_to: StandardSort
  slug: StandardSort
  updated_at: StandardSort
}

input AuthorizationPoliciesFilter {
  not_value: String
  not_value_in: [String!]
  value: String
  value_in: [String!]
}

input PageFormatFilter {
  not_value: PageFormat
  not_value_in: [PageFormat!]
  value: PageFormat
  value_in: [PageFormat!]
}

input PagesRequestMethodFilter {
  not_value: PageRequestMethod
  not_value_in: [PageRequestMethod!]
  value: PageRequestMethod
  value_in: [PageRequestMethod!]
}

input LiquidPartialsFilterInput {
  body: StringFilter
  created_at: DateFilter
  id: UniqIdFilter
  metadata: [JsonbFilter!]
  or: [LiquidPartialsFilterInput!]
  path: StringFilter
  physical_file_path: StringFilter
  updated_at: DateFilter
}

input LiquidPartialsSortInput {
  created_at: StandardSort
  id: StandardSort
  metadata: [JsonbSort!]
  path: StandardSort
  physical_file_path: StandardSort
  updated_at: StandardSort
}

input TablesFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  metadata: [JsonbFilter!]
  name: StringFilter
  or: [TablesFilterInput!]
  parameterized_name: StringFilter
  physical_file_path: StringFilter
  updated_at: DateFilter
}

input TablesSortInput {
  created_at: StandardSort
  id: StandardSort
  metadata: [JsonbSort!]
  name: StandardSort
  parameterized_name: StandardSort
  physical_file_path: StandardSort
  updated_at: StandardSort
}

input QueryAssetsFilterInput {
  content_type: StringFilter
  created_at: DateFilter
  deleted_at: DateFilter
  file_size: RangeFilter
  id: UniqIdFilter
  manually_managed: BooleanFilter
  metadata: [JsonbFilter!]
  name: StringFilter
  or: [QueryAssetsFilterInput!]
  physical_file_path: StringFilter
  updated_at: DateFilter
  virtual_deleted_at: DateFilter
}

input AssetsSortInput {
  content_type: StandardSort
  created_at: StandardSort
  file_size: StandardSort
  id: StandardSort
  metadata: [JsonbSort!]
  name: StandardSort
  physical_file_path: StandardSort
  updated_at: StandardSort
  virtual_deleted_at: StandardSort
}
`
