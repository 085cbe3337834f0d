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

/** Variables of a unit by name. */
export type Scope = Record<string, unknown>

/** Prints a unit. Asynchronous only when the unit uses a port. */
export type RenderFunction<R> = (r: R, scope: Scope) => string | Promise<string>

/** Calls a unit as a `function`: returns the value of `return`, null without one. */
export type ValueFunction<R> = (r: R, scope: Scope) => unknown

/** Includes a unit by a computed name: reads and writes the caller's variables in `scope`. */
export type IncludeFunction<R> = (r: R, scope: Scope) => string | Promise<string>

/** Prints a unit as UTF-8 bytes into `sink` from an offset, and returns the offset after the last byte. */
export type RenderBytesFunction<R> = (r: R, scope: Scope, sink: Uint8Array, at: number) => number

/**
 * A unit that can be called by a computed name. A function is null when nothing can call it, or the unit was built with
 * errors.
 */
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

/** Page settings that the compiler passes to the server unchanged. */
export interface PlainPageSettings {
  /** In seconds. */
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
  /** Smaller values win. In a tie, the route that leaves fewer segments over wins, then the order of this list. */
  readonly precedence: number
  /** Maximum number of segments that may follow those of the route (`slug_exact_match`, `max_deep_level`); null for any number. */
  readonly surplus: number | null
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
  readonly format: Format
  /** Name of the layout to use; null for none. Already resolved: a default layout that does not exist is null. */
  readonly layout: string | null
  /**
   * Computes the name of the layout for each request. Absent when `layout` is known at build time. `mayMiss`:
   * whether the page is shown without a layout when the computed one does not exist.
   */
  readonly computedLayout?: { readonly name: Setting<R>; readonly mayMiss: boolean }
  readonly render: RenderFunction<R>
  readonly bytes?: RenderBytesFunction<R>
  /** The body is Markdown: the rendered text is converted before the layout; `.md` requests it unconverted. */
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

/** A validation of a field, in the order of the file. Its kind is registered in `data/forms/validators`. */
export interface ValidationDef<R> {
  readonly kind: string
  /** The configured options, except those below; empty for a rule that is only switched on. */
  readonly options: Readonly<Record<string, Setting<R>>>
  readonly message: Setting<R> | null
  /** The rule applies only when this prints `true`; it can use `form`. */
  readonly if: Setting<R> | null
  readonly allowNil: boolean
  readonly allowBlank: boolean
  readonly on: 'create' | 'update' | null
}

/** A value that a form accepts. */
export interface FieldDef<R> {
  readonly name: string
  /** The declared type of a property or a built-in attribute; `string` for a virtual field. */
  readonly type: PropertyType
  /** Whether the property requires coordinates (`PropertyDef.located`). */
  readonly located?: true
  /** The value is read and validated but never stored. */
  readonly virtual: boolean
  /** Input is ignored; the stored value or the default is used. */
  readonly readonly: boolean
  /** Used when nothing was sent and nothing is stored. */
  readonly default: Setting<R> | null
  readonly validations: readonly ValidationDef<R>[]
  /** As declared; available as `form.fields.x.property_options`. */
  readonly options: Readonly<Record<string, unknown>>
}

/** The fields of one resource in a form. */
export interface FieldGroup<R> {
  /** Built-in attributes: `email`, `external_id`, `user_id`, … */
  readonly attributes: readonly FieldDef<R>[]
  readonly properties: readonly FieldDef<R>[]
  readonly nested: readonly NestedGroup<R>[]
}

/** A nested resource: `profiles.developer`, `customizations.car`, `custom_images.photo`, … */
export interface NestedGroup<R> {
  readonly kind: 'profiles' | 'customizations' | 'custom_images' | 'custom_attachments' | 'custom_addresses'
  /** Name of the profile type, the table, the image, the attachment or the address. */
  readonly name: string
  /** Table of a customization, otherwise null. */
  readonly table: string | null
  /** Validations of the group itself: `presence` requires it to be sent. */
  readonly validations: readonly ValidationDef<R>[]
  readonly fields: FieldGroup<R>
}

/**
 * A form configuration. Its template and the Liquid in its settings see `form` and `form_builder` (the same object);
 * the template also sees the other arguments of `include_form`.
 */
export interface FormEntry<R> {
  readonly file: string
  /** Logical name. */
  readonly name: string
  readonly resource: 'record' | 'user' | 'profile' | 'session'
  /** As written; available as `form.resource`. */
  readonly resourceName: string
  /**
   * Logical name of the table of records, or the type of a profile; null for other resources, and for records of any
   * table.
   */
  readonly table: string | null
  readonly owner: 'anyone' | 'self' | 'creator'
  readonly fields: FieldGroup<R>
  /** Null without a template, and when the form was built with errors. */
  readonly render: RenderFunction<R> | null
  readonly redirectTo: Setting<R> | null
  readonly flashNotice: Setting<R> | null
  readonly flashAlert: Setting<R> | null
  /** JSON text or a map, which is merged over the input. */
  readonly defaultPayload: Setting<R> | null
  readonly callbackActions: Setting<R> | null
  readonly asyncCallback: {
    readonly content: Setting<R>
    /** In minutes. */
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
  /** When false, the form can only be submitted through GraphQL's `form_name`. */
  readonly requestAllowed: boolean
  readonly responseHeaders: Setting<R> | null
  readonly metadata: Setting<R>
}

// Notifications, jobs and migrations

/** The common part of mails, text messages and API calls. Their Liquid sees `form` and `data`, the same object. */
export interface NotificationEntry<R> {
  readonly file: string
  /** Logical name. */
  readonly name: string
  /** Line numbers of its settings by key, and of its `body`. */
  readonly lines: Readonly<Record<string, number>>
  /** When false, it is never sent. */
  readonly enabled: boolean
  /** A text or comma-separated list of recipients; for an API call the URL. */
  readonly to: Setting<R> | null
  /** In minutes. */
  readonly delay: Setting<R> | null
  /** Sent only when this evaluates to `true` at the time of sending; null sends always. */
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
  /** Name of an existing layout, or a setting that computes it. */
  readonly layout: string | Setting<R> | null
  /** JSON text or a map: file name → `{ url, inline }`. */
  readonly attachments: Setting<R> | null
  readonly uniqueArgs: Setting<R> | null
}

export interface SmsEntry<R> extends NotificationEntry<R> {
  /** The text, when it is not the body. */
  readonly content: Setting<R> | null
}

export interface ApiCallEntry<R> extends NotificationEntry<R> {
  /** A method, or `post_multipart`, `put_multipart`, `patch_multipart`, in upper or lower case; null for GET. */
  readonly requestType: Setting<R> | null
  /** JSON text of an object, or a map. */
  readonly requestHeaders: Setting<R> | null
  /** Reads `response` { status, headers, body } in addition to `form` and `data`. */
  readonly callback: Setting<R> | null
}

/** A unit that `background` can run by name: a partial, or the body of a block. */
export interface JobEntry<R> {
  readonly file: string
  /** Null when it was built with errors. */
  readonly render: RenderFunction<R> | null
}

/** A template that runs once for each database. */
export interface MigrationEntry<R> {
  readonly file: string
  /** Name of the file without its extension: `20260131120000_name`, with the prefix of its module. */
  readonly name: string
  /** `YYYYMMDDhhmmss`. */
  readonly timestamp: string
  readonly render: RenderFunction<R> | null
}

export interface SiteOptions<R> {
  /** `liquid_raise_mode`: an error ends the request instead of being printed. */
  readonly raise: boolean
  /**
   * `liquid_raise_mode` is set to true explicitly: a failing query ends the request too. Otherwise its result contains
   * `errors`.
   */
  readonly raiseQueries?: boolean
  readonly htmlFormatExactMatch: boolean
  readonly redirectTrailingSlash: boolean
  readonly safeTranslate: boolean
  /** The output functions for HTML of a site that sanitizes instead of escaping. */
  readonly clean?: { readonly text: (value: unknown) => string; readonly attribute: (value: unknown) => string }
  readonly defaultLayout: string
  readonly cookiesSameSite: 'Lax' | 'Strict' | 'None'
  readonly themeSearchPaths: readonly Setting<R>[]
  /**
   * The redirect of a violated policy gets `return_to=<path>`; false by
   * `do_not_add_return_to_to_authorization_policies`.
   */
  readonly policyReturnTo?: boolean
  /** `migrations_strict`: a failing migration of a module is treated like one of the app. */
  readonly migrationsStrict: boolean
  /** `require_table_for_record_delete_mutation`. */
  readonly requireTableForDelete: boolean
  /** `graphql_argument_type_mismatch_mode`. */
  readonly argumentMismatch: 'error' | 'warning' | 'ignore'
  /** Whether the site sets it explicitly; otherwise a single value is accepted for a list. */
  readonly argumentMismatchWritten?: boolean
  readonly maintenance: { readonly enabled: boolean; readonly passwordConstant: string; readonly partial: string }
}

/** Declared type of a property; `text` is stored as `string`. */
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
  /** The site calls the type `string` by its older name, `text`. */
  readonly text?: true
  /** The property is stored in the record's column of the same name instead of among the properties. */
  readonly column?: true
  /** Plain data; null where none is declared. */
  readonly default: unknown
  readonly belongsTo: string | null
  /** Declared options of an upload. */
  readonly options: Readonly<Record<string, unknown>> | null
  /** A point of `geojson` needs coordinates; otherwise they may be null. */
  readonly located?: true
  /** Free data of the site. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface TableDef {
  /** The name, including the prefix of its module. */
  readonly name: string
  /** Path of the YAML file. */
  readonly file: string
  readonly properties: readonly PropertyDef[]
  /** Free data of the site. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A field of the documents of a search index. */
export interface SearchField {
  /** As queries name it: `author.name`. */
  readonly name: string
  /** Where its values are in a document; several fields may use the same path. */
  readonly path: readonly string[]
  /** `text` is searched by words, `keyword` is compared as a whole. */
  readonly type: 'keyword' | 'text' | 'date' | 'integer' | 'float' | 'boolean'
}

/** The declared fields of a search index; other fields of its documents have the types of their JSON. */
export interface SearchIndexDef {
  readonly name: string
  readonly fields: readonly SearchField[]
}

/** The site's declarations of its data. */
export interface DataSchema {
  readonly tables: readonly TableDef[]
  /** Properties of every user (`user.yml`). */
  readonly user: readonly PropertyDef[]
  /** Profile schemas by name; `default` exists for every user even when no file declares it. */
  readonly profiles: readonly TableDef[]
  /** Absent when the site declares no search indexes; they need no declaration. */
  readonly searchIndexes?: readonly SearchIndexDef[]
}

/** A stored GraphQL operation. */
export interface OperationEntry {
  readonly file: string
  readonly document: string
}

/** One column of an index, in order. */
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
  /** Logical name of the table; null for users. */
  readonly table: string | null
  /** `trigram`: substrings; `gin`: elements of arrays. Both have one key. */
  readonly method: 'btree' | 'gin' | 'trigram'
  /** Whether it contains only rows that are not deleted. */
  readonly alive: boolean
  readonly keys: readonly IndexKey[]
}

/** A partial or `lib` file, as `admin_liquid_partials` lists it. */
export interface PartialEntry<R> {
  readonly file: string
  readonly name: string
  readonly format: Format | null
  readonly metadata: Setting<R>
}

/** A file that is served unchanged. */
export interface AssetEntry {
  /** Path of its source file, relative to the site's root. */
  readonly file: string
  /** The version in its URLs. It changes whenever the content changes. Empty when it is not known. */
  readonly stamp: string
  /**
   * SHA-256 of the content in hexadecimal digits: the name of the file in the build's folder `assets`. Null in
   * development, where the site's own file is served.
   */
  readonly digest: string | null
  /** Bytes. */
  readonly size: number
  /** Compressed copies that the build also holds, with the endings `.br` and `.gz`. */
  readonly encodings: readonly AssetEncoding[]
}

type AssetEncoding = 'br' | 'gzip'

export interface CompiledSite<R> {
  readonly abi: number
  /** Version of the compiler that built it. */
  readonly builtBy: string
  readonly dialect: 'platform' | 'liquid'
  readonly options: SiteOptions<R>
  readonly pages: readonly PageEntry<R>[]
  readonly layouts: Readonly<Record<string, LayoutEntry<R>>>
  readonly policies: Readonly<Record<string, PolicyEntry<R>>>
  /** Form configurations by logical name. */
  readonly forms: Readonly<Record<string, FormEntry<R>>>
  readonly emails: Readonly<Record<string, EmailEntry<R>>>
  readonly smses: Readonly<Record<string, SmsEntry<R>>>
  readonly apiCalls: Readonly<Record<string, ApiCallEntry<R>>>
  /**
   * Units of `background`: partials by logical name, and `<file>#background:<n>` for the n-th block of a file, from 1.
   */
  readonly jobs: Readonly<Record<string, JobEntry<R>>>
  /** In the order of their timestamps, then of their names. */
  readonly migrations: readonly MigrationEntry<R>[]
  /** 16 hexadecimal digits of a hash over all templates and translations; it changes with any of them. */
  readonly fingerprint: string
  /** Units that can be called by a computed name, by logical name. */
  readonly partials: Readonly<Record<string, CallableUnit<R>>>
  /** Locale → nested keys. A module's keys are below `modules/<name>`. */
  readonly translations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Assets by their URL paths below `/assets/`. */
  readonly assets: Readonly<Record<string, AssetEntry>>
  readonly data: DataSchema
  /** Stored GraphQL operations by logical name. */
  readonly operations: Readonly<Record<string, OperationEntry>>
  /** Indexes that the stored and inline operations need, without duplicates and in a stable order. */
  readonly indexes: readonly IndexSpec[]
  /** Every partial and `lib` file, in path order. */
  readonly partialFiles: readonly PartialEntry<R>[]
}
