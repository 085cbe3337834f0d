/**
 * The interface of an emitted site, generic over the render `R` that its functions receive. `site.ts` instantiates it.
 */

export type Format =
  | 'html'
  | 'json'
  | 'xml'
  | 'rss'
  | 'csv'
  | 'pdf'
  | 'css'
  | 'text'
  | 'js'
  | 'txt'
  | 'svg'
  | 'ics'
  | 'md'

/** The variables of a unit, by name. */
export type Scope = Record<string, unknown>

/** Prints a unit. The result is a promise only when the unit uses a port. */
export type RenderFunction<R> = (r: R, scope: Scope) => string | Promise<string>

/** Calls a unit as a `function`. Returns the value of its `return`, or null when it has none. */
export type ValueFunction<R> = (r: R, scope: Scope) => unknown

/** Includes a unit with a computed name. It reads and writes the caller's variables in `scope`. */
export type IncludeFunction<R> = (r: R, scope: Scope) => string | Promise<string>

/** Prints a unit as UTF-8 bytes into `sink`, beginning at the offset `at`. Returns the offset after the last byte. */
export type RenderBytesFunction<R> = (r: R, scope: Scope, sink: Uint8Array, at: number) => number

/** A unit that can be called with a computed name. A function of it is null when no code can call it, or the unit was built with errors. */
export interface CallableUnit<R> {
  /** Path of the template. */
  readonly file: string
  readonly render: RenderFunction<R> | null
  readonly value: ValueFunction<R> | null
  readonly shared: IncludeFunction<R> | null
  readonly bytes?: RenderBytesFunction<R>
}

/** One segment of a route: `static`, `:name`, `*name`, or an optional group of segments. */
export type RouteSegment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'splat'; readonly name: string }
  | { readonly kind: 'optional'; readonly segments: readonly RouteSegment[] }

/** A value of the front matter: plain data, or Liquid that is rendered on demand. */
export type Setting<R> =
  | { readonly kind: 'plain'; readonly value: unknown }
  | { readonly kind: 'liquid'; readonly render: RenderFunction<R> }
  | { readonly kind: 'list'; readonly items: readonly Setting<R>[] }
  | { readonly kind: 'map'; readonly entries: Readonly<Record<string, Setting<R>>> }

/** Settings of a page that the compiler passes to the server unchanged. */
export interface PlainPageSettings {
  /** The lifetime of the page in caches, in seconds. */
  readonly staticCache: number | null
  readonly subdomain: string | null
  readonly searchable: boolean
}

export interface PageEntry<R> extends PlainPageSettings {
  /** Path of the template. */
  readonly file: string
  /** Logical name: `blog/post`. */
  readonly name: string
  readonly module: string | null
  /** The slug as written or derived from the path, without a leading slash; `/` for the home page. */
  readonly slug: string
  readonly route: readonly RouteSegment[]
  /** The route with the smaller value wins. In a tie, the route wins that leaves fewer segments over, and then the first in the list. */
  readonly precedence: number
  /** Maximum number of further segments after the segments of the route (`slug_exact_match`, `max_deep_level`); null for any number. */
  readonly surplus: number | null
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
  readonly format: Format
  /** The name of the layout; null when the page has none, or its default layout does not exist. */
  readonly layout: string | null
  /**
   * Computes the name of the layout for each request. Absent when `layout` is known at build time. `mayMiss` says whether the page is shown
   * without a layout when the computed layout does not exist.
   */
  readonly computedLayout?: { readonly name: Setting<R>; readonly mayMiss: boolean }
  readonly render: RenderFunction<R>
  readonly bytes?: RenderBytesFunction<R>
  /**
   * Whether the body is Markdown. The rendered text is converted before it is placed in the layout. A request with `.md` gets the text
   * unconverted.
   */
  readonly markdown: boolean
  readonly metadata: Setting<R>
  readonly policies: readonly string[]
  readonly redirect: { readonly target: Setting<R>; readonly code: 301 | 302 | 307 } | null
  readonly responseHeaders: Setting<R> | null
  readonly dynamicCache: {
    readonly key: Setting<R> | null
    readonly expire: number | null
    readonly layout: boolean
  } | null
}

