/**
 * The types of files that mutations change, in one table: where their files are, which argument is the template, and how each other argument is written as
 * a setting.
 */
import type { ChangedType } from '../../../../../runtime/data/query/change-model.ts'
import type { SettingEdit } from './settings.ts'

export interface FileType {
  /** What a file is called in messages. */
  readonly noun: string
  /** The folders below that of the application or module. New files without a path go to the first one. */
  readonly folders: readonly string[]
  /** Empty for files with any extension. */
  readonly extension: '.liquid' | '.graphql' | '.yml' | ''
  /** The argument with the text of the file below its settings; null for files that consist of settings. */
  readonly body: string | null
  /** The setting that older files have instead of a body. */
  readonly bodySetting?: string
  /** How arguments are written as settings. */
  readonly settings: Readonly<Record<string, WriteSetting>>
  /**
   * How the argument `path` names a file: `alias` writes another name than that of the file as a setting, `same` refuses it. Null for files without this
   * argument.
   */
  readonly path: 'alias' | 'same' | null
  /** Whether files are only moved and removed, because their bytes are no texts. */
  readonly isBinary?: true
  /** Whether the name of the file has its format. */
  readonly hasFormatInName?: true
  /** Whether the argument `properties` declares properties. */
  readonly hasProperties?: true
}

/** Converts an argument to changes of settings; null is the removal. @returns a sentence when the value is refused */
type WriteSetting = (value: unknown) => readonly SettingEdit[] | string

/** Writes a setting as it is given. @param older older names of the setting, which are removed */
function key(name: string, ...older: readonly string[]): WriteSetting {
  return (value) => [{ keys: [name], value }, ...older.map((each): SettingEdit => ({ keys: [each], value: null }))]
}

function below(section: string, name: string, ...older: readonly string[]): WriteSetting {
  return (value) => [
    { keys: [section, name], value },
    ...older.map((each): SettingEdit => ({ keys: [each], value: null })),
  ]
}

/** The platform's names of the statuses of redirects. */
const REDIRECTS: Readonly<Record<string, number>> = { MOVED_PERMANENTLY: 301, MOVED_TEMPORARILY: 302 }

const ignored: WriteSetting = () => []

const FILE = { metadata: key('metadata'), manually_managed: ignored }

const NO_METADATA: WriteSetting = (value) =>
  value === null || Object.keys(Object(value)).length === 0 ? [] : 'the file has no place for it'

const NO_FORMS: WriteSetting = (value) =>
  Array.isArray(value) && value.length > 0
    ? 'forms name the notifications that they send: list this one in the file of the form'
    : []

const NOTIFICATION = {
  ...FILE,
  name: key('name'),
  to: key('to'),
  delay_by: key('delay'),
  trigger_condition: key('trigger_condition'),
  form_configuration_ids: NO_FORMS,
}

const PROFILES = ['user_profile_types', 'instance_profile_types', 'user_profile_schemas']
const TABLES = ['schema', 'custom_model_types', 'model_schemas']

const TABLE: FileType = {
  noun: 'table',
  folders: TABLES,
  extension: '.yml',
  body: null,
  settings: { ...FILE, name: key('name') },
  path: null,
  hasProperties: true,
}

