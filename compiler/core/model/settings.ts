/** The settings of each kind of file, with defaults applied. Only data. */
import type { PlainPageSettings } from '../../../runtime/page/compiled.ts'
import type { PropertyType, SearchIndexDef } from './operation.ts'
import type { FileFormat } from '../source/file.ts'
import type { Span } from '../source/span.ts'
import type { YamlNode } from '../source/yaml.ts'
import type { SourceSegment } from '../source/yaml-texts.ts'

/** A text that may contain Liquid, with its span in the YAML. */
export interface LiquidText {
  readonly kind: 'liquid'
  readonly text: string
  /** The span of the whole value, with its quotes. */
  readonly span: Span
  /** The positions of its characters; null if only `span` is known. */
  readonly segments: readonly SourceSegment[] | null
}

/** A value of any shape: metadata, headers, default payloads. Texts without `{{` and `{%` are plain. */
export type SettingTree =
  | {
      readonly kind: 'plain'
      readonly value: string | number | bigint | boolean | null
      /** A float, even if its value is a whole number. */
      readonly float: boolean
    }
  | LiquidText
  | { readonly kind: 'list'; readonly items: readonly SettingTree[] }
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, SettingTree> }

/** The name of another file, with its span. */
export interface NamedReference {
  readonly name: string
  readonly span: Span
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
export type PageFormat = FileFormat | 'md'

/** A segment of a slug, as the server matches it. */
export type RouteSegment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'splat'; readonly name: string }
  | { readonly kind: 'optional'; readonly segments: readonly RouteSegment[] }

export interface Route {
  /** The slug as written or from the path, without leading and trailing slashes; `/` for the home page. */
  readonly slug: string
  readonly segments: readonly RouteSegment[]
  /** The full path `a/b/index`, at which the page is also served, or null. */
  readonly alsoAt: string | null
  /** The precedence of the route. Routes with a smaller precedence are tried first. */
  readonly precedence: number
}

export interface PageSettings {
  readonly kind: 'page'
  /** The settings that the manifest passes to the server unchanged. */
  readonly plainSettings: PlainPageSettings
  /** The slug as written; null if it comes from the path. */
  readonly slug: string | null
  /** The span of the slug; an empty span at the beginning of the file if it comes from the path. */
  readonly slugSpan: Span
  readonly route: Route
  /** `max_deep_level`: how far a URL may go beyond the slug. The slug counts as one level, and each further segment as one more. */
  readonly maxDeepLevel: number
  readonly method: Method
  readonly format: PageFormat
  /** The name of the layout; '' for none, null for the default of the site. */
  readonly layout: string | null
  /** Liquid that computes the name; null for a fixed name. */
  readonly computedLayout: LiquidText | null
  readonly layoutSpan: Span | null
  /** Custom values of the page; always a map. */
  readonly metadata: SettingTree
  readonly converter: 'markdown' | null
  readonly authorizationPolicies: readonly NamedReference[]
  readonly redirectTo: LiquidText | null
  readonly redirectCode: 301 | 302 | 307
  /** JSON text of an object, or a map. */
  readonly responseHeaders: SettingTree | null
  /** `expire` is in seconds. */
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
  /** The span of the key `converter`. */
  readonly converterAt: Span | null
  /** Another name of the partial. */
  readonly path: NamedReference | null
}

export interface PolicySettings {
  readonly kind: 'authorization_policy'
  /** The name of the policy, with the prefix of its module. */
  readonly name: string
  readonly nameSpan: Span
  readonly redirectTo: LiquidText | null
  readonly flashAlert: LiquidText | null
  readonly httpStatus: 403 | 404
  readonly metadata: SettingTree
}

/** The settings that emails, text messages and API calls have in common. */
export interface NotificationSettings {
  /** The name of the notification, with the prefix of its module. */
  readonly name: string
  readonly nameSpan: Span
  readonly to: LiquidText | null
  /** The delay in minutes. */
  readonly delay: LiquidText | null
  readonly enabled: boolean
  /** Null if the notification is always sent. */
  readonly triggerCondition: LiquidText | null
  readonly locale: LiquidText | null
  readonly metadata: SettingTree
  /** The span of each setting, by key. */
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
  /** Liquid that computes the name of the layout; set instead of `layout`. */
  readonly computedLayout: LiquidText | null
  readonly forced: boolean
  readonly attachments: SettingTree | null
  readonly uniqueArgs: SettingTree | null
}

export interface SmsSettings extends NotificationSettings {
  readonly kind: 'sms'
  /** The text of the message; null if the body of the file is the text. */
  readonly content: LiquidText | null
}

export interface ApiCallSettings extends NotificationSettings {
  readonly kind: 'api_call'
  readonly requestType: LiquidText | null
  /** JSON text of an object, or a map. */
  readonly requestHeaders: SettingTree | null
  readonly callback: LiquidText | null
}

export interface MigrationSettings {
  readonly kind: 'migration'
  /** `YYYYMMDDhhmmss`, or null if the file name does not begin with a timestamp. */
  readonly timestamp: string | null
}

/** An option of a validation, with the span of its key. */
export interface FormOption {
  readonly name: string
  readonly span: Span
  readonly value: SettingTree
}

