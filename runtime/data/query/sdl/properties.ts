/** Fields of types whose rows have properties, and relations through them. */

/** Fields for properties. Each field converts a property to its own type. */
export const properties = `"All properties, or the selected ones, as an object."
  properties(select: [PropertiesFieldInput!]): HashObject @public
  "Property as text; null when it is not set."
  property(name: String!): String @public
  "Property as a list of texts."
  property_array(name: String!): [String!] @public
  "Property as a boolean; the texts t and f count as booleans."
  property_boolean(name: String!): Boolean @public
  "Property as a float."
  property_float(name: String!): Float @public
  "Property as an integer."
  property_int(name: String!): Int @public
  "Property as JSON."
  property_json(name: String!): JSONPayload @public
  "Property parsed to an object."
  property_object(name: String!): HashObject @public`

/** The field of types whose properties can be files. */
export const propertyUpload = `"The uploaded file. For a private file, expires_in (in seconds) is required."
  property_upload(expires_in: Int, name: String!): PropertyUpload @public`

/** Fields for related rows of other tables, under their old names. */
export const relatedModels = `"Old name of related_record."
  related_model(filter: ModelsFilterInput, foreign_property: String = "id", join_on_property: String!, model_schema_name: [String]!, sort: [ModelsSortInput!]): Model @deprecated @public
  "Old name of related_records."
  related_models(filter: ModelsFilterInput, foreign_property: String!, join_on_property: String!, limit: Int, model_schema_name: [String]!, sort: [ModelsSortInput!]): [Model!] @deprecated @public`

/** Fields for related rows of other tables. */
export const relatedRecords = `"The row of another table whose foreign_property equals the join_on_property of this row: of several, the last of the sort, or without a sort the one with the lowest id."
  related_record(filter: RecordsFilterInput, foreign_property: String = "id", join_on_property: String!, sort: [RecordsSortInput!], table: [String]!): Record @public
  "The rows of another table whose foreign_property equals the join_on_property of this row. An array matches with any of its elements."
  related_records(filter: RecordsFilterInput, foreign_property: String!, join_on_property: String!, limit: Int, sort: [RecordsSortInput!], table: [String]!): [Record!] @public`

/**
 * Returns the fields for related users.
 * @param filter the input type of the filter; only the type for records is correct
 */
export function relatedUsers(filter: 'ModelsFilterInput' | 'UsersFilterInput'): string {
  return `"The user whose foreign_property equals the join_on_property of this row: of several, the last of the sort."
  related_user(filter: ${filter}, foreign_property: String = "id", join_on_property: String = "user_id", sort: [UsersSortInput!]): User @public
  "The users whose foreign_property equals the join_on_property of this row."
  related_users(filter: ${filter}, foreign_property: String!, join_on_property: String!, limit: Int, sort: [UsersSortInput!]): [User!] @public`
}