export interface LayoutEntry<R> {
  readonly file: string
  readonly name: string
  readonly metadata: Setting<R>
  readonly render: RenderFunction<R>
}

export interface PolicyEntry<R> {
  readonly file: string
  readonly name: string
  readonly render: RenderFunction<R>
  readonly redirectTo: Setting<R> | null
  readonly flashAlert: Setting<R> | null
  readonly status: 403 | 404
}

// Forms

/** A validation of a field. `data/forms/validators` has all kinds. Validations are in the order of the file. */
export interface ValidationDef<R> {
  readonly kind: string
  /** The configured options without the options below. Empty when the rule is only switched on. */
  readonly options: Readonly<Record<string, Setting<R>>>
  readonly message: Setting<R> | null
  /** The condition. The rule applies only when the condition prints `true`. It can use `form`. */
  readonly if: Setting<R> | null
  readonly allowNil: boolean
  readonly allowBlank: boolean
  readonly on: 'create' | 'update' | null
}

/** A field of a form. */
export interface FieldDef<R> {
  readonly name: string
  /** The declared type of a property or a built-in attribute; `string` for a virtual field. */
  readonly type: PropertyType
  /** Whether the property requires coordinates (`PropertyDef.located`). */
  readonly located?: true
  /** Whether the value is read and validated but never stored. */
  readonly virtual: boolean
  /** Whether input is ignored. The stored value or the default is used instead. */
  readonly readonly: boolean
  /** The value when nothing was sent and nothing is stored. */
  readonly default: Setting<R> | null
  readonly validations: readonly ValidationDef<R>[]
  /** The options as declared. Templates read them as `form.fields.NAME.property_options`. */
  readonly options: Readonly<Record<string, unknown>>
}

/** The fields of one resource of a form. */
export interface FieldGroup<R> {
  /** Built-in attributes: `email`, `external_id`, `user_id`, … */
  readonly attributes: readonly FieldDef<R>[]
  readonly properties: readonly FieldDef<R>[]
  readonly nested: readonly NestedGroup<R>[]
}

/** A nested resource: `profiles.developer`, `customizations.car`, `custom_images.photo`, … */
export interface NestedGroup<R> {
  readonly kind: 'profiles' | 'customizations' | 'custom_images' | 'custom_attachments' | 'custom_addresses'
  /** The name of the profile type, table, image, attachment or address. */
  readonly name: string
  /** The table of a customization; null for other kinds. */
  readonly table: string | null
  /** Validations of the resource itself. For example, `presence` requires that it is sent. */
  readonly validations: readonly ValidationDef<R>[]
  readonly fields: FieldGroup<R>
}

/**
 * A form configuration. Its template, and the Liquid in its settings, can use `form` and `form_builder`, which are the same object. The
 * template can also use the other arguments of `include_form`.
 */
export interface FormEntry<R> {
  readonly file: string
  /** Logical name. */
  readonly name: string
  readonly resource: 'record' | 'user' | 'profile' | 'session'
  /** The resource as written in the configuration. Templates read it as `form.resource`. */
  readonly resourceName: string
  /**
   * The logical name of the table of records, or the type of the profile. Null for other resources, and when the records may belong to any
   * table.
   */
  readonly table: string | null
  readonly owner: 'anyone' | 'self' | 'creator'
  readonly fields: FieldGroup<R>
  /** Null when the form has no template, or was built with errors. */
  readonly render: RenderFunction<R> | null
  readonly redirectTo: Setting<R> | null
  readonly flashNotice: Setting<R> | null
  readonly flashAlert: Setting<R> | null
  /** JSON text or a map, which is merged into the input. */
  readonly defaultPayload: Setting<R> | null
  readonly callbackActions: Setting<R> | null
  readonly asyncCallback: {
    readonly content: Setting<R>
    /** The delay in minutes. */
    readonly delay: number
    readonly priority: 'low' | 'default' | 'high'
    readonly maxAttempts: number
  } | null
  readonly notifications: {
    readonly emails: readonly string[]
    readonly sms: readonly string[]
    readonly apiCalls: readonly string[]
  }
  readonly policies: readonly string[]
  readonly spamProtection: {
    readonly provider: 'recaptcha_v2' | 'recaptcha_v3' | 'hcaptcha'
    readonly action: string | null
    readonly minimumScore: number
  } | null
  /** When false, the form can be submitted only through the GraphQL argument `form_name`. */
  readonly requestAllowed: boolean
  readonly responseHeaders: Setting<R> | null
  readonly metadata: Setting<R>
}

