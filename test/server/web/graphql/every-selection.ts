/** Creates documents that select each field of each type once. */
import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'

/**
 * Values of required arguments, and of optional arguments that are needed for a result. Keys are argument names, or field and argument if
 * the name is ambiguous.
 */
const ARGUMENTS: Readonly<Record<string, string>> = {
  per_page: '5',
  name: '"title"',
  'property_array.name': '"tags"',
  'property_boolean.name': '"ready"',
  'property_float.name': '"rate"',
  'property_int.name': '"count"',
  'property_json.name': '"file"',
  'property_object.name': '"file"',
  'property_upload.name': '"file"',
  'custom_image.name': '"photo"',
  table: '["item"]',
  model_schema_name: '["item"]',
  'ListingsCustomization.related_model.model_schema_name': '"item"',
  'UserListing.related_model.model_schema_name': '"item"',
  'ListingUserProfile.related_model.model_schema_name': '"item"',
  join_on_property: '"title"',
  foreign_property: '"title"',
  profile_type: '"author"',
  password: '"a long password"',
  code: '"123456"',
  token: '"x"',
  'constant.filter': '{ name: "KEY" }',
  'user.email': '"one@example.com"',
  feed_type: '"news"',
  search_index: '"books"',
  feed_id: '"7"',
  'admin_assets_listing.id': '"none"',
  'admin_request.id': '"none"',
  endpoint: '{ url: "http://sites.example/rows.json" }',
  'admin_request_plan.id': '"none"',
  'admin_request_plan.query': '0',
}

const PROPERTY_VALUES =
  '[{ name: "title", value: "a" }, { name: "tags", value_array: ["b"] }, { name: "ready", value_boolean: true }, { name: "rate", value_float: 1.5 }, { name: "count", value_int: 2 }]'
const FILE = '{ name: "file", value_upload: { type: plain, content: "text", file_path: "a.txt", acl: public } }'
const ITEM = `{ table: "item", external_id: "x", properties: [${FILE}, { name: "title", value: "a" }, { name: "tags", value_array: ["b"] }, { name: "ready", value_boolean: true }, { name: "rate", value_float: 1.5 }, { name: "count", value_int: 2 }] }`
const OLD_ITEM = '{ model_schema_name: "item", external_id: "x", properties: [{ name: "title", value: "a" }] }'
const VECTOR = `[${Array.from({ length: 1536 }, () => '0.5').join(',')}]`

