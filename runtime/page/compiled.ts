/** The shape of an emitted site, over the render `R` that its functions take. `site.ts` names it for the one render there is. */

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

/** A unit's render face: prints. Asynchronous only where the unit reaches a port. */
export type RenderFace<R> = (r: R, scope: Scope) => string | Promise<string>

/** A unit's value face (`function`): gives what `return` gave, null without one. */
export type ValueFace<R> = (r: R, scope: Scope) => unknown

/** A unit's open shared face (`include` of a computed name): reads and writes the caller's names in `scope`. */
export type SharedFace<R> = (r: R, scope: Scope) => string | Promise<string>

/** A unit's face for a byte sink: writes UTF-8 into `sink` from `at` and gives the offset behind the last byte. */
export type BytesFace<R> = (r: R, scope: Scope, sink: Uint8Array, at: number) => number

/** A unit that can be named at run time. A face is null where nothing can reach it, or the unit was built with errors. */
export interface OpenUnit<R> {
  /** Path of the template. */
  readonly file: string
  readonly render: RenderFace<R> | null
  readonly value: ValueFace<R> | null
  readonly shared: SharedFace<R> | null
  readonly bytes?: BytesFace<R>
}

/** One segment of a route: `static`, `:name`, `*name`, or an optional group of segments. */
export type RouteSegment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'splat'; readonly name: string }
  | { readonly kind: 'optional'; readonly segments: readonly RouteSegment[] }

/** A value of the front matter: plain data, or Liquid that is rendered when it is asked for. */
export type Setting<R> =
  | { readonly kind: 'plain'; readonly value: unknown }
  | { readonly kind: 'liquid'; readonly render: RenderFace<R> }
  | { readonly kind: 'list'; readonly items: readonly Setting<R>[] }
  | { readonly kind: 'map'; readonly entries: Readonly<Record<string, Setting<R>>> }

/** Settings of a page that reach the server as its front matter says them: the compiler reads them into this type and copies them into the manifest. */
export interface PlainPageSettings {
  /** Seconds. */
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
  /** Smaller wins. Ties: who leaves fewer segments of the path over, then the order of this list. */
  readonly precedence: number
  /** How many segments of a path may follow those of the route (`slug_exact_match`, `max_deep_level`); null for any number. */
  readonly surplus: number | null
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options'
  readonly format: Format
  /** Name of the layout to use; null for none. Already resolved: a default layout that does not exist is null. */
  readonly layout: string | null
  readonly render: RenderFace<R>
  readonly bytes?: BytesFace<R>
  /** Body is Markdown: the rendered text passes `services.markdown` of the host before the layout; `.md` asks for it unconverted. */
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
  readonly render: RenderFace<R>
}

export interface PolicyEntry<R> {
  readonly file: string
  readonly name: string
  readonly render: RenderFace<R>
  readonly redirectTo: Setting<R> | null
  readonly flashAlert: Setting<R> | null
  readonly status: 403 | 404
}

// ---- forms --------------------------------------------------------------------------------------------------------------

/** One rule of a field, in the order of the file. Its kind is one of the registry in `data/forms/validators`. */
export interface ValidationDef<R> {
  readonly kind: string
  /** As configured, without those below; a rule that is only switched on has none. */
  readonly options: Readonly<Record<string, Setting<R>>>
  readonly message: Setting<R> | null
  /** The rule counts only where this prints `true`; sees `form`. */
  readonly if: Setting<R> | null
  readonly allowNil: boolean
  readonly allowBlank: boolean
  readonly on: 'create' | 'update' | null
}

/** A value that a form accepts. */
export interface FieldDef<R> {
  readonly name: string
  /** The declared type of a property, that of a built-in attribute, `string` for what is virtual. */
  readonly type: PropertyType
  /** Its value is read and checked, and never stored. */
  readonly virtual: boolean
  /** What is sent is ignored: the stored value or the default counts. */
  readonly readonly: boolean
  /** Where nothing is sent and nothing is stored. */
  readonly default: Setting<R> | null
  readonly validations: readonly ValidationDef<R>[]
  /** As configured, for `form.fields.x.property_options`. */
  readonly options: Readonly<Record<string, unknown>>
}

/** What a form accepts of one resource. */
export interface FieldGroup<R> {
  /** Built-in ones: `email`, `external_id`, `user_id`, … */
  readonly attributes: readonly FieldDef<R>[]
  readonly properties: readonly FieldDef<R>[]
  readonly nested: readonly NestedGroup<R>[]
}