// Notifications, jobs and migrations

/**
 * The settings that mails, text messages and API calls have in common. Their Liquid can use `form` and `data`, which are the same object.
 */
export interface NotificationEntry<R> {
  readonly file: string
  /** Logical name. */
  readonly name: string
  /** The line numbers of the settings and of the body, by key (`body` for the body). */
  readonly lines: Readonly<Record<string, number>>
  /** When false, the notification is never sent. */
  readonly enabled: boolean
  /** The recipients, as a list or as a text with commas. For an API call, the URL. */
  readonly to: Setting<R> | null
  /** The delay in minutes. */
  readonly delay: Setting<R> | null
  /** The notification is sent only when this prints `true` at the time of sending. Null always sends. */
  readonly triggerCondition: Setting<R> | null
  readonly locale: Setting<R> | null
  readonly metadata: Setting<R>
  /** Renders the body. Null when the file was built with errors. */
  readonly render: RenderFunction<R> | null
}

export interface EmailEntry<R> extends NotificationEntry<R> {
  readonly from: Setting<R> | null
  readonly subject: Setting<R> | null
  readonly replyTo: Setting<R> | null
  readonly cc: Setting<R> | null
  readonly bcc: Setting<R> | null
  /** The name of an existing layout, or a setting that computes the name. */
  readonly layout: string | Setting<R> | null
  /** The attachments, as JSON text or as a map from file names to `{ url, inline }`. */
  readonly attachments: Setting<R> | null
  readonly uniqueArgs: Setting<R> | null
}

export interface SmsEntry<R> extends NotificationEntry<R> {
  /** The text of the message, when it is a setting and not the body of the file. */
  readonly content: Setting<R> | null
}

export interface ApiCallEntry<R> extends NotificationEntry<R> {
  /** An HTTP method, or `post_multipart`, `put_multipart` or `patch_multipart`, in upper or lower case. Null means GET. */
  readonly requestType: Setting<R> | null
  /** The headers, as JSON text or as a map. */
  readonly requestHeaders: Setting<R> | null
  /** Liquid that runs after the response. It can use `response` (status, headers, body) in addition to `form` and `data`. */
  readonly callback: Setting<R> | null
}

/** A unit that `background` can run by name: a partial, or the body of a block `background`. */
export interface JobEntry<R> {
  readonly file: string
  /** Null when the unit was built with errors. */
  readonly render: RenderFunction<R> | null
}

/** A template that runs once for each database. */
export interface MigrationEntry<R> {
  readonly file: string
  /** The name of the file without its extension, such as `20260131120000_name`, with the prefix of its module. */
  readonly name: string
  /** The timestamp of the migration, as `YYYYMMDDhhmmss`. */
  readonly timestamp: string
  readonly render: RenderFunction<R> | null
}

