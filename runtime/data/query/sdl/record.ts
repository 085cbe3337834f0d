/**
 * Types of records: the rows of tables, also under their old name, models. The value of a field comes from `rows/scope.ts` if it is a
 * column, otherwise from `rows/row-json.ts`.
 */
import { properties, propertyUpload, relatedModels, relatedRecords, relatedUsers } from './properties.ts'
import { remoteRecords, remoteUsers } from './remote.ts'

export const record = `
"A property to select, and the type to convert it to."
input PropertiesFieldInput {
  attribute_type: SelectPropertyTypeEnum!
  name: String!
}

"Access to the properties of a row. Each field converts a property to its own type."
interface PropertiesInterface {
  id: ID @public
  ${properties}
  ${propertyUpload}
}

"Uploaded file."
type PropertyUpload {
  extension: String @public
  file_name: String @public
  url: String @public
  versions(names: [String!]): HashObject @public
}

"A row of an application table."
type Record implements PropertiesInterface & RemoteRecordsInterface & RemoteUsersInterface {
  created_at: JSONDate! @public
  customizable_id: ID @deprecated @public
  customizable_type: String @deprecated @public
  "The time of the soft deletion; null for a row that is not deleted."
  deleted_at: JSONDate @public
  external_id: ID @public
  id: ID @public
  model_schema_id: ID! @deprecated @public
  model_schema_name: String @deprecated @public
  name: String @deprecated @public
  ${properties}
  ${propertyUpload}
  ${relatedModels}
  ${relatedRecords}
  ${relatedUsers('UsersFilterInput')}
  ${remoteRecords}
  ${remoteUsers}
  "The name of the record's table."
  table: String @public
  table_id: ID! @public
  updated_at: JSONDate! @public
  user(foreign_property: String = "id", join_on_property: String = "user_id", sort: [UsersSortInput!]): User @deprecated @public
  "The id of the user who owns the record, as set when it was written."
  user_id: ID @public
}

"A page of results, with the counters of pages."
type RecordCollection {
  "The number of this page, starting at 1."
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [Record!] @public
  "The number of matches on all pages."
  total_entries: Int! @public
  "The number of pages with this per_page."
  total_pages: Int! @public
}

"Old name of a record."
type Model implements PropertiesInterface {
  created_at: JSONDate! @public
  customizable_id: ID @deprecated @public
  customizable_type: String @deprecated @public
  "The time of the soft deletion; null for a row that is not deleted."
  deleted_at: JSONDate @public
  external_id: ID @public
  id: ID @public
  model_schema_id: ID! @deprecated @public
  model_schema_name: String @deprecated @public
  name: String @deprecated @public
  ${properties}
  ${propertyUpload}
  ${relatedModels}
  ${relatedUsers('ModelsFilterInput')}
  table: String @public
  table_id: ID! @public
  updated_at: JSONDate! @public
  user(foreign_property: String = "id", join_on_property: String = "user_id", sort: [UsersSortInput!]): User @deprecated @public
  user_id: ID @public
}

"A page of results, with the counters of pages."
type ModelCollection {
  "The number of this page, starting at 1."
  current_page: Int! @public
  has_next_page: Boolean! @public
  has_previous_page: Boolean! @public
  per_page: Int! @public
  results: [Model!] @public
  "The number of matches on all pages."
  total_entries: Int! @public
  "The number of pages with this per_page."
  total_pages: Int! @public
}

"All given keys are joined with AND."
input RecordsFilterInput {
  created_at: DateFilter
  deleted_at: DateFilter
  external_id: StringFilter
  fulltext: Query
  id: UniqIdFilter
  "at least one of these must hold"
  or: [RecordsFilterInput!]
  properties: [PropertyFilterInput!]
  "rows joined through properties must match"
  related_records: [RelatedRecordsFilterInput!]
  related_users: [RelatedUsersFilterInput!]
  "name of the table, with the module prefix for module tables"
  table: StringFilter
  table_id: UniqIdFilter
  updated_at: DateFilter
  user_id: UniqIdFilter
}

"The sort keys of records. Give one key in each object."
input RecordsSortInput {
  created_at: StandardSort
  deleted_at: StandardSort
  external_id: StandardSort
  id: StandardSort
  properties: [PropertySort!]
  random_sort: Boolean
  table_id: StandardSort
  updated_at: StandardSort
}

"Conditions on models. All given keys must match."
input ModelsFilterInput {
  created_at: DateFilter
  deleted_at: DateFilter
  external_id: StringFilter
  id: UniqIdFilter
  model_schema_id: UniqIdFilter
  model_schema_name: StringFilter
  models: [RelatedModelsFilterInput!]
  name: StringFilter
  or: [ModelsFilterInput!]
  properties: [PropertyFilterInput!]
  related_models: [RelatedModelsFilterInput!]
  related_users: [RelatedUsersFilterInput!]
  updated_at: DateFilter
  user_id: UniqIdFilter
  users: [RelatedUsersFilterInput!]
}

"The sort keys of models. Give one key in each object."
input ModelsSortInput {
  created_at: StandardSort
  deleted_at: StandardSort
  external_id: StandardSort
  id: StandardSort
  model_schema_id: StandardSort
  properties: [PropertySort!]
  random_sort: Boolean
  updated_at: StandardSort
}

"How a related row is joined."
input JoinRecordCollection {
  foreign_property: PropertyName!
  join_on_property: PropertyName = "id"
  property_type: String
}

"How a related model is joined."
input JoinModelCollection {
  foreign_property: PropertyName!
  join_on_property: PropertyName = "id"
  property_type: String
}

"Condition on rows of another table."
input RelatedRecordsFilterInput {
  filter: RecordsFilterInput
  join: JoinRecordCollection!
}

"Conditions on related models. All given keys must match."
input RelatedModelsFilterInput {
  filter: ModelsFilterInput
  join: JoinModelCollection
}

"Conditions on related users. All given keys must match."
input RelatedUsersFilterInput {
  filter: UsersFilterInput
  join: JoinModelCollection
}
`
