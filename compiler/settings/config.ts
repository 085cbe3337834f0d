/** `app/config.yml`: how the whole site behaves. */
import { z } from 'zod'
import { settingRefused } from '../diagnostics/codes/setting-refused.ts'
import { settingValue } from '../diagnostics/codes/setting-value.ts'
import type { ConfigSettings } from '../model/settings.ts'
import type { SourceFile } from '../source/file.ts'
import { liquidText } from './liquid-text.ts'
import { anything, type Entries, flag, names, settings, text, word } from './setting.ts'

const keys = {
  escape_output_instead_of_sanitize: { schema: flag },
  liquid_raise_mode: { schema: flag },
  liquid_check_mode: { schema: word('error', 'warning') },
  graphql_argument_type_mismatch_mode: { schema: word('error', 'warning', 'ignore') },
  require_table_for_record_delete_mutation: { schema: flag },
  safe_translate: { schema: flag },
  slug_exact_match: { schema: flag },
  html_format_exact_match: { schema: flag },
  redirect_trailing_slash: { schema: flag },
  default_layout: { schema: text },
  string_interpolation: { schema: flag },
  theme_search_paths: { schema: names },
  maintenance: {
    schema: z.strictObject(
      { enabled: flag.nullish(), password_constant: text.nullish(), partial: text.nullish() },
      { error: 'a mapping of `enabled`, `password_constant` and `partial`' },
    ),
  },
  // Accepted in silence: a compile always takes the folder as it is.
  modules_that_allow_delete_on_deploy: { schema: anything },
  auto_manage_public_only_modules: { schema: anything },
  sync_assets: { schema: anything },
  sync_translations: { schema: anything },
  translation_keys_to_ignore: { schema: anything },
  allow_data_clean: { schema: anything },
  high_performance_sql_filtering: { schema: anything },
  cookies_same_site: { schema: word('Lax', 'Strict', 'None') },
  do_not_add_return_to_to_authorization_policies: { schema: flag },
  skip_elasticsearch: { schema: anything, ignored: true },
  search_indexes: { schema: anything, ignored: true },
  validations_for_graph_queries: { schema: anything, ignored: true },
  liquid_add_old_variables: { schema: anything, ignored: true },
  websockets_require_csrf_token: { schema: flag },
  websockets_require_subscribed_partial: { schema: flag },
} as const

export const config = settings<typeof keys, ConfigSettings>({
  noun: 'configuration',
  keys,
  read(from, file) {
    unsupported(from, file)
    const maintenance = from.value('maintenance')
    return {
      kind: 'config',
      liquidRaiseMode: from.value('liquid_raise_mode') ?? true,
      liquidCheckMode: from.value('liquid_check_mode') ?? 'error',
      graphqlArgumentTypeMismatchMode: from.value('graphql_argument_type_mismatch_mode') ?? 'error',
      requireTableForRecordDeleteMutation: from.value('require_table_for_record_delete_mutation') ?? true,
      safeTranslate: from.value('safe_translate') ?? true,
      htmlFormatExactMatch: from.value('html_format_exact_match') ?? false,
      redirectTrailingSlash: from.value('redirect_trailing_slash') ?? false,
      defaultLayout: from.value('default_layout') ?? 'application',
      stringInterpolation: from.value('string_interpolation') ?? false,
      themeSearchPaths: searchPaths(from),
      maintenance: {
        enabled: maintenance?.enabled ?? false,
        passwordConstant: maintenance?.password_constant ?? 'MAINTENANCE_PASSWORD',
        partial: maintenance?.partial ?? 'maintenance',
      },
      cookiesSameSite: from.value('cookies_same_site') ?? 'Lax',
      doNotAddReturnTo: from.value('do_not_add_return_to_to_authorization_policies') ?? false,
      websocketsRequireCsrfToken: from.value('websockets_require_csrf_token') ?? true,
      websocketsRequireSubscribedPartial: from.value('websockets_require_subscribed_partial') ?? true,
    }
  },
})

/** Two switches have one position here. */
function unsupported(from: Entries<typeof keys>, file: SourceFile): void {
  if (from.value('slug_exact_match') === false) {
    const reason = 'Matching only the beginning of an address (`slug_exact_match: false`) is not supported'
    from.report.add(
      settingRefused(
        from.span('slug_exact_match')!,
        reason,
        'Give pages exact slugs, with `*rest` for what may follow.',
      ),
    )
  }
  const escaping = from.span('escape_output_instead_of_sanitize')
  if (escaping !== null && from.value('escape_output_instead_of_sanitize') === false) {
    const written = file.text.slice(escaping.start, escaping.end)
    from.report.add(settingValue(escaping, 'escape_output_instead_of_sanitize', '`true`', written))
  }
}

/** An empty text is a path too: the plain name. */
function searchPaths(from: Entries<typeof keys>): ConfigSettings['themeSearchPaths'] {
  const node = from.node('theme_search_paths')
  const items = node?.kind === 'list' ? node.items : node === null ? [] : [node]
  return items.flatMap((item) => (item.kind === 'scalar' ? [liquidText(item)] : []))
}