export const FILE_TYPES: Readonly<Record<Exclude<ChangedType, 'property'>, FileType>> = {
  page: {
    noun: 'page',
    folders: ['views/pages', 'pages'],
    extension: '.liquid',
    body: 'content',
    path: null,
    settings: {
      ...FILE,
      slug: key('slug', 'path'),
      format: key('format'),
      layout: key('layout', 'layout_name'),
      layout_name: key('layout', 'layout_name'),
      handler: (value) => [
        { keys: ['converter'], value: value === 'markdown' ? 'markdown' : null },
        { keys: ['handler'], value: null },
      ],
      request_method: key('method'),
      authorization_policies: key('authorization_policies'),
      redirect_to: key('redirect_to', 'redirect_url'),
      redirect_code: (value) => [{ keys: ['redirect_code'], value: REDIRECTS[String(value)] ?? null }],
      max_deep_level: key('max_deep_level'),
      response_headers: key('response_headers'),
      searchable: key('searchable'),
      subdomain: key('subdomain'),
      static_cache_expire: below('static_cache', 'expire', 'cache_for'),
      dynamic_cache_key: below('dynamic_cache', 'key'),
      dynamic_cache_expire: below('dynamic_cache', 'expire'),
      dynamic_cache_layout: below('dynamic_cache', 'layout'),
      deleted_at: (value) => (value === null ? [] : 'a page is deleted with `admin_page_delete`'),
    },
  },
  liquid_partial: {
    noun: 'partial',
    folders: ['views/partials', 'lib'],
    extension: '.liquid',
    body: 'body',
    settings: FILE,
    path: 'alias',
    hasFormatInName: true,
  },
  liquid_layout: {
    noun: 'layout',
    folders: ['views/layouts'],
    extension: '.liquid',
    body: 'body',
    settings: FILE,
    path: 'same',
    hasFormatInName: true,
  },
  graphql: {
    noun: 'stored query',
    folders: ['graphql', 'graph_queries', 'graphqls'],
    extension: '.graphql',
    body: 'body',
    settings: {
      manually_managed: ignored,
      metadata: NO_METADATA,
    },
    path: 'same',
  },
  authorization_policy: {
    noun: 'authorization policy',
    folders: ['authorization_policies'],
    extension: '.liquid',
    body: 'content',
    settings: { ...FILE, name: key('name'), redirect_to: key('redirect_to'), flash_alert: key('flash_alert') },
    path: null,
  },
  email_notification: {
    noun: 'mail',
    folders: ['emails', 'notifications/email_notifications'],
    extension: '.liquid',
    body: 'content',
    settings: {
      ...NOTIFICATION,
      subject: key('subject'),
      from: key('from'),
      reply_to: key('reply_to'),
      cc: key('cc'),
      bcc: key('bcc'),
      layout: key('layout', 'layout_path'),
      layout_path: key('layout', 'layout_path'),
      attachments: key('attachments'),
    },
    path: null,
  },
  sms_notification: {
    noun: 'text message',
    folders: ['smses', 'notifications/sms_notifications'],
    extension: '.liquid',
    body: 'content',
    bodySetting: 'content',
    settings: { ...NOTIFICATION, form_ids: NO_FORMS },
    path: null,
  },
  api_call_notification: {
    noun: 'API call',
    folders: ['api_calls', 'notifications/api_call_notifications'],
    extension: '.liquid',
    body: 'content',
    settings: {
      ...NOTIFICATION,
      request_type: key('request_type'),
      request_headers: key('request_headers', 'headers'),
      headers: key('request_headers', 'headers'),
      callback: key('callback'),
    },
    path: null,
  },
  table: TABLE,
  model_schema: TABLE,
  user_profile_schema: { ...TABLE, noun: 'profile type', folders: PROFILES },
  form: {
    noun: 'form',
    folders: ['forms', 'form_configurations'],
    extension: '.liquid',
    body: 'liquid_body',
    settings: {
      metadata: key('metadata'),
      name: key('name'),
      resource: key('resource'),
      resource_owner: key('resource_owner'),
      configuration: key('fields', 'configuration'),
      redirect_to: key('redirect_to', 'return_to'),
      flash_notice: key('flash_notice'),
      flash_alert: key('flash_alert'),
      authorization_policies: key('authorization_policies'),
      default_payload: key('default_payload'),
      callback_actions: key('callback_actions'),
      async_callback_actions: below('async_callback_actions', 'content'),
      async_callback_delay: below('async_callback_actions', 'delay'),
      async_callback_max_attempts: below('async_callback_actions', 'max_attempts'),
      async_callback_priority: below('async_callback_actions', 'priority'),
      response_headers: key('response_headers'),
      spam_protection: key('spam_protection'),
    },
    path: null,
  },
  asset: {
    noun: 'asset',
    folders: ['assets'],
    extension: '',
    body: null,
    settings: {
      manually_managed: ignored,
      metadata: NO_METADATA,
      cache_control: (value) => (value === null ? [] : 'the server sets how long browsers keep assets'),
    },
    path: null,
    isBinary: true,
  },
}

/** What declares properties: tables, profile types and users. */
export const PROPERTY_FILES = {
  noun: 'file with properties',
  folders: [...TABLES, ...PROFILES],
  extension: '.yml',
  /** The file of users' properties, in the folder of the application. */
  single: 'user.yml',
} as const