export interface SiteOptions<R> {
  /** The setting `liquid_raise_mode`: an error ends the request, instead of being printed. */
  readonly raise: boolean
  /**
   * Whether the site explicitly sets `liquid_raise_mode` to true. A failing query then also ends the request. Otherwise its result contains
   * `errors`.
   */
  readonly raiseQueries?: boolean
  readonly htmlFormatExactMatch: boolean
  readonly redirectTrailingSlash: boolean
  readonly safeTranslate: boolean
  /** The functions that print values in HTML, when the site sanitizes its output instead of escaping it. */
  readonly clean?: { readonly text: (value: unknown) => string; readonly attribute: (value: unknown) => string }
  readonly defaultLayout: string
  readonly cookiesSameSite: 'Lax' | 'Strict' | 'None'
  readonly themeSearchPaths: readonly Setting<R>[]
  /** Whether the redirect of a violated policy gets `return_to=<path>`; the setting `do_not_add_return_to_to_authorization_policies`. */
  readonly policyReturnTo?: boolean
  /** The setting `migrations_strict`: a failing migration of a module is treated like a failing migration of the application. */
  readonly migrationsStrict: boolean
  /** The settings `websockets_require_csrf_token` and `websockets_require_subscribed_partial`; absent when both are true. */
  readonly sockets?: { readonly requireToken: boolean; readonly requireSubscribed: boolean }
  /** The setting `require_table_for_record_delete_mutation`. */
  readonly requireTableForDelete: boolean
  /** The setting `graphql_argument_type_mismatch_mode`. */
  readonly argumentMismatch: 'error' | 'warning' | 'ignore'
  /** Whether the site explicitly sets `graphql_argument_type_mismatch_mode`. Otherwise a single value is also accepted for a list. */
  readonly argumentMismatchWritten?: boolean
  readonly maintenance: { readonly enabled: boolean; readonly passwordConstant: string; readonly partial: string }
  /** Where the studio is served outside of development, and the policy that guards it. Absent when it is off. */
  readonly studio?: { readonly path: string; readonly policy: string }
}

/** The declared type of a property. A property that is declared as `text` has the type `string`. */
export type PropertyType =
  | 'string'
  | 'integer'
  | 'float'
  | 'decimal'
  | 'datetime'
  | 'time'
  | 'date'
  | 'binary'
  | 'boolean'
  | 'array'
  | 'address'
  | 'file'
  | 'photo'
  | 'geojson'
  | 'upload'

