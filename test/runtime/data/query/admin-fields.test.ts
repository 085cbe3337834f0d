/** Fields that only administrators may use: all fields without `@public`. A new field is therefore reserved until it is made public. */
import { buildSchema, isInterfaceType, isObjectType, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { adminFields, isPublic } from '../../../../runtime/data/query/admin-fields.ts'
import { schema } from '../../../../runtime/data/query/index.ts'

/** Returns `Type.field` for all fields of the schema. */
function fields(): readonly { readonly path: string; readonly shown: boolean }[] {
  return Object.values(schema().getTypeMap()).flatMap((type) =>
    !type.name.startsWith('__') && (isObjectType(type) || isInterfaceType(type))
      ? Object.values(type.getFields()).map((field) => ({ path: `${type.name}.${field.name}`, shown: isPublic(field) }))
      : [],
  )
}

/** Types that only reserved fields return, so that all their fields are reserved. */
const RESERVED_TYPES = [
  'AssetsListing',
  'AssetsListingIdentifier',
  'AssetsPresignUrlsMutationPayload',
  'Authentication',
  'BackgroundJob',
  'BackgroundJobCollection',
  'BackgroundJobsResult',
  'ChannelProcess',
  'ChannelProcessCollection',
  'ChannelRoom',
  'ChannelRoomCollection',
  'PresignedUrl',
  'DataChange',
  'DataChangeCollection',
  'DataExport',
  'DataExportCollection',
  'EncryptedConstant',
  'EncryptedConstantCollection',
  'LogRecord',
  'LogRecordCollection',
  'Otp',
  'Problem',
  'ProblemCollection',
  'RecordedRequest',
  'RecordedRequestCollection',
  'SentNotification',
  'SentNotificationCollection',
  'SiteRelease',
  'SiteTranslation',
  'SiteTranslationCollection',
  'Translation',
  'TranslationJson',
  'UserSession',
  'UserSessionCollection',
  'UserToken',
  'UserTokenCollection',
]

/**
 * Fields that must stay reserved. They contain secrets of the site and its users, headers with keys, or contents of jobs and mails
 * (addresses, and links that sign in), they act as another user, or they make the server call other sites.
 */
const RESERVED = [
  'Authenticate.temporary_token',
  'Form.api_call_notifications',
  'Profile.remote_records',
  'Profile.remote_users',
  'Record.remote_records',
  'Record.remote_users',
  'RemoteRecordsInterface.remote_records',
  'RemoteUsersInterface.remote_users',
  'RootMutation.admin_api_call_notification_create',
  'RootMutation.admin_api_call_notification_delete',
  'RootMutation.admin_api_call_notification_update',
  'RootMutation.admin_asset_delete',
  'RootMutation.admin_asset_delete_all',
  'RootMutation.admin_asset_update',
  'RootMutation.admin_asset_update_all',
  'RootMutation.admin_assets_create',
  'RootMutation.admin_assets_listing_create',
  'RootMutation.admin_assets_presign_urls',
  'RootMutation.admin_authorization_policy_create',
  'RootMutation.admin_authorization_policy_delete',
  'RootMutation.admin_authorization_policy_update',
  'RootMutation.admin_background_job_delete',
  'RootMutation.admin_background_job_retry',
  'RootMutation.admin_background_jobs_delete_all',
  'RootMutation.admin_email_notification_create',
  'RootMutation.admin_email_notification_delete',
  'RootMutation.admin_email_notification_delete_all',
  'RootMutation.admin_email_notification_update',
  'RootMutation.admin_email_notification_update_all',
  'RootMutation.admin_field_create',
  'RootMutation.admin_field_delete',
  'RootMutation.admin_field_update',
  'RootMutation.admin_form_create',
  'RootMutation.admin_form_delete',
  'RootMutation.admin_form_delete_all',
  'RootMutation.admin_form_update',
  'RootMutation.admin_form_update_all',
  'RootMutation.admin_graphql_create',
  'RootMutation.admin_graphql_delete',
  'RootMutation.admin_graphql_update',
  'RootMutation.admin_liquid_layout_create',
  'RootMutation.admin_liquid_layout_delete',
  'RootMutation.admin_liquid_layout_delete_all',
  'RootMutation.admin_liquid_layout_update',
  'RootMutation.admin_liquid_layout_update_all',
  'RootMutation.admin_liquid_partial_create',
  'RootMutation.admin_liquid_partial_delete',
  'RootMutation.admin_liquid_partial_delete_all',
  'RootMutation.admin_liquid_partial_update',
  'RootMutation.admin_liquid_partial_update_all',
  'RootMutation.admin_model_schema_create',
  'RootMutation.admin_model_schema_delete',
  'RootMutation.admin_model_schema_update',
  'RootMutation.admin_page_create',
  'RootMutation.admin_page_delete',
  'RootMutation.admin_page_update',
  'RootMutation.admin_page_update_all',
  'RootMutation.admin_pages_delete_all',
  'RootMutation.admin_property_create',
  'RootMutation.admin_property_delete',
  'RootMutation.admin_property_update',
  'RootMutation.admin_sms_notification_create',
  'RootMutation.admin_sms_notification_delete',
  'RootMutation.admin_sms_notification_update',
  'RootMutation.admin_table_create',
  'RootMutation.admin_table_delete',
  'RootMutation.admin_table_update',
  'RootMutation.admin_translation_set',
  'RootMutation.admin_translation_set_json',
  'RootMutation.admin_translation_unset',
  'RootMutation.admin_user_profile_schema_create',
  'RootMutation.admin_user_profile_schema_delete',
  'RootMutation.admin_user_profile_schema_update',
  'RootMutation.admin_user_sessions_end',
  'RootMutation.constant_set',
  'RootMutation.constant_unset',
  'RootMutation.data_export',
  'RootMutation.data_export_delete',
  'RootMutation.user_token_create',
  'RootMutation.user_token_revoke',
  'RootQuery.admin_api_call_notifications',
  'RootQuery.admin_assets_listing',
  'RootQuery.admin_background_jobs',
  'RootQuery.admin_changes',
  'RootQuery.admin_channel_processes',
  'RootQuery.admin_channel_rooms',
  'RootQuery.admin_logs',
  'RootQuery.admin_problems',
  'RootQuery.admin_releases',
  'RootQuery.admin_request',
  'RootQuery.admin_request_plan',
  'RootQuery.admin_requests',
  'RootQuery.admin_sent_notifications',
  'RootQuery.admin_translations',
  'RootQuery.admin_user_sessions',
  'RootQuery.admin_user_tokens',
  'RootQuery.constant',
  'RootQuery.constants',
  'RootQuery.data_exports',
  'RootQuery.remote_records',
  'RootQuery.remote_users',
  'User.authentications',
  'User.encrypted_password',
  'User.jwt_token',
  'User.otp',
  'User.remote_records',
  'User.remote_users',
  'User.temporary_token',
  'UserListing.authentications',
  'UserListing.temporary_token',
]

describe('a field', () => {
  it('is reserved until it says that it is public', () => {
    const { secret, shown } = buildSchema(
      'directive @public on FIELD_DEFINITION type Query { secret: String shown: String @public old: Int @deprecated }',
    )
      .getQueryType()!
      .getFields()
    expect([secret!, shown!].map(isPublic)).toEqual([false, true])
  })

  it('that is reserved stands here, one by one', () => {
    const reserved = fields().filter(({ shown }) => !shown)
    const single = reserved.filter(({ path }) => !RESERVED_TYPES.includes(path.split('.')[0] as string))
    expect(single.map(({ path }) => path).toSorted()).toEqual(RESERVED)
  })

  it('of a type with secrets alone is never public', () => {
    const open = fields().filter(({ path, shown }) => shown && RESERVED_TYPES.includes(path.split('.')[0] as string))
    expect(open).toEqual([])
  })

  // The author of a change that makes a field public must also change this number, and should first check whose data the field shows.
  it('is public if its author has looked whom it shows', () => {
    expect(fields().filter(({ shown }) => shown).length).toBe(794)
  })

  it('shows no other directive to those who ask about the schema', () => {
    expect(
      schema()
        .getDirectives()
        .map(({ name }) => name),
    ).not.toContain('public')
  })
})

describe('a document', () => {
  const reserved = (text: string) => adminFields(parse(text))

  it('is judged by the fields of its types, wherever they stand', () => {
    expect(reserved('{ users(per_page: 1) { results { id name: encrypted_password } } }')).toEqual([
      'encrypted_password',
    ])
    expect(reserved('{ ...u } fragment u on RootQuery { user(id: 1) { ... { a: otp { b: secret } } } }')).toEqual([
      'otp',
      'secret',
    ])
    expect(reserved('mutation { admin_translation_unset(key: "a", locale: "en") { key } }')).toEqual([
      'admin_translation_unset',
      'key',
    ])
  })

  it('may ask for what is named like a secret elsewhere, and about the schema', () => {
    expect(reserved('{ records(per_page: 1) { results { id name } } constants: __typename }')).toEqual([])
    expect(
      reserved('{ __schema { types { name fields { name type { name } } } } __type(name: "Otp") { name } }'),
    ).toEqual([])
  })

  it('names fields that are not there in vain: nothing of them is planned', () => {
    expect(reserved('{ nothing { encrypted_password } }')).toEqual([])
  })
})
