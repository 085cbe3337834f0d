/** The facts about the compiled site that queries can read. */

/**
 * The data of `admin_*` fields, which the server reads from the compiled site. All items have `id` (a text that depends
 * only on the file), `created_at` and `updated_at` (in the format of `JSONDate`); those of files also have
 * `physical_file_path`, `metadata` (`{}` by default) and `manually_managed` (false). The contents of files are
 * functions, possibly asynchronous, which are called only when a query selects or compares them. Missing keys count as
 * null.
 */
export interface SiteFacts {
  /**
   * Fields of a page: `slug`, `format`, `request_method`, `handler` (`liquid`, `markdown`), `layout` and its old name `layout_name`,
   * `content()`, `html_content()`, `content_updated_at`, `searchable`, `max_deep_level`, `redirect_to`, `redirect_code`, `subdomain`,
   * `static_cache_expire`, `dynamic_cache_key`, `dynamic_cache_expire`, `dynamic_cache_layout`, `response_headers`, `policies`
   * (names, for filters) and `authorization_policies()`: items with `name`, `content()`, `flash_alert`, `redirect_to`,
   * `http_status` and `authorization_policy_associations` (`[]`).
   */
  pages(): Promise<readonly SiteItem[]>
  /** Returns the partials and the files of `lib`, with `path` (the name that calls use), `format` and `body()`. */
  partials(): Promise<readonly SiteItem[]>
  /** Returns the assets, with `name` (path below `assets/`), `url`, `content_type`, and `file_size` in bytes. */
  assets(): Promise<readonly SiteItem[]>
  /**
   * Returns the tables, with `name`, `parameterized_name`, `properties` and its old name `fields` (as in `userSchema`), and `records_count_rc()`
   * (the number of rows that are not deleted).
   */
  tables(): Promise<readonly SiteItem[]>
  /**
   * Returns the properties of users, with `name`, `attribute_type`, `default_value` (text), `belongs_to`, `options`, `target_id` and `target_type`
   * (`Table`, `User`).
   */
  userSchema(): readonly SiteItem[]
  /** Returns the authorization policies, with the same fields as `authorization_policies` of a page. */
  policies(): Promise<readonly SiteItem[]>
  /** Returns the layouts, with `path`, `format` and `body()`. */
  layouts(): Promise<readonly SiteItem[]>
  /** Returns the stored queries, with `name` and `query_string`. */
  operations(): Promise<readonly SiteItem[]>
  /** Returns the types of profiles, with `name`, `parameterized_name`, `properties` and its old name `fields`. */
  profileSchemas(): Promise<readonly SiteItem[]>
  /**
   * Forms, or the notifications that they send, with their settings as written. The fields are those of the GraphQL types of the same
   * names.
   */
  formsAndNotifications(kind: 'forms' | 'emails' | 'smses' | 'apiCalls'): Promise<readonly SiteItem[]>
  /**
   * Returns the texts of the site: `key` (`modules/<name>/…` for a module), `locale`, `value`, `file_value`, `set_at`, `is_set`, and `searched` (the
   * value as text, for filters).
   */
  translations(): Promise<readonly SiteItem[]>
  /**
   * Returns the requests and jobs that a server in development has recorded, the newest first. Their fields are those of the GraphQL type
   * `RecordedRequest`, and `job_id` and `queued` (ids of jobs) for filters. Absent where nothing is recorded.
   */
  requests?(): Promise<readonly SiteItem[]>
  /** Returns what the database plans for a query of a recorded request, as plain data; null when it is not known. */
  plan?(request: string, query: number): Promise<object | null>
  /**
   * Returns what the check of a site in development reports, the most severe first. The fields are those of the GraphQL type `Problem`, and `place`,
   * the position in the list. `checked` is false before the first check. Absent where no compiler runs, as in production.
   */
  problems?(): { readonly items: readonly SiteItem[]; readonly checked: boolean }
  /**
   * Returns the stored releases of the site, the newest first. The fields are those of the GraphQL type `SiteRelease`. Null, or absent, where no release
   * is served, as in development.
   */
  releases?(): Promise<readonly SiteItem[] | null>
  /** Returns the installation, with `id`, `name` and `feature_flags` (`{}`). */
  instance(): SiteItem
}

/** An item of a site field, by the field names of its GraphQL type. Functions are called when the field is selected. */
export type SiteItem = Readonly<Record<string, unknown>>
