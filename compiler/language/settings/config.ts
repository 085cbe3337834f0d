/** Settings of the whole site, in `app/config.yml`. */
import * as z from 'zod'
import { missingSetting } from '../../core/diagnostics/codes/settings/missing-setting.ts'
import { settingRefused } from '../../core/diagnostics/codes/settings/setting-refused.ts'
import { quote } from '../../core/diagnostics/words.ts'
import type { ConfigSettings } from '../../core/model/settings.ts'
import { entryOf } from '../../core/source/yaml.ts'
import { hasLiquid, liquidText } from './liquid-text.ts'
import { searchIndexes } from './search-indexes.ts'
import { anything, type Entries, flag, section, settings, text, word, unread } from './setting.ts'
import { isReserved, parseSlug } from './slug.ts'

const maintenanceKeys = {
  enabled: { schema: flag, description: 'Whether the site is closed.', default: false },
  password_constant: {
    schema: text,
    description: 'The constant that contains the password.',
    default: 'MAINTENANCE_PASSWORD',
  },
  partial: {
    schema: text,
    description: 'The partial that is shown to visitors.',
    default: 'maintenance',
    see: 'partial',
  },
} as const

const studioKeys = {
  path: {
    schema: text,
    description: 'The path below which the studio is served, such as `/internal`.',
    required: true,
  },
  policy: {
    schema: text,
    description: 'The authorization policy that decides at each request whether a visitor may use the studio.',
    required: true,
    see: 'authorization_policy',
  },
} as const

const keys = {
  escape_output_instead_of_sanitize: {
    schema: flag,
    description:
      'Whether `{{ }}` escapes its output in HTML. With `false`, it removes dangerous elements and attributes instead, as the filter `sanitize` does.',
    default: true,
  },
  liquid_raise_mode: {
    schema: flag,
    description:
      'Whether an error at run time ends the request. With `false`, the failing code prints nothing and the template continues. A failed query ends the request only if `true` is set explicitly; otherwise its result has `errors`.',
    default: true,
  },
  liquid_check_mode: {
    schema: word('error', 'warning'),
    description: 'Whether an unknown filter is an error, which stops the build, or only a warning.',
    default: 'error',
  },
  graphql_argument_type_mismatch_mode: {
    schema: word('error', 'warning', 'ignore'),
    description:
      'What happens if an argument of a query does not have the type of its variable. `error`: the query fails. `warning`: the mismatch is logged and the argument is ignored. `ignore`: the argument is ignored without a log. The default is `error`, but then a single value is accepted for a list.',
    default: 'error',
  },
  require_table_for_record_delete_mutation: {
    schema: flag,
    description: 'Whether `record_delete` must name the table of the record.',
    default: true,
  },
  safe_translate: { schema: flag, description: 'Whether values in translations are escaped.', default: true },
  slug_exact_match: {
    schema: flag,
    description:
      'Whether a slug must match the whole path. With `false`, more segments may follow, up to `max_deep_level` of the page: `list/show` also handles `/list/show/1`, with the last segment in `slug3`.',
    default: false,
  },
  html_format_exact_match: {
    schema: flag,
    description:
      'Whether pages with the format `html` reject URLs with another extension. URLs with `.html` are redirected.',
    default: false,
  },
  redirect_trailing_slash: {
    schema: flag,
    description: 'Whether a URL with a trailing slash is redirected to the URL without it.',
    default: false,
  },
  default_layout: {
    schema: text,
    description: 'The layout of pages that do not set one. The name may contain Liquid.',
    default: 'application',
    see: 'layout',
  },
  string_interpolation: {
    schema: flag,
    description: 'Whether `{{ }}` inside double-quoted strings is rendered.',
    default: false,
  },
  liquid_add_old_variables: {
    schema: flag,
    description:
      'Whether a variable that is never set reads the field of `context` with the same name, such as `{{ params.id }}`. By default, this applies to all files except those called with `render`, `function` or `background`.',
  },
  theme_search_paths: {
    // An empty list item is the plain name.
    schema: z.union([text, z.array(text.nullable())], { error: 'a list of paths' }),
    takes: 'a list of paths, with Liquid',
    description:
      'The paths in which `theme_render_rc` searches for a partial, in this order. An empty text stands for the name without a prefix.',
    default: [],
  },
  maintenance: {
    schema: section(maintenanceKeys),
    below: maintenanceKeys,
    description:
      'Shows a partial instead of every page, until the visitor sends the correct password to `/_maintenance`.',
  },
  studio: {
    schema: section(studioKeys),
    below: studioKeys,
    refused: true,
    description:
      'Serves the studio, the pages with the data, users, jobs and logs of the site, also outside of development. Both settings are required. By default, it is off.',
  },
  // Accepted without a message: a compile always uses the folder unchanged.
  modules_that_allow_delete_on_deploy: unread(
    'Ignored. On the platform, it sets what a deployment may delete. In Ingot, the deployed site always has exactly the files of its folder.',
  ),
  auto_manage_public_only_modules: unread(
    'Ignored. On the platform, it sets how a deployment treats modules. In Ingot, the deployed site always has exactly the files of its folder.',
  ),
  sync_assets: unread(
    'Ignored. On the platform, it sets whether a deployment deletes assets. In Ingot, the deployed site always has exactly the files of its folder.',
  ),
  sync_translations: unread(
    'Ignored. On the platform, it sets whether a deployment deletes translations. In Ingot, the deployed site always has exactly the files of its folder.',
  ),
  translation_keys_to_ignore: unread(
    'Ignored. On the platform, it lists translations that a deployment omits. In Ingot, the deployed site always has exactly the files of its folder.',
  ),
  allow_data_clean: unread('Whether tools may delete the data of the site.'),
  high_performance_sql_filtering: unread('Ignored. Queries always use the faster filtering.'),
  cookies_same_site: {
    schema: word('Lax', 'Strict', 'None'),
    description: 'The `SameSite` attribute of the session cookie.',
    default: 'Lax',
  },
  do_not_add_return_to_to_authorization_policies: {
    schema: flag,
    description:
      'Whether the redirect of a policy omits `return_to`, the URL that the visitor wanted to open. After a request that is not `GET`, it is the page that sent the request, or `/`.',
    default: false,
  },
  skip_elasticsearch: {
    schema: anything,
    ignored: true,
    description: 'Ignored. There is no Elasticsearch index; the database handles searches.',
  },
  search_indexes: {
    schema: searchIndexes,
    takes: 'a list of mappings from index names to `properties`',
    description:
      'The types of the fields of search indexes: `keyword`, `text`, `date`, `integer`, `float`, `boolean`, and `object` with its own `properties`. Dates and numbers are compared by value, and sorts and ranges on them use a database index. Full-text search finds words in `text` fields, not in `keyword` fields. A field that is not listed has its JSON type.',
    default: [],
  },
  reject_null_geojson_coordinates: {
    schema: flag,
    description:
      'Whether a `geojson` property rejects a point without coordinates, such as `{"type": "Point", "coordinates": null}`.',
    default: false,
  },
  migrations_strict: {
    schema: flag,
    description:
      'Whether a failed migration of a module stops the site from being served, like a migration of the app. Otherwise, it must be run again manually.',
    default: false,
  },
  validations_for_graph_queries: {
    schema: anything,
    ignored: true,
    description: 'Ignored. Queries are always checked when the site is compiled.',
  },
  websockets_require_csrf_token: {
    schema: flag,
    description: 'Whether opening a WebSocket requires a CSRF token.',
    default: true,
  },
  websockets_require_subscribed_partial: {
    schema: flag,
    description: 'Whether a WebSocket channel needs a partial that authorizes subscribers.',
    default: true,
  },
} as const