/** An enabled validation, by its name in the file. */
export interface FormRule {
  readonly rule: string
  readonly span: Span
  /** The options without the common ones below. */
  readonly options: readonly FormOption[]
  readonly message: SettingTree | null
  readonly if: SettingTree | null
  readonly allowNil: boolean
  readonly allowBlank: boolean
  readonly on: 'create' | 'update' | null
}

/** An option of the property, unchanged. */
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

/** The kinds of nested resources. */
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
  /** The name of the form, with the prefix of its module. */
  readonly name: string
  readonly nameSpan: Span
  readonly resource: NamedReference | null
  readonly resourceOwner: 'anyone' | 'self' | 'creator' | null
  readonly fields: FormGroup
  /** The span of the key `fields`; an empty span at the beginning of the file if it is missing. */
  readonly fieldsSpan: Span
  readonly redirectTo: LiquidText | null
  readonly flashNotice: LiquidText | null
  readonly flashAlert: LiquidText | null
  readonly authorizationPolicies: readonly NamedReference[]
  readonly defaultPayload: SettingTree | null
  readonly callbackActions: LiquidText | null
  readonly asyncCallbackActions: {
    readonly content: LiquidText
    /** The delay in minutes. */
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
  /** Whether the file uses `text`, the older name of `string`. */
  readonly text: boolean
  /** Whether the property is the column of the same name that every record has. */
  readonly column: boolean
  /** The default value; null if there is none. */
  readonly default: SettingTree | null
  readonly belongsTo: NamedReference | null
  /** The options of uploads and photos, unchanged. */
  readonly options: YamlNode | null
  /** `versions_configuration` of a photo, unchanged. */
  readonly versions: YamlNode | null
  /** Custom data of the site, unchanged. */
  readonly metadata: YamlNode | null
}

export interface TableSettings {
  readonly kind: 'table' | 'user_profile_schema' | 'user_schema'
  /** The name of the table, with the prefix of its module; `user` for the schema of users. */
  readonly name: string
  readonly nameSpan: Span
  readonly properties: readonly Property[]
  /** Custom data of the site, unchanged. */
  readonly metadata: YamlNode | null
}

export interface TranslationSettings {
  readonly kind: 'translation'
  readonly locales: readonly {
    readonly locale: string
    readonly localeSpan: Span
    /** The translations of the language: always a map, or null without keys. */
    readonly tree: YamlNode | null
  }[]
}

/** The translations of the whole site: keys by locale. The keys of a module are below `modules/<name>`. */
export type TranslationTree = ReadonlyMap<string, TranslationMap>

export type TranslationNode =
  /** `value` is plain: a text, a number, a boolean, nil or a list. */
  { readonly kind: 'value'; readonly value: unknown; readonly span: Span; readonly keySpan: Span } | TranslationMap

export interface TranslationMap {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, TranslationNode>
  /** The span of the key in the file that defines it first. */
  readonly keySpan: Span
}

export interface ConfigSettings {
  readonly kind: 'config'
  readonly liquidRaiseMode: boolean
  /** Whether `liquid_raise_mode` is set to true explicitly. Then failed queries raise an error too. */
  readonly raiseQueries: boolean
  readonly liquidCheckMode: 'error' | 'warning'
  readonly graphqlArgumentTypeMismatchMode: 'error' | 'warning' | 'ignore'
  /** Whether that mode is set explicitly. Otherwise, a single value is accepted for a list in a query. */
  readonly argumentMismatchWritten: boolean
  readonly requireTableForRecordDeleteMutation: boolean
  /** Whether HTML output is sanitized instead of escaped. */
  readonly sanitizeOutput: boolean
  readonly safeTranslate: boolean
  /** Whether a slug must match the whole path. Otherwise, segments may follow it, up to `max_deep_level` of the page. */
  readonly slugExactMatch: boolean
  readonly htmlFormatExactMatch: boolean
  readonly redirectTrailingSlash: boolean
  readonly defaultLayout: string
  /** Liquid that computes the default layout; null for a fixed name. */
  readonly computedLayout: LiquidText | null
  readonly stringInterpolation: boolean
  /** Whether a variable that is never set reads the field of `context` with the same name. Null: it depends on the file. */
  readonly liquidAddOldVariables: boolean | null
  readonly themeSearchPaths: readonly LiquidText[]
  readonly maintenance: { readonly enabled: boolean; readonly passwordConstant: string; readonly partial: string }
  /** Where the studio is served outside of development, and the policy that guards it; null when it is off. */
  readonly studio: { readonly path: string; readonly pathSpan: Span; readonly policy: NamedReference } | null
  readonly searchIndexes: readonly SearchIndexDef[]
  readonly rejectNullGeojsonCoordinates: boolean
  readonly cookiesSameSite: 'Lax' | 'Strict' | 'None'
  readonly doNotAddReturnTo: boolean
  /** Whether a failed migration of a module counts like one of the application. */
  readonly migrationsStrict: boolean
  readonly websocketsRequireCsrfToken: boolean
  readonly websocketsRequireSubscribedPartial: boolean
}

/** A file whose settings are not read: only its tree. */
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
