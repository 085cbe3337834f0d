/** `app/config.yml`: how the whole site behaves. */
import * as z from 'zod'
import type { ConfigSettings } from '../../core/model/settings.ts'
import { hasLiquid, liquidText } from './liquid-text.ts'
import { searchIndexes } from './search-indexes.ts'
import { anything, type Entries, flag, section, settings, text, word } from './setting.ts'

const maintenanceKeys = {
  enabled: { schema: flag, says: 'Whether the site is closed.', default: false },
  password_constant: {
    schema: text,
    says: 'The constant that holds the password.',
    default: 'MAINTENANCE_PASSWORD',
  },
  partial: { schema: text, says: 'The partial that visitors see.', default: 'maintenance', see: 'partial' },
} as const

const keys = {
  escape_output_instead_of_sanitize: {
    schema: flag,
    says: 'Whether `{{ }}` escapes what it prints in HTML. With `false` it leaves out the elements and attributes that the filter `sanitize` would.',
    default: true,
  },
  liquid_raise_mode: {
    schema: flag,
    says: 'Whether what goes wrong while a template runs ends the request; `false` prints nothing in its place and goes on. A query that fails ends it only where `true` is written here: else its result has `errors`.',
    default: true,
  },
  liquid_check_mode: {
    schema: word('error', 'warning'),
    says: 'Whether a filter that does not exist keeps the site from being built, or is only warned of.',
    default: 'error',
  },
  graphql_argument_type_mismatch_mode: {
    schema: word('error', 'warning', 'ignore'),
    says: 'What becomes of an argument of a query that is not of the type of its variable: `error` fails the query, `warning` logs it and goes on as if it were not given, `ignore` only goes on. Where nothing is written, it is `error`, but a variable of one value may stand where a query takes a list.',
    default: 'error',
  },
  require_table_for_record_delete_mutation: {
    schema: flag,
    says: 'Whether `record_delete` must name the table of the record.',
    default: true,
  },
  safe_translate: { schema: flag, says: 'Whether values that translations interpolate are escaped.', default: true },
  slug_exact_match: {
    schema: flag,
    says: 'Whether a slug must match the whole path. Without it parts may follow, as many as `max_deep_level` of the page allows: `list/show` answers `/list/show/1`, with `slug3` for the last part.',
    default: false,
  },
  html_format_exact_match: {
    schema: flag,
    says: 'Whether pages of the format `html` answer no address with another ending; `.html` itself redirects.',
    default: false,
  },
  redirect_trailing_slash: {
    schema: flag,
    says: 'Whether an address with a slash at its end redirects to the one without.',
    default: false,
  },
  default_layout: {
    schema: text,
    says: 'The layout of pages that name none. Liquid may compute its name.',
    default: 'application',
    see: 'layout',
  },
  string_interpolation: { schema: flag, says: 'Whether `{{ }}` inside of double quotes is rendered.', default: false },
  liquid_add_old_variables: {
    schema: flag,
    says: 'Whether a name that nothing sets means the field of `context` that is called so, as in `{{ params.id }}`. Where this is not said, it does in all files but those that are called with `render`, `function` or `background`.',
  },
  theme_search_paths: {
    // A dash alone is the plain name.
    schema: z.union([text, z.array(text.nullable())], { error: 'a list of paths' }),
    takes: 'a list of paths, with Liquid',
    says: 'Where `theme_render_rc` looks for a partial, in this order; an empty text is the plain name.',
    default: [],
  },
  maintenance: {
    schema: section(maintenanceKeys),
    below: maintenanceKeys,
    says: 'Shows every visitor one partial in the place of pages, until the right password is sent to `/_maintenance`.',
  },
  // Accepted in silence: a compile always takes the folder as it is.
  modules_that_allow_delete_on_deploy: {
    schema: anything,
    says: 'What uploads may delete: a site is always exactly what its folder holds.',
    unread: true,
  },
  auto_manage_public_only_modules: {
    schema: anything,
    says: 'How uploads treat modules: a site is always exactly what its folder holds.',
    unread: true,
  },
  sync_assets: {
    schema: anything,
    says: 'Whether uploads delete assets: a site is always exactly what its folder holds.',
    unread: true,
  },
  sync_translations: {
    schema: anything,
    says: 'Whether uploads delete translations: a site is always exactly what its folder holds.',
    unread: true,
  },
  translation_keys_to_ignore: {
    schema: anything,
    says: 'Translations that uploads leave alone: a site is always exactly what its folder holds.',
    unread: true,
  },
  allow_data_clean: { schema: anything, says: 'Whether tools may delete the data of the site.', unread: true },
  high_performance_sql_filtering: {
    schema: anything,
    says: 'How queries filter: always in the faster way.',
    unread: true,
  },
  cookies_same_site: {
    schema: word('Lax', 'Strict', 'None'),
    says: 'The rule `SameSite` of the cookie of a session.',
    default: 'Lax',
  },
  do_not_add_return_to_to_authorization_policies: {
    schema: flag,
    says: 'Whether the redirect of a policy leaves out `return_to`, which tells where the visitor wanted to go.',
    default: false,
  },
  skip_elasticsearch: {
    schema: anything,
    ignored: true,
    says: 'For an index that is not there: the database answers searches.',
  },
  search_indexes: {
    schema: searchIndexes,
    takes: 'a list of mappings by the names of indexes, each with `properties`',
    says: 'Of which types the fields of search indexes are: `keyword`, `text`, `date`, `integer`, `float`, `boolean`, and `object` with `properties` of its own. Dates and numbers compare as such, and sorts and ranges of them have an index; words are looked for in texts, not in keywords. A field that is not named is of its type in JSON.',
    default: [],
  },
  reject_null_geojson_coordinates: {
    schema: flag,
    says: 'Whether a point without coordinates, as `{"type": "Point", "coordinates": null}`, is refused where a property of the type `geojson` is written.',
    default: false,
  },
  migrations_strict: {
    schema: flag,
    says: 'Whether a failing migration of a module keeps the site from being served, as one of the app does; else it is left to be run again by hand.',
    default: false,
  },
  validations_for_graph_queries: {
    schema: anything,
    ignored: true,
    says: 'An older check of queries: they are checked when the site is compiled.',
  },
  websockets_require_csrf_token: {
    schema: flag,
    says: 'Whether opening a WebSocket takes a CSRF token.',
    default: true,
  },
  websockets_require_subscribed_partial: {
    schema: flag,
    says: 'Whether a channel of a WebSocket needs a partial that lets subscribers in.',
    default: true,
  },
} as const