/** A resource below another: `profiles.developer`, `customizations.car`, `custom_images.photo`, … */
export interface NestedGroup<R> {
  readonly kind: 'profiles' | 'customizations' | 'custom_images' | 'custom_attachments' | 'custom_addresses'
  /** Name of the profile type, of the table, or of the image, attachment or address. */
  readonly name: string
  /** Table of a customization, else null. */
  readonly table: string | null
  /** Of the group itself: `presence` says that it must be sent. */
  readonly validations: readonly ValidationDef<R>[]
  readonly fields: FieldGroup<R>
}

/**
 * A form configuration. Its template and the Liquid in its settings are rendered with a scope of `form`, `form_builder` (the same
 * object) and, in the template, the further arguments of `include_form`.
 */
export interface FormEntry<R> {
  readonly file: string
  /** Logical name. */
  readonly name: string
  readonly resource: 'record' | 'user' | 'profile' | 'session'
  /** As written, for `form.resource`. */
  readonly resourceName: string
  /** Logical name of the table of records, or the type of a profile; null for the others, and for records of any table. */
  readonly table: string | null
  readonly owner: 'anyone' | 'self' | 'creator'
  readonly fields: FieldGroup<R>
  /** Null without a template, and where the form was built with errors. */
  readonly render: RenderFace<R> | null
  readonly redirectTo: Setting<R> | null
  readonly flashNotice: Setting<R> | null
  readonly flashAlert: Setting<R> | null
  /** Text of JSON, or a map; merged over what is sent. */
  readonly defaultPayload: Setting<R> | null
  readonly callbackActions: Setting<R> | null
  readonly asyncCallback: {
    readonly content: Setting<R>
    /** Minutes. */
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
  /** False: reached by GraphQL's `form_name` only. */
  readonly requestAllowed: boolean
  readonly responseHeaders: Setting<R> | null
  readonly metadata: Setting<R>
}

// ---- what happens beside the answer -------------------------------------------------------------------------------------

/** What mails, texts and API calls have in common. Their Liquid sees `form` and `data`, the same object. */
export interface NotificationEntry<R> {
  readonly file: string
  /** Logical name. */
  readonly name: string
  /** Lines of its settings by their keys, and of its `body`. */
  readonly lines: Readonly<Record<string, number>>
  /** False: never sent. */
  readonly enabled: boolean
  /** Text, a comma-separated list. Of an API call: the URL. */
  readonly to: Setting<R> | null
  /** Minutes. */
  readonly delay: Setting<R> | null
  /** Sent only where this gives `true`, when its time has come; null always. */
  readonly triggerCondition: Setting<R> | null
  readonly locale: Setting<R> | null
  readonly metadata: Setting<R>
  /** The body. Null where the file was built with errors. */
  readonly render: RenderFace<R> | null
}

export interface EmailEntry<R> extends NotificationEntry<R> {
  readonly from: Setting<R> | null
  readonly subject: Setting<R> | null
  readonly replyTo: Setting<R> | null
  readonly cc: Setting<R> | null
  readonly bcc: Setting<R> | null
  /** Name of a layout that there is, or what says the name when the mail is sent. */
  readonly layout: string | Setting<R> | null
  /** Text of JSON, or a map: file name → `{ url, inline }`. */
  readonly attachments: Setting<R> | null
  readonly uniqueArgs: Setting<R> | null
}

export interface SmsEntry<R> extends NotificationEntry<R> {
  /** The text, where the body is not it. */
  readonly content: Setting<R> | null
}

export interface ApiCallEntry<R> extends NotificationEntry<R> {
  /** A method, or `post_multipart`, `put_multipart`, `patch_multipart`, in any case; null for GET. */
  readonly requestType: Setting<R> | null
  /** Text of a JSON object, or a map. */
  readonly requestHeaders: Setting<R> | null
  /** Rendered with `response` { status, headers, body } beside `form` and `data`. */
  readonly callback: Setting<R> | null
}

/** What `background` can run by its name: a partial, or the body of a block. */
export interface JobEntry<R> {
  readonly file: string
  /** Null where it was built with errors. */
  readonly render: RenderFace<R> | null
}

/** A template that runs once in the life of a database. */
export interface MigrationEntry<R> {
  readonly file: string
  /** Name of the file without its extension: `20260131120000_name`, with the prefix of its module. */
  readonly name: string
  /** `YYYYMMDDhhmmss`. */
  readonly timestamp: string
  readonly render: RenderFace<R> | null
}

export interface SiteOptions<R> {
  /** `liquid_raise_mode`: an error ends the request instead of being printed in place. */
  readonly raise: boolean
  /** `liquid_raise_mode` is written as true: a query that fails ends the request too. Else its result has `errors`. */
  readonly raiseQueries?: boolean
  readonly htmlFormatExactMatch: boolean
  readonly redirectTrailingSlash: boolean
  readonly safeTranslate: boolean
  /** What `{{ }}` prints with in HTML where the site sanitises in place of escaping. */
  readonly clean?: { readonly text: (v: unknown) => string; readonly attribute: (v: unknown) => string }
  readonly defaultLayout: string
  readonly cookiesSameSite: 'Lax' | 'Strict' | 'None'
  readonly themeSearchPaths: readonly Setting<R>[]
  /** A violated policy that redirects adds `return_to=<path>`; false by `do_not_add_return_to_to_authorization_policies`. */
  readonly policyReturnTo?: boolean
  /** `migrations_strict`: a failing migration of a module counts as one of the app. */
  readonly migrationsStrict: boolean
  /** `require_table_for_record_delete_mutation`. */
  readonly requireTableForDelete: boolean
  /** `graphql_argument_type_mismatch_mode`. */
  readonly argumentMismatch: 'error' | 'warning' | 'ignore'
  /** Whether the site says so itself: else a single value stands for a list of one. */
  readonly argumentMismatchWritten?: boolean
  readonly maintenance: { readonly enabled: boolean; readonly passwordConstant: string; readonly partial: string }
}

/** Declared type of a property; `text` is read as `string`. */
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
  /** It is the record's own column of the same name, and nothing of it is stored among the properties. Absent where it is not. */
  readonly column?: true
  /** Plain data; null where none is declared. */
  readonly default: unknown
  readonly belongsTo: string | null
  /** Of uploads, as declared. */
  readonly options: Readonly<Record<string, unknown>> | null
}