export const config = settings<typeof keys, ConfigSettings>({
  noun: 'configuration',
  description: '`app/config.yml`: the settings of the whole site. Modules do not have this file.',
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
      studio: studio(from),
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

/** Returns the search paths. An empty path means the plain name. */
function searchPaths(from: Entries<typeof keys>): ConfigSettings['themeSearchPaths'] {
  const node = from.node('theme_search_paths')
  const items = node?.kind === 'list' ? node.items : node === null ? [] : [node]
  return items.flatMap((item) => (item.kind === 'scalar' ? [liquidText(item)] : []))
}

/** Paths of the studio: segments of letters, digits and a few signs. */
const STUDIO_PATH = /^(?:\/[A-Za-z0-9][\w.~-]*)+$/
/** Paths that the server handles itself. */
const BUILT_IN_PATH = /^\/(?:api|assets|uploads)(?:\/|$)/

/** Returns where the studio is served; null when it is off. It needs a path and a policy. */
function studio(from: Entries<typeof keys>): ConfigSettings['studio'] {
  const given = from.value('studio')
  const node = from.node('studio')
  if (given === undefined || node === null) return null
  const path = given.path?.trim() ?? ''
  const name = given.policy?.trim() ?? ''
  for (const [key, value] of Object.entries({ path, policy: name }))
    if (value === '') {
      const keySpan = entryOf(node, key)?.keySpan ?? from.keySpan('studio') ?? node.span
      from.report.add(missingSetting(keySpan, `studio.${key}`, 'configuration'))
    }
  if (path === '' || name === '') return null
  const pathSpan = entryOf(node, 'path')?.value.span ?? node.span
  const segments = parseSlug(path)
  const isTaken = BUILT_IN_PATH.test(path) || (segments.ok && isReserved(segments.segments))
  if (!STUDIO_PATH.test(path) || isTaken) {
    const reason = isTaken ? `The server handles ${quote(path)} itself` : `${quote(path)} is not a path for the studio`
    from.report.add(
      settingRefused(pathSpan, reason, {
        hint: 'Write a path such as `/internal`: letters, digits, `-`, `_`, `.`, `~` and `/`.',
      }),
    )
    return null
  }
  return { path, pathSpan, policy: { name, span: entryOf(node, 'policy')?.value.span ?? node.span } }
}
