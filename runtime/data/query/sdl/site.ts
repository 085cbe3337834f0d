/** Types of the compiled site's own data. */
export const site = `
"A page of the site, as compiled."
type Page {
  authorization_policies: [AuthorizationPolicy!] @public
  content: String @public
  content_updated_at: JSONDate! @public
  created_at: JSONDate! @public
  deleted_at: JSONDate @public
  dynamic_cache_expire: Int @public
  dynamic_cache_key: String @public
  dynamic_cache_layout: Boolean @public
  format: PageFormat @public
  handler: PageHandler @public
  html_content: String @public
  id: ID! @public
  layout: String @public
  layout_name: String @deprecated @public
  manually_managed: Boolean @public
  max_deep_level: Int @public
  metadata: HashObject @public
  physical_file_path: String @public
  redirect_code: Int @public
  redirect_to: String @public
  request_method: PageRequestMethod @public
  response_headers: HashObject @public
  searchable: Boolean @public
  slug: String! @public
  static_cache_expire: Int @public
  subdomain: String @public
  updated_at: JSONDate! @public
}

"One page of pages."
type PageCollection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [Page!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"A policy of the site."
type AuthorizationPolicy {
  authorization_policy_associations: [AuthorizationPolicyAssociation!] @public
  content: String! @public
  created_at: JSONDate! @public
  flash_alert: String @public
  http_status: Int @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  name: String! @public
  physical_file_path: String @public
  redirect_to: String @public
  updated_at: JSONDate! @public
}

"The use of an authorization policy by a page or form."
type AuthorizationPolicyAssociation {
  authorizable_id: ID! @public
  authorizable_type: String! @public
  authorization_policy_id: ID! @public
  created_at: JSONDate! @public
  id: ID! @public
  updated_at: JSONDate! @public
}

"A partial, or a file of \`lib\`."
type LiquidPartial {
  body: String @public
  created_at: JSONDate! @public
  format: PageFormat @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  path: String! @public
  physical_file_path: String @public
  updated_at: JSONDate! @public
}

"One page of partials."
type LiquidPartialCollection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [LiquidPartial!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"A table, as its file declares it."
type Table {
  created_at: JSONDate! @public
  fields: [Property!]! @deprecated @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  name: String! @public
  parameterized_name: String! @public
  physical_file_path: String @public
  properties: [Property!]! @public
  records_count_rc: Int! @public
  updated_at: JSONDate! @public
}

"One page of tables."
type TableCollection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [Table!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"The old name of a table."
type ModelSchema {
  created_at: JSONDate! @public
  fields: [Property!]! @deprecated @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  name: String! @public
  parameterized_name: String! @public
  physical_file_path: String @public
  properties: [Property!]! @public
  updated_at: JSONDate! @public
}

"One page of tables, by their old name."
type ModelSchemaCollection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [ModelSchema!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"A declared property."
type Property {
  attribute_type: PropertyTypeEnum! @public
  belongs_to: String @public
  created_at: JSONDate! @public
  default_value: String @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  name: String! @public
  options: HashObject @public
  physical_file_path: String @public
  target_id: ID! @public
  target_type: String! @public
  updated_at: JSONDate! @public
}

"The declared properties of users."
type UserSchema {
  properties: [Property!]! @public
}

"A file below \`assets/\`."
type Asset {
  content_type: String @public
  created_at: JSONDate! @public
  deleted_at: JSONDate @public
  file_size: Int @public
  id: ID! @public
  manually_managed: Boolean @public
  metadata: HashObject @public
  name: String! @public
  physical_file_path: String @public
  updated_at: JSONDate! @public
  url: String! @public
  virtual_deleted_at: JSONDate @deprecated @public
}

"One page of assets."
type AssetCollection {
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [Asset!] @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"This installation."
type Instance {
  created_at: JSONDate! @public
  feature_flags: HashObject! @public
  id: ID! @public
  name: String! @public
  updated_at: JSONDate! @public
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

input ModelSchemasFilterInput {
  created_at: DateFilter
  id: UniqIdFilter
  metadata: [JsonbFilter!]
  name: StringFilter
  or: [ModelSchemasFilterInput!]
  parameterized_name: StringFilter
  physical_file_path: StringFilter
  updated_at: DateFilter
}

input ModelSchemasSortInput {
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