export interface PropertyDef {
  readonly name: string
  readonly type: PropertyType
  /** Set when the site declares the type as `text`, the older name of `string`. */
  readonly text?: true
  /** Set when the property is stored in the column of records that has its name, and not among the properties. */
  readonly column?: true
  /** The default value as plain data; null when none is declared. */
  readonly default: unknown
  readonly belongsTo: string | null
  /** The declared options of an upload property; null for other types. */
  readonly options: Readonly<Record<string, unknown>> | null
  /** Set when a point of `geojson` must have coordinates. Otherwise the coordinates may be null. */
  readonly located?: true
  /** Data of the site that Ingot does not interpret. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface TableDef {
  /** The name, including the prefix of its module. */
  readonly name: string
  /** Path of the YAML file. */
  readonly file: string
  readonly properties: readonly PropertyDef[]
  /** Data of the site that Ingot does not interpret. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A field of the documents of a search index. */
export interface SearchField {
  /** The name in queries, such as `author.name`. */
  readonly name: string
  /** The path of the values in a document. Several fields may use the same path. */
  readonly path: readonly string[]
  /** The type of the values. A `text` is searched by words, and a `keyword` is compared as a whole. */
  readonly type: 'keyword' | 'text' | 'date' | 'integer' | 'float' | 'boolean'
}

/** The declared fields of a search index. Other fields of its documents have the types that they have as JSON. */
export interface SearchIndexDef {
  readonly name: string
  readonly fields: readonly SearchField[]
}

/** The data that the site declares: its tables, properties and search indexes. */
export interface DataSchema {
  readonly tables: readonly TableDef[]
  /** The properties of users (`user.yml`). */
  readonly user: readonly PropertyDef[]
  /** The types of profiles by name. Every user has the profile `default`, even when no file declares it. */
  readonly profiles: readonly TableDef[]
  /** The declared search indexes. Search indexes need no declaration, so this is absent when there is none. */
  readonly searchIndexes?: readonly SearchIndexDef[]
}

/** A stored GraphQL operation. */
export interface OperationEntry {
  readonly file: string
  readonly document: string
}

/** A key of an index. Keys are in order. */
export type IndexKey =
  | {
      readonly column: 'id' | 'user_id' | 'external_id' | 'created_at' | 'updated_at' | 'deleted_at'
      readonly order: 'asc' | 'desc'
    }
  /**
   * `as`: the form in which the index stores the value. `text` and `match` store its beginning, null and the empty text
   * when it is missing.
   */
  | {
      readonly property: string
      readonly as: 'text' | 'match' | 'number' | 'boolean' | 'time' | 'json'
      readonly order: 'asc' | 'desc'
    }

/** An index that stored queries need. Equal specifications share one index. */
export interface IndexSpec {
  /** The logical name of the table; null for users. */
  readonly table: string | null
  /** The kind of the index. `trigram` finds substrings, and `gin` finds elements of arrays. Both have only one key. */
  readonly method: 'btree' | 'gin' | 'trigram'
  /** Whether the index contains only rows that are not deleted. */
  readonly alive: boolean
  readonly keys: readonly IndexKey[]
}

/** A partial or a `lib` file, with the data for `admin_liquid_partials`. */
export interface PartialEntry<R> {
  readonly file: string
  readonly name: string
  readonly format: Format | null
  readonly metadata: Setting<R>
}

/** A file that is served unchanged. */
export interface AssetEntry {
  /** The path of the source file, relative to the site's root. */
  readonly file: string
  /** The version in the URLs of the file. It changes whenever the content changes. Empty when the version is not known. */
  readonly stamp: string
  /**
   * The SHA-256 digest of the content in hexadecimal digits. It is the name of the file in the folder `assets` of the build. Null in
   * development, where the site's own file is served.
   */
  readonly digest: string | null
  /** The size in bytes. */
  readonly size: number
  /** The encodings of the compressed copies in the build. Their names end with `.br` and `.gz`. */
  readonly encodings: readonly AssetEncoding[]
}

type AssetEncoding = 'br' | 'gzip'

export interface CompiledSite<R> {
  readonly abi: number
  /** The version of the compiler that built the site. */
  readonly builtBy: string
  readonly dialect: 'platform' | 'liquid'
  readonly options: SiteOptions<R>
  readonly pages: readonly PageEntry<R>[]
  readonly layouts: Readonly<Record<string, LayoutEntry<R>>>
  readonly policies: Readonly<Record<string, PolicyEntry<R>>>
  /** The form configurations by logical name. */
  readonly forms: Readonly<Record<string, FormEntry<R>>>
  readonly emails: Readonly<Record<string, EmailEntry<R>>>
  readonly smses: Readonly<Record<string, SmsEntry<R>>>
  readonly apiCalls: Readonly<Record<string, ApiCallEntry<R>>>
  /**
   * The units of `background` by name. A partial has its logical name. The n-th block of a file (from 1) has the name
   * `<file>#background:<n>`.
   */
  readonly jobs: Readonly<Record<string, JobEntry<R>>>
  /** The migrations, in the order of their timestamps, and then of their names. */
  readonly migrations: readonly MigrationEntry<R>[]
  /** A digest of all templates and translations, as 16 hexadecimal digits. It changes with any of them. */
  readonly fingerprint: string
  /** The units that can be called with a computed name, by logical name. */
  readonly partials: Readonly<Record<string, CallableUnit<R>>>
  /** The translations: nested keys by locale. The keys of a module are below `modules/<name>`. */
  readonly translations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Assets by their URL paths below `/assets/`. */
  readonly assets: Readonly<Record<string, AssetEntry>>
  readonly data: DataSchema
  /** Stored GraphQL operations by logical name. */
  readonly operations: Readonly<Record<string, OperationEntry>>
  /** The indexes that the stored and inline operations need, without duplicates and in a stable order. */
  readonly indexes: readonly IndexSpec[]
  /** Every partial and `lib` file, in the order of paths. */
  readonly partialFiles: readonly PartialEntry<R>[]
}
