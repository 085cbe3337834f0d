/** Types of translations that are set at run time. */
export const translation = `
"A text in a language that overrides the text of the site."
type Translation {
  created_at: JSONDate!
  id: ID!
  key: String!
  locale: String!
  updated_at: JSONDate!
  value: String!
}

input TranslationInputType {
  key: String!
  locale: String!
  manually_managed: Boolean
  value: String!
}

"The numbers of texts that were changed by a tree of texts."
type TranslationJson {
  deleted_records: Int!
  key: String!
  locale: String!
  strategy: TranslationJsonStrategy!
  upserted_records: Int!
  value_json: HashObject!
}

input TranslationJsonInputType {
  key: String!
  locale: String!
  value_json: HashObject!
}

enum TranslationJsonStrategy {
  merge
  overwrite
}
`
