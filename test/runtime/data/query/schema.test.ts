/**
 * Compares the schema with the interface's official definition, which is not part of the project. `INGOT_SURFACE` names its folder;
 * `../shared/surface` is the default.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  buildASTSchema,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  parse,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { schema, schemaText } from '../../../../runtime/data/query/schema.ts'
import { checkedSchema } from '../../../../runtime/data/query/schema.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const surface = `${process.env['INGOT_SURFACE'] ?? `${root}../shared/surface`}/schema-subset.graphql`
const present = existsSync(surface)
const suite = present ? describe : describe.skip

if (!present)
  console.warn(
    `\n!!! THE INTERFACE'S SCHEMA IS MISSING: ${surface}\n!!! Set INGOT_SURFACE to the folder that holds it.\n`,
  )

/** Returns the signatures of a schema, by `Type.field(argument)`. */
function signatures(of: GraphQLSchema): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [name, type] of Object.entries(of.getTypeMap())) {
    if (name.startsWith('__')) continue
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const [field, { type: gives, args }] of Object.entries(type.getFields())) {
        found.set(`${name}.${field}`, String(gives))
        for (const argument of args)
          found.set(`${name}.${field}(${argument.name})`, `${argument.type} = ${JSON.stringify(argument.defaultValue)}`)
      }
    } else if (isInputObjectType(type)) {
      for (const [field, { type: takes, defaultValue }] of Object.entries(type.getFields()))
        found.set(`${name}.${field}`, `${takes} = ${JSON.stringify(defaultValue)}`)
    } else if (isEnumType(type)) for (const value of type.getValues()) found.set(`${name}.${value.name}`, 'value')
  }
  return found
}

describe('the schema', () => {
  it('is whole: every field of it can be asked', () => {
    expect(schemaText()).toContain('records(')
    expect([...signatures(schema()).keys()].length).toBeGreaterThan(900)
  })
})

suite(`the interface's schema${present ? '' : ` (left out: no ${surface})`}`, () => {
  const theirs = present ? signatures(buildASTSchema(parse(readFileSync(surface, 'utf8')))) : new Map<string, string>()
  const ours = signatures(schema())

  // The official definition was written before search indexes existed. It also omits the old name of tables, which clients still use, and
  // rarely used parts: lists and changes of deployed files, imports, images of rows, rows of other sites, and mutations of all rows. Tokens and sessions of users, logs,
  // changes, translations, recorded requests, and the names of configured providers are additions of Ingot.
  const LISTED =
    'AuthorizationPolicyCollection|AuthorizationPolicies\\w+|LiquidLayouts?\\w*|GraphQuery\\w*|Graphql\\w+Input|EmailNotifications?\\w*|' +
    'SmsNotifications?\\w*|ApiCallNotifications?\\w*|AsyncCallbackPriority|Form|FormCollection|Forms\\w+Input|UserProfileSchemas?\\w*|' +
    'ActivityStreamsHandler\\w*|Version\\w*|ThirdPartyIntegrations?\\w*|TransactableSchemas?\\w*|InstanceMetrics|Import\\w+Payload|\\w+Import|' +
    'UserProfileImportType|CustomImage|NewCustomImageInputType|UserTokens?\\w*|UserSessions?\\w*|' +
    'Channel(?:Room|Process)\\w*|LogRecords?\\w*|DataChanges?\\w*|SiteTranslations?\\w*|RecordedRequests?\\w*|Problem\\w*|SiteRelease|Endpoint|Remote\\w+Interface|' +
    'GraphQL|PageRedifectCode|PropertyTargetType|PropertyUpload\\w+|(?:Update|Nested|Standalone)?(?:Page|Liquid\\w+|Graphql|AuthorizationPolicy|\\w+Notification|' +
    'Table|ModelSchema|UserProfileSchema|Property|StandaloneProperty)InputType|Asset(?:Update|Input|PresignInput|s?Presign|s?Listing|s?Create)\\w*|PresignedUrl|SpamProtection\\w+|MutationAssets\\w+|(?:Update)?FormInput'
  const FIELDS =
    'documents_|admin_search_index_rc|admin_model_schemas|admin_authorization_policies|admin_liquid_layouts|admin_graphql|' +
    'admin_email_notifications|admin_sms_notifications|admin_api_call_notifications|admin_forms|admin_user_profile_schemas|handlers|' +
    'admin_versions|admin_third_party_integrations|admin_transactable_schemas|admin_instance_metrics|import_models|import_users|' +
    'channel_send_message|custom_image_create|activity_delete_all|activity_unpublish_all|models_update_all|customizations_delete_all|user_profiles_delete_all|' +
    'user_token_create|user_token_revoke|admin_user_sessions|admin_user_tokens|admin_logs|admin_changes|admin_channel_\\w+|admin_translations|admin_requests?|admin_request_plan|admin_problems|admin_releases|' +
    'remote_(?:records|users)|' +
    'admin_(?:page|liquid_\\w+|graphql|authorization_policy|\\w+_notification|table|model_schema|user_profile_schema|asset|form|property|field)_(?:create|update|delete)|admin_pages_delete_all|admin_assets_(?:create|listing|listing_create|presign_urls)'
  const later = new RegExp(
    `^BackgroundJob\\.stack$|^(?:User|Profile)\\.customizations|^(?:Record|User|Profile)\\.remote_(?:records|users)|^CustomizationSortOrder\\.|^Authentication\\.name$|^(?:Document|IndexSearch\\w+|ModelSchema\\w*|${LISTED})\\.|^Root(?:Query|Mutation)\\.(?:${FIELDS})`,
  )

  it('has all that is served, with the same signature', () => {
    const other = [...ours].filter(([name, signature]) => !later.test(name) && theirs.get(name) !== signature)
    expect(other.map(([name, signature]) => `${name}: ${signature}, not ${theirs.get(name)}`)).toEqual([])
  })

  it('has nothing that is not served', () => {
    const types = new Set([...ours.keys()].map((name) => name.split('.')[0]))
    const missing = [...theirs.keys()]
      .filter((name) => !ours.has(name))
      // A missing type, and the arguments of a missing field, are covered by the missing field itself.
      .filter((name) => types.has(name.split('.')[0]))
      .filter((name) => !name.includes('(') || ours.has(name.slice(0, name.indexOf('('))))
    expect(missing).toEqual([])
  })
})

it('is a schema that graphql itself finds nothing wrong in', () => {
  expect(Object.keys(checkedSchema().getTypeMap())).toEqual(Object.keys(schema().getTypeMap()))
})
