/** Types of the old search: `customizations` and `people`. */

/** Fields for properties and relations, which all three types of rows have. */
const rowFields = `properties: HashObject @public
  property(name: String!): String @public
  property_array(name: String!): [String!] @public
  property_json(name: String!): JSONPayload @public
  related_model(foreign_property: String = "id", join_on_property: String, model_schema_name: String): ListingsCustomization @public
  related_models(foreign_property: String!, join_on_property: String!, model_schema_name: [String]): [ListingsCustomization!] @public
  related_user(foreign_property: String = "id", join_on_property: String = "user_id"): User @public`

export const listing = `
"A record, as the old search returns it."
type ListingsCustomization {
  created_at: JSONDate @public
  "An image that a form has stored for the record. When the requested version does not exist, it is the original."
  custom_image(name: String!): ListingImage @public
  customizable_id: ID @public
  customizable_type: String @public
  deleted_at: JSONDate @public
  external_id: ID @public
  id: ID! @public
  name: String @public
  ${rowFields}
  updated_at: JSONDate @public
  user(foreign_property: String = "id", join_on_property: String = "user_id"): User @deprecated @public
  user_id: ID @public
}

"One page of the old search."
type ListingsCustomizationCollection {
  aggregations: Aggregations! @public
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  page: Int! @deprecated @public
  per_page: Int! @public
  results: [ListingsCustomization!] @public
  size: Int! @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"A user, as the old search returns it."
type UserListing {
  authentications: [Authentication!]
  created_at: JSONDate @public
  deleted_at: JSONDate @public
  email: String! @public
  external_id: ID @public
  first_name: String @public
  id: ID! @public
  language: String @public
  last_name: String @public
  middle_name: String @public
  name: String! @public
  profile(profile_type: String!): ListingUserProfile @public
  profiles: [ListingUserProfile!] @public
  ${rowFields}
  slug: String @public
  temporary_token(expires_in: Float, valid_for: Int): String
  updated_at: JSONDate @public
}

"One page of the old search."
type UserListingCollection {
  aggregations: Aggregations! @public
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  page: Int! @deprecated @public
  per_page: Int! @public
  results: [UserListing!] @public
  size: Int! @public
  total_entries: Int! @public
  total_pages: Int! @public
}

"A profile, as the old search returns it."
type ListingUserProfile {
  external_id: ID @public
  id: ID! @public
  profile_type: String! @public
  ${rowFields}
}

input QueryUser {
  created_at: DateRange
  email: String
  emails: [String]
  external_id: ID
  first_name: String
  id: ID
  ids: [ID]
  is_deleted: Boolean = false
  last_name: String
  middle_name: String
  name: String
  slug: String
  without_ids: [ID]
}

input QueryCustomAttribute {
  exclude: Boolean = false
  exists: Boolean
  name: String!
  range: Range
  value: String
  values: [String]
  values_operator: OperatorEnum = OR
}

input QueryCustomModelType {
  id: Int
  ids: [Int]
  name: String
  names: [String]
}

input QueryModelSchema {
  id: Int
  ids: [Int]
  name: String
  names: [String]
}

input SortOrder {
  field: SortByFieldOrder
  name: String
  order: String = "asc"
  profile_field: String
  profile_property: String
  profile_type: String
  property_name: String
}

input SortByFieldOrder {
  field_name: String!
  values: [String]!
}

input DateRange {
  gt: String
  gte: String
  lt: String
  lte: String
}

input Range {
  gt: String
  gte: String
  lt: String
  lte: String
}

input ListingAggregation {
  fields: [AggregationField]
  global: Boolean = false
  name: String
}

input AggregationField {
  aggregations: [AggregationField]
  customization_name: String
  customization_property_name: String
  field_name: String
  name: String!
  profile_property_name: String
  profile_type: String
  size: Int = 200
  sort: AggregationSort
  type: AggregationTypeEnum = terms
}

input AggregationSort {
  name: AggregationSortFieldEnum = _term
  order: AggregationSortOrderEnum = asc
}

enum AggregationSortFieldEnum {
  _count
  _term
}

enum AggregationSortOrderEnum {
  asc
  desc
}

enum AggregationTypeEnum {
  avg
  max
  min
  terms
}

"Counts and extremes over all matches."
type Aggregations {
  compact: JSONPayload @public
  raw: JSONPayload @public
}

"An image."
type ListingImage {
  file_name: String @public
  filename: String @deprecated @public
  id: ID @public
  image_original_height: Int @public
  image_original_width: Int @public
  name: String @public
  url(version: String = "thumb"): String @public
}
`