export const config = settings<typeof keys, ConfigSettings>({
  noun: 'configuration',
  says: '`app/config.yml`: how the whole site behaves. Modules have none.',
  keys,
  read(from) {
    const maintenance = from.value('maintenance')
    const defaultLayout = from.liquid('default_layout')
    return {
      kind: 'config',
      liquidRaiseMode: from.value('liquid_raise_mode'),
      raiseQueries: from.span('liquid_raise_mode') !== null && from.value('liquid_raise_mode'),
      liquidCheckMode: from.value('liquid_check_mode'),
      graphqlArgumentTypeMismatchMode: from.value('graphql_argument_type_mismatch_mode'),
      argumentMismatchWritten: from.span('graphql_argument_type_mismatch_mode') !== null,
      requireTableForRecordDeleteMutation: from.value('require_table_for_record_delete_mutation'),
      sanitizeOutput: !from.value('escape_output_instead_of_sanitize'),
      safeTranslate: from.value('safe_translate'),
      slugExactMatch: from.value('slug_exact_match'),
      htmlFormatExactMatch: from.value('html_format_exact_match'),
      redirectTrailingSlash: from.value('redirect_trailing_slash'),
      defaultLayout: from.value('default_layout'),
      computedLayout: defaultLayout !== null && hasLiquid(defaultLayout.text) ? defaultLayout : null,
      stringInterpolation: from.value('string_interpolation'),
      liquidAddOldVariables: from.value('liquid_add_old_variables') ?? null,
      themeSearchPaths: searchPaths(from),
      maintenance: {
        enabled: maintenance?.enabled ?? maintenanceKeys.enabled.default,
        passwordConstant: maintenance?.password_constant ?? maintenanceKeys.password_constant.default,
        partial: maintenance?.partial ?? maintenanceKeys.partial.default,
      },
      searchIndexes: from.value('search_indexes'),
      rejectNullGeojsonCoordinates: from.value('reject_null_geojson_coordinates'),
      cookiesSameSite: from.value('cookies_same_site'),
      doNotAddReturnTo: from.value('do_not_add_return_to_to_authorization_policies'),
      migrationsStrict: from.value('migrations_strict'),
      websocketsRequireCsrfToken: from.value('websockets_require_csrf_token'),
      websocketsRequireSubscribedPartial: from.value('websockets_require_subscribed_partial'),
    }
  },
})

/** An empty text is a path too: the plain name. */
function searchPaths(from: Entries<typeof keys>): ConfigSettings['themeSearchPaths'] {
  const node = from.node('theme_search_paths')
  const items = node?.kind === 'list' ? node.items : node === null ? [] : [node]
  return items.flatMap((item) => (item.kind === 'scalar' ? [liquidText(item)] : []))
}