export interface TableDef {
  /** With the prefix of its module. */
  readonly name: string
  /** Path of the YAML file. */
  readonly file: string
  readonly properties: readonly PropertyDef[]
}

/** A field of the documents of a search index. */
export interface SearchField {
  /** As queries name it: `author.name`. */
  readonly name: string
  /** Where its values stand: more than one field may be made of one place. */
  readonly path: readonly string[]
  /** `text` is searched by its words, `keyword` is compared as a whole. */
  readonly type: 'keyword' | 'text' | 'date' | 'integer' | 'float' | 'boolean'
}

/** The types of the fields of a search index; other fields of its documents have those of their JSON. */
export interface SearchIndexDef {
  readonly name: string
  readonly fields: readonly SearchField[]
}

/** What a site declares about its data. */
export interface DataSchema {
  readonly tables: readonly TableDef[]
  /** Properties of every user (`user.yml`). */
  readonly user: readonly PropertyDef[]
  /** Profile schemas by name; `default` exists for every user also where no file declares it. */
  readonly profiles: readonly TableDef[]
  /** Absent where the site says nothing of its search indexes, which need no declaration. */
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
  /** `as`: the form of the value that the index holds. `text` and `match` are its start, null and empty where it is missing. */
  | {
      readonly property: string
      readonly as: 'text' | 'match' | 'number' | 'boolean' | 'time' | 'json'
      readonly order: 'asc' | 'desc'
    }

/** An index that stored queries need. Equal specs are one index. */
export interface IndexSpec {
  /** Logical name of the table; null for users. */
  readonly table: string | null
  /** `trigram`: substrings; `gin`: elements of arrays. Both have one key. */
  readonly method: 'btree' | 'gin' | 'trigram'
  /** Holds living rows only. */
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
  /** What `background` names: logical names of partials, and `<file>#background:<n>` for the n-th block of a file, from 1. */
  readonly jobs: Readonly<Record<string, JobEntry<R>>>
  /** In the order of their timestamps, then of their names. */
  readonly migrations: readonly MigrationEntry<R>[]
  /** 16 hexadecimal digits of a hash over all templates and translations: equal for equal sites, other when any changed. */
  readonly fingerprint: string
  /** Units that a computed name can mean, by logical name. */
  readonly partials: Readonly<Record<string, OpenUnit<R>>>
  /** Locale → nested keys; a module's keys stand below `modules/<name>`. */
  readonly translations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Asset path as in the URL below `/assets/` → path of the file relative to the site's root. */
  readonly assets: Readonly<Record<string, string>>
  /** The assets of those whose text the build has made, in the same way → path below the folder of the build. */
  readonly builtAssets: Readonly<Record<string, string>>
  /** One number for all assets, bumped when any changes (seconds since the epoch of the newest). */
  readonly assetsUpdated: number
  readonly data: DataSchema
  /** Stored GraphQL operations by logical name. */
  readonly operations: Readonly<Record<string, OperationEntry>>
  /** What the stored and inline operations need, each once, in a stable order. */
  readonly indexes: readonly IndexSpec[]
  /** Every partial and `lib` file, in path order. */
  readonly partialFiles: readonly PartialEntry<R>[]
}
