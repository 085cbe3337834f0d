/**
 * Types that all fields share: scalars, enums, and the inputs of filters and sorts. Names follow the platform's
 * interface.
 */

export const scalars = `
"The content of an activity: a JSON object."
scalar ActivityStreamsPayload

"Any JSON value."
scalar Any

"A GeoJSON geometry."
scalar GeometryJSON

"Any JSON value, unchanged."
scalar HashObject

"A time as ISO 8601 text."
scalar ISO8601DateTime

"A time. Results are ISO 8601 in UTC with milliseconds. Arguments may be such texts, or seconds since the epoch."
scalar JSONDate

"Any JSON value. JSON text is parsed."
scalar JSONPayload

"Values by property name."
scalar PropertiesObject

"The name of a column or of a property."
scalar PropertyName`

export const enums = `
enum GeoSortOrderEnum {
  ASC
  DESC
  NONE
}

enum OperatorEnum {
  AND
  OR
}

enum PageFormat {
  css
  csv
  html
  ics
  js
  json
  pdf
  rss
  svg
  text
  txt
  xml
}

enum PageHandler {
  liquid
  markdown
}

enum PageRequestMethod {
  delete
  get
  options
  patch
  post
  put
}

enum PropertyTypeEnum {
  address
  array
  binary
  boolean
  date
  datetime
  decimal
  file
  float
  geojson
  integer
  photo
  string
  text
  time
  upload
}

enum QueryMatchTypeEnum {
  CONTAINS
  ENDS_WITH
  EXACT
  FUZZY
  STARTS_WITH
}

enum SelectPropertyTypeEnum {
  array
  boolean
  float
  int
  json
  object
  string
}

enum SortOrderEnum {
  ASC
  DESC
}`

export const filters = `
input BooleanFilter {
  is_null: Boolean
  not_value: Boolean
  value: Boolean
}

input DateFilter {
  exists: Boolean
  gt: String
  gte: String
  lt: String
  lte: String
  not_value: String
  not_value_in: [String!]
  value: String
  value_in: [String!]
}

input FullTextQueryField {
  name: String
  priority: Int = 1
  profile_field: String
}

input GeoPropertyFilterInput {
  center: GeometryJSON
  distance_in_km: Float
  sort: GeoSortOrderEnum = ASC
}

input GeoRadiusPropertyFilterInput {
  point: GeometryJSON
  radius_in_km_from_property: String
}

input IdRangeFilter {
  gt: ID
  gte: ID
  lt: ID
  lte: ID
}

input IntegerFilter {
  not_value_in: [Int]
  range: IntegerRangeFilter
  value: Int
  value_in: [Int]
}

input IntegerRangeFilter {
  gt: Int
  gte: Int
  lt: Int
  lte: Int
}

input JsonbAttributeFilter {
  array_contains: [String!]
  array_overlaps: [String!]
  array_value_in: [String!]
  contains: String
  exists: Any
  key: String!
  not_array_contains: [String!]
  not_array_overlaps: [String!]
  not_array_value_in: [String!]
  not_contains: String
  not_exists: Any
  not_value: Any
  not_value_array: [String!]
  not_value_boolean: Boolean
  not_value_float: Float
  not_value_in: [String!]
  not_value_int: Int
  value: Any
  value_array: [String!]
  value_boolean: Boolean
  value_float: Float
  value_in: [String!]
  value_int: Int
}

input JsonbFilter {
  attribute: JsonbAttributeFilter
  attributes: [JsonbAttributeFilter!]
  contains: String
  exclude: Boolean
  has_key: String
}

input JsonbSort {
  name: String!
  order: SortOrderEnum!
}

input PropertyFilterInput {
  allow_empty: Boolean
  array_contains: [String!]
  array_overlaps: [String!]
  case_sensitive: Boolean
  contains: String
  distance_sphere: GeoPropertyFilterInput
  ends_with: String
  exists: Boolean
  name: String!
  not_array_contains: [String!]
  not_array_overlaps: [String!]
  not_contains: String
  not_ends_with: String
  not_starts_with: String
  not_value: String
  not_value_array: [String!]
  not_value_boolean: Boolean
  not_value_float: Float
  not_value_in: [String!]
  not_value_int: Int
  not_within_radius: GeoRadiusPropertyFilterInput
  property_type: String
  range: RangeFilter
  starts_with: String
  value: String
  value_array: [String!]
  value_boolean: Boolean
  value_float: Float
  value_in: [String!]
  value_int: Int
  within_radius: GeoRadiusPropertyFilterInput
}

input PropertySort {
  name: String!
  order: SortOrderEnum!
}

input Query {
  fields: [FullTextQueryField]
  keyword: String
  match_type: QueryMatchTypeEnum = EXACT
  operator: OperatorEnum = AND
  properties: [FullTextQueryField]
  raw: Boolean
}

input QueryOptionsInput {
  read_replica: Boolean = false
  timeout: Int = 19
}

input RangeFilter {
  gt: String
  gte: String
  lt: String
  lte: String
}

input StandardSort {
  order: SortOrderEnum!
  order_by_values: [String!]
}

input StringFilter {
  case_sensitive: Boolean
  contains: String
  ends_with: String
  exact: String
  not_contains: String
  not_ends_with: String
  not_starts_with: String
  not_value: String
  not_value_in: [String!]
  starts_with: String
  value: String
  value_in: [String!]
}

input UniqIdFilter {
  not_value_in: [ID!]
  range: IdRangeFilter
  value: ID
  value_in: [ID!]
}`