/** The arguments of each mutation. The mutations run in this order. `$name` represents the id that an earlier mutation returned. */
export const MUTATIONS: readonly (readonly [field: string, args: string])[] = [
  [
    'user_create',
    `user: { email: "one@example.com", password: "a long password", external_id: "x", first_name: "A", properties: ${PROPERTY_VALUES}, profiles: [{ name: "author", values: { properties: ${PROPERTY_VALUES} } }] }`,
  ],
  [
    'user_update',
    `id: "$user_create", user: { last_name: "B", properties: [{ name: "file", value: "https://files.example/a.txt" }] }`,
  ],
  ['user_session_create', 'email: "one@example.com", password: "a long password"'],
  ['user_session_destroy', ''],
  ['session_create_field', 'name: "a", value: 1'],
  ['session_delete_field', 'name: "a"'],
  ['user_otp_secret_refresh', 'user_id: "$user_create"'],
  ['user_otp_delete_token', 'user_id: "$user_create"'],
  ['user_token_create', 'user_id: "$user_create"'],
  ['jwt_decode_and_set_session', 'jwt_token: "no token"'],
  ['record_create', `record: ${ITEM}`],
  ['record_update', 'id: "$record_create", record: { properties: [{ name: "title", value: "a" }] }'],
  ['records_create_rc', 'records: [{ table: "item", properties: { title: "a" }, external_id: "x" }]'],
  ['import_users', 'users: [{ id: "i", email: "two@example.com", slug: "two", name: "Two" }]'],
  ['import_models', 'models: [{ id: "i", type_name: "item", properties: { title: "a" } }]'],
  [
    'custom_image_create',
    'custom_image: { custom_attribute_name: "picture", owner_id: "$record_create", owner_type: "Record", direct_url: "http://pictures.example/a.png" }',
  ],
  ['models_update_all', 'model_schema_name: "item", model: { properties: [{ name: "title", value: "a" }] }'],
  ['records_update_all', 'table: "item", record: { properties: [{ name: "title", value: "a" }] }'],
  [
    'upload_delete',
    'upload_object_id: "$record_create", upload_object_type: Record, attribute_name: "none", sync: true',
  ],
  ['model_create', `model: ${OLD_ITEM}`],
  ['model_update', `id: "$model_create", model: ${OLD_ITEM}`],
  ['model_delete', 'id: "$model_create"'],
  ['customization_create', `customization: ${OLD_ITEM}`],
  ['customization_update', `id: "$customization_create", customization: ${OLD_ITEM}`],
  ['customization_delete', 'id: "$customization_create"'],
  ['form_submit', 'form_name: "item", fields: { properties: { title: "a" } }'],
  ['constant_set', 'name: "KEY", value: "b"'],
  ['activity_create', 'payload: { type: "Create", actor: "7" }'],
  ['activity_publish', 'uuid: "$activity_create", feed_type: "news", ids: ["7"]'],
  ['embedding_create_rc', `embedding: { embedding: ${VECTOR}, metadata: { a: 1 } }`],
  ['embedding_update_rc', `id: "$embedding_create_rc", embedding: { metadata: { a: 2 } }`],
  ['documents_insert_rc', 'search_index: "books", id: "1", document: { title: "a", tags: ["b"] }'],
  ['documents_upsert_rc', 'search_index: "books", id: "1", document: { rate: 1.5 }'],
  ['documents_bulk_upsert_rc', 'search_index: "books", documents: [{ id: 2, count: 1 }]'],
  ['data_export', 'records: { filter: { table: { value: "item" } } }'],
  ['email_send', 'template: { name: "note" }'],
  ['sms_send', 'template: { name: "there_is_none" }'],
  ['api_call_send', 'api_call: { url: "http://127.0.0.1:$port/", method: "GET" }'],
  ['channel_send_message', 'channel_name: "news", room_id: "7", payload: { text: "a" }'],
  ['log', 'message: "a", type: info'],
  ['property_upload_presigned_url', 'property_name: "file", table: "item"'],
  ['admin_translation_set', 'translation: { key: "a.b", locale: "en", value: "c" }'],
  ['admin_translation_set_json', 'strategy: merge, translation: { key: "d", locale: "en", value_json: { e: "f" } }'],
  // The following mutations remove data. They run after the queries.
  ['admin_translation_unset', 'key: "a.b", locale: "en"'],
  ['user_token_revoke', 'id: "$user_token_create", user_id: "$user_create"'],
  ['admin_user_sessions_end', 'user_id: "$user_create"'],
  ['admin_background_job_retry', 'id: "$job"'],
  ['admin_background_job_delete', 'id: "$job"'],
  ['admin_background_jobs_delete_all', ''],
  ['documents_delete_rc', 'search_index: "books", id: "1"'],
  ['data_export_delete', 'id: "$data_export"'],
  ['embedding_delete_rc', 'id: "$embedding_create_rc"'],
  ['activity_unpublish', 'uuid: "$activity_create"'],
  ['activity_unpublish_all', 'confirm: true'],
  ['activity_delete_all', 'confirm: true'],
  ['constant_unset', 'name: "KEY"'],
  ['record_delete', 'id: "$record_create", table: "item"'],
  ['records_delete_all', 'table: "item"'],
  ['models_delete_all', 'model_schema_name: "item"'],
  ['customizations_delete_all', 'model_schema_name: "item"'],
  ['user_profile_delete', 'user_id: "$user_create", profile_type: "author"'],
  ['user_profiles_delete_all', 'all_user_profile_types: true'],
  ['users_update_all', 'all_users: true, user: { first_name: "C" }'],
  ['user_delete', 'id: "$user_create"'],
  ['users_delete_all', 'all_users: true'],
]
/** Fields that other sites do not answer. */
const CREDENTIALS = /^(?:authenticate|encrypted_password|jwt_token|otp|otp_tokens|temporary_token)$/

/**
 * Returns a selection of every field of the type, including nested types that are not selected yet.
 * @param isRemote whether another site answers
 */
export function selection(type: GraphQLObjectType, asked: Set<string>, isRemote = false): string {
  asked.add(type.name)
  const parts = Object.values(type.getFields()).flatMap((field) => {
    if (isRemote && CREDENTIALS.test(field.name)) return []
    const below = getNamedType(field.type)
    const call = `${field.name}${argumentsOf(type.name, field)}`
    if (isLeafType(below)) return [call]
    if (!isObjectType(below)) return []
    return [`${call} { ${asked.has(below.name) ? '__typename' : selection(below, asked, isRemote)} }`]
  })
  return ['__typename', ...parts].join(' ')
}

export function argumentsOf(type: string, field: GraphQLField<unknown, unknown>): string {
  const given = field.args.flatMap(({ name, type: takes, defaultValue }) => {
    const exact = ARGUMENTS[`${type}.${field.name}.${name}`] ?? ARGUMENTS[`${field.name}.${name}`]
    const value = exact ?? (isNonNullType(takes) || /property$/.test(name) ? ARGUMENTS[name] : undefined)
    if (value === undefined && isNonNullType(takes) && defaultValue === undefined)
      throw new Error(`no value for ${type}.${field.name}(${name})`)
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  return given.length === 0 ? '' : `(${given.join(', ')})`
}

/** Returns the selection of a root field with all nested fields, with an alias. */
export function wholeField(key: string, field: GraphQLField<unknown, unknown>, args: string): string {
  const type = getNamedType(field.type)
  return `${key}: ${field.name}${args}${isObjectType(type) ? ` { ${selection(type, new Set(), field.name.startsWith('remote_'))} }` : ''}`
}
