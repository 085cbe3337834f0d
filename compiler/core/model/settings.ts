/** What the settings of a file say, with defaults applied: one record per kind of file. Data only. */
import type { PlainPageSettings } from '../../../runtime/page/compiled.ts'
import type { PropertyType, SearchIndexDef } from './operation.ts'
import type { FileFormat } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import type { YamlNode } from '../source/yaml.ts'
import type { SourceSegment } from '../source/yaml-texts.ts'

/** A text that may hold Liquid, with its place in the YAML. */
export interface LiquidText {
  readonly kind: 'liquid'
  readonly text: string
  /** Of the whole value, with its quotes. */
  readonly span: Span
  /** Where its characters stand; null where only `span` is known. */
  readonly segments: readonly SourceSegment[] | null
}

/** A value that is free in shape: metadata, headers, default payloads. Texts without `{{` and `{%` are plain. */
export type SettingTree =
  | {
      readonly kind: 'plain'
      readonly value: string | number | bigint | boolean | null
      /** A float, also when its value is integral. */
      readonly float: boolean
    }
  | LiquidText
  | { readonly kind: 'list'; readonly items: readonly SettingTree[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, SettingTree> }

/** A name of another file, with its place. */
export interface NamedReference {
  readonly name: string
  readonly span: Span
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
export type PageFormat = FileFormat | 'md'

/** One part of a slug: as the server matches it. */
export type RouteSegment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'splat'; readonly name: string }
  | { readonly kind: 'optional'; readonly segments: readonly RouteSegment[] }

export interface Route {
  /** As written or told by the path, without a slash at its ends; `/` for the home page. */
  readonly slug: string
  readonly segments: readonly RouteSegment[]
  /** `a/b/index` is also asked by its full path: that path, or null. */
  readonly alsoAt: string | null
  /** Smaller is tried first. */
  readonly precedence: number
}

export interface PageSettings {
  readonly kind: 'page'
  /** What the manifest hands to the server as it is. */
  readonly plain: PlainPageSettings
  /** As written, or null where the path tells it. */
  readonly slug: string | null
  /** Of the slug's value; an empty span at the file's beginning where the path tells it. */
  readonly slugSpan: Span
  readonly route: Route
  /** `max_deep_level`: of an address that goes on behind the slug, the slug counts as one level and each further part as one more. */
  readonly maxDeepLevel: number
  readonly method: Method
  readonly format: PageFormat
  /** Name of the layout; '' for none, null for the site's default. */
  readonly layout: string | null
  /** Liquid in the place of the name; null for a name. */
  readonly computedLayout: LiquidText | null
  readonly layoutSpan: Span | null
  /** Always a map. */
  readonly metadata: SettingTree
  readonly converter: 'markdown' | null
  readonly authorizationPolicies: readonly NamedReference[]
  readonly redirectTo: LiquidText | null
  readonly redirectCode: 301 | 302 | 307
  /** Text of a JSON object, or a map. */
  readonly responseHeaders: SettingTree | null
  /** `expire` in seconds. */
  readonly dynamicCache: {
    readonly key: LiquidText | null
    readonly expire: number | null
    readonly layout: boolean
  } | null
}

export interface LayoutSettings {
  readonly kind: 'layout'
  readonly metadata: SettingTree
  readonly converter: 'markdown' | null
}

export interface PartialSettings {
  readonly kind: 'partial'
  readonly metadata: SettingTree
  readonly converter: 'markdown' | null
  /** The key `converter`. */
  readonly converterAt: Span | null
  /** A second name of the partial. */
  readonly path: NamedReference | null
}

export interface PolicySettings {
  readonly kind: 'authorization_policy'
  /** With the prefix of its module. */
  readonly name: string
  readonly nameSpan: Span
  readonly redirectTo: LiquidText | null
  readonly flashAlert: LiquidText | null
  readonly httpStatus: 403 | 404
  readonly metadata: SettingTree
}

/** What mails, texts and API calls have in common. */
export interface NotificationSettings {
  /** With the prefix of its module. */
  readonly name: string
  readonly nameSpan: Span
  readonly to: LiquidText | null
  /** Minutes. */
  readonly delay: LiquidText | null
  readonly enabled: boolean
  /** Null: always sent. */
  readonly triggerCondition: LiquidText | null
  readonly locale: LiquidText | null
  readonly metadata: SettingTree
  /** Where each setting stands, by its key. */
  readonly keySpans: ReadonlyMap<string, Span>
}

export interface EmailSettings extends NotificationSettings {
  readonly kind: 'email'
  readonly from: LiquidText | null
  readonly subject: LiquidText | null
  readonly replyTo: LiquidText | null
  readonly cc: LiquidText | null
  readonly bcc: LiquidText | null
  readonly layout: NamedReference | null
  /** In place of `layout`, where Liquid says which. */
  readonly computedLayout: LiquidText | null
  readonly forced: boolean
  readonly attachments: SettingTree | null
  readonly uniqueArgs: SettingTree | null
}

export interface SmsSettings extends NotificationSettings {
  readonly kind: 'sms'
  /** The text, where the body of the file is not it. */
  readonly content: LiquidText | null
}

export interface ApiCallSettings extends NotificationSettings {
  readonly kind: 'api_call'
  readonly requestType: LiquidText | null
  /** Text of a JSON object, or a map. */
  readonly requestHeaders: SettingTree | null
  readonly callback: LiquidText | null
}

export interface MigrationSettings {
  readonly kind: 'migration'
  /** `YYYYMMDDhhmmss`, or null where the file's name does not begin with one. */
  readonly timestamp: string | null
}

/** An option of a validation, with the place of its key. */
export interface FormOption {
  readonly name: string
  readonly span: Span
  readonly value: SettingTree
}

/** One validation that is switched on, by the name that the file gives it. */
export interface FormRule {
  readonly rule: string
  readonly span: Span
  /** Without those below. */
  readonly options: readonly FormOption[]
  readonly message: SettingTree | null
  readonly if: SettingTree | null
  readonly allowNil: boolean
  readonly allowBlank: boolean
  readonly on: 'create' | 'update' | null
}

/** An option of the property as it stands. */
export interface FieldOption {
  readonly name: string
  readonly value: unknown
}

export interface FormField {
  readonly name: string
  readonly span: Span
  readonly virtual: boolean
  readonly readonly: boolean
  readonly default: SettingTree | null
  readonly validations: readonly FormRule[]
  readonly options: readonly FieldOption[]
}

/** Kinds of resources below another. */
export type NestedKind = 'profiles' | 'customizations' | 'custom_images' | 'custom_attachments' | 'custom_addresses'

export interface FormNested {
  readonly group: NestedKind
  readonly name: string
  readonly span: Span
  readonly validations: readonly FormRule[]
  readonly fields: FormGroup
}

export interface FormGroup {
  readonly attributes: readonly FormField[]
  readonly properties: readonly FormField[]
  readonly nested: readonly FormNested[]
}

export interface FormSettings {
  readonly kind: 'form'
  /** With the prefix of its module. */
  readonly name: string
  readonly nameSpan: Span
  readonly resource: NamedReference | null
  readonly resourceOwner: 'anyone' | 'self' | 'creator' | null
  readonly fields: FormGroup
  /** Of the key `fields`; an empty span at the file's beginning without it. */
  readonly fieldsSpan: Span
  readonly redirectTo: LiquidText | null
  readonly flashNotice: LiquidText | null
  readonly flashAlert: LiquidText | null
  readonly authorizationPolicies: readonly NamedReference[]
  readonly defaultPayload: SettingTree | null
  readonly callbackActions: LiquidText | null
  readonly asyncCallbackActions: {
    readonly content: LiquidText
    /** Minutes. */
    readonly delay: number
    readonly priority: 'low' | 'default' | 'high'
    readonly maxAttempts: number
  } | null
  readonly emailNotifications: readonly NamedReference[]
  readonly smsNotifications: readonly NamedReference[]
  readonly apiCallNotifications: readonly NamedReference[]
  readonly spamProtection: {
    readonly provider: 'recaptcha_v2' | 'recaptcha_v3' | 'hcaptcha'
    readonly action: string | null
    readonly minimumScore: number
  } | null
  readonly requestAllowed: boolean
  readonly responseHeaders: SettingTree | null
  readonly metadata: SettingTree
}

export interface Property {
  readonly name: string
  readonly span: Span
  readonly type: PropertyType
  /** The file calls a `string` by its older name, `text`. */
  readonly text: boolean
  /** It is the column of the same name that every record has. */
  readonly column: boolean
  /** Null where none is given. */
  readonly default: SettingTree | null
  readonly belongsTo: NamedReference | null
  /** Of uploads and photos, as they stand. */
  readonly options: YamlNode | null
  /** `versions_configuration` of a photo, unchanged. */
  readonly versions: YamlNode | null
  /** Data of the site's own, unchanged. */
  readonly metadata: YamlNode | null
}

export interface TableSettings {
  readonly kind: 'table' | 'user_profile_schema' | 'user_schema'
  /** With the prefix of its module; `user` for the schema of users. */
  readonly name: string
  readonly nameSpan: Span
  readonly properties: readonly Property[]
  /** Data of the site's own, unchanged. */
  readonly metadata: YamlNode | null
}

export interface TranslationSettings {
  readonly kind: 'translation'
  readonly locales: readonly {
    readonly locale: string
    readonly localeSpan: Span
    /** Always a map, or null for a language without keys. */
    readonly tree: YamlNode | null
  }[]
}

/** The translations of the whole site: locale → keys. A module's keys stand below `modules/<name>`. */
export type TranslationTree = ReadonlyMap<string, TranslationMap>

export type TranslationNode =
  /** `value` is plain: a text, a number, a boolean, nil or a list. */
  { readonly kind: 'value'; readonly value: unknown; readonly span: Span; readonly keySpan: Span } | TranslationMap

export interface TranslationMap {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, TranslationNode>
  /** Of the key in the file that defines it first. */
  readonly keySpan: Span
}

export interface ConfigSettings {
  readonly kind: 'config'
  readonly liquidRaiseMode: boolean
  /** Whether `liquid_raise_mode` is written as true: queries that fail raise too. */
  readonly raiseQueries: boolean
  readonly liquidCheckMode: 'error' | 'warning'
  readonly graphqlArgumentTypeMismatchMode: 'error' | 'warning' | 'ignore'
  /** Whether that is written: else a single value may stand where a query takes a list. */
  readonly argumentMismatchWritten: boolean
  readonly requireTableForRecordDeleteMutation: boolean
  /** Output in HTML is sanitised, not escaped. */
  readonly sanitizeOutput: boolean
  readonly safeTranslate: boolean
  /** Whether a slug must match the whole path; else parts may follow it, as `max_deep_level` of the page allows. */
  readonly slugExactMatch: boolean
  readonly htmlFormatExactMatch: boolean
  readonly redirectTrailingSlash: boolean
  readonly defaultLayout: string
  /** Liquid in the place of the default layout; null for a name. */
  readonly computedLayout: LiquidText | null
  readonly stringInterpolation: boolean
  /** A name that nothing sets reads the field of `context` that is called so. */
  /** Null where the site does not say: then it depends on the file. */
  readonly liquidAddOldVariables: boolean | null
  readonly themeSearchPaths: readonly LiquidText[]
  readonly maintenance: { readonly enabled: boolean; readonly passwordConstant: string; readonly partial: string }
  readonly searchIndexes: readonly SearchIndexDef[]
  readonly rejectNullGeojsonCoordinates: boolean
  readonly cookiesSameSite: 'Lax' | 'Strict' | 'None'
  readonly doNotAddReturnTo: boolean
  /** Whether a failing migration of a module counts as one of the app. */
  readonly migrationsStrict: boolean
  readonly websocketsRequireCsrfToken: boolean
  readonly websocketsRequireSubscribedPartial: boolean
}

/** A file whose settings nothing reads: its tree as it stands. */
export interface RawSettings {
  readonly kind: 'activity_handler' | 'graphql' | 'asset' | 'lint_config'
  readonly tree: YamlNode | null
}

export type Settings =
  | PageSettings
  | LayoutSettings
  | PartialSettings
  | PolicySettings
  | EmailSettings
  | SmsSettings
  | ApiCallSettings
  | MigrationSettings
  | FormSettings
  | TableSettings
  | TranslationSettings
  | ConfigSettings
  | RawSettings
