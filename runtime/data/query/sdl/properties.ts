/** Fields of types whose rows have properties. */

/** Each field converts to its type. */
export const properties = `"All properties, or the selected ones, as an object."
  properties(select: [PropertiesFieldInput!]): HashObject
  "Property as text; null when unset."
  property(name: String!): String
  "Property as a list of texts."
  property_array(name: String!): [String!]
  "Property as a boolean; the texts t and f count as booleans."
  property_boolean(name: String!): Boolean
  "Property as a float."
  property_float(name: String!): Float
  "Property as an integer."
  property_int(name: String!): Int
  "Property as JSON."
  property_json(name: String!): JSONPayload
  "Property parsed to an object."
  property_object(name: String!): HashObject`

/** Of types whose properties can be files. */
export const propertyUpload = `"Upload details; private files need expires_in (seconds)."
  property_upload(expires_in: Int, name: String!): PropertyUpload`
