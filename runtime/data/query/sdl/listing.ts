/** Types of the old search: `customizations` and `people`. */

/** What the rows of all three have of properties and relations. */
const rowFields = `properties: HashObject
  property(name: String!): String
  property_array(name: String!): [String!]
  property_json(name: String!): JSONPayload
  related_model(foreign_property: String = "id", join_on_property: String, model_schema_name: String): ListingsCustomization
  related_models(foreign_property: String!, join_on_property: String!, model_schema_name: [String]): [ListingsCustomization!]
  related_user(foreign_property: String = "id", join_on_property: String = "user_id"): User`

export const listing = `
"A record in the words of the old search."
type ListingsCustomization {
  created_at: JSONDate
  "An image that a form has kept beside the record; without the version that is asked for, its original."
  custom_image(name: String!): ListingImage
  customizable_id: ID
  customizable_type: String
  deleted_at: JSONDate
  external_id: ID
  id: ID!
  name: String
  ${rowFields}
  updated_at: JSONDate
  user(foreign_property: String = "id", join_on_property: String = "user_id"): User @deprecated
  user_id: ID
}

"One page of the old search."
type ListingsCustomizationCollection {
  aggregations: Aggregations!
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  page: Int! @deprecated
  per_page: Int!
  results: [ListingsCustomization!]
  size: Int!
  total_entries: Int!
  total_pages: Int!
}

"A user in the words of the old search."
type UserListing {
  authentications: [Authentication!]
  created_at: JSONDate
  deleted_at: JSONDate
  email: String!
  external_id: ID
  first_name: String
  id: ID!
  language: String
  last_name: String
  middle_name: String
  name: String!
  profile(profile_type: String!): ListingUserProfile
  profiles: [ListingUserProfile!]
  ${rowFields}
  slug: String
  temporary_token(expires_in: Float, valid_for: Int): String
  updated_at: JSONDate
}

"One page of the old search."
type UserListingCollection {
  aggregations: Aggregations!
  current_page: Int!
  has_next_page: Boolean!
  has_previous_page: Boolean!
  page: Int! @deprecated
  per_page: Int!
  results: [UserListing!]
  size: Int!
  total_entries: Int!
  total_pages: Int!
}

"A profile in the words of the old search."
type ListingUserProfile {
  external_id: ID
  id: ID!
  profile_type: String!
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
  compact: JSONPayload
  raw: JSONPayload
}

"An image."
type ListingImage {
  file_name: String
  filename: String @deprecated
  id: ID
  image_original_height: Int
  image_original_width: Int
  name: String
  url(version: String = "thumb"): String
}
`
