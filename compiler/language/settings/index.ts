/** The registry of the kinds of settings, one per line. */
import type { Settings } from '../../core/model/settings.ts'
import type { SettingsOfKind } from '../../core/model/unit.ts'
import type { FileKind, SourceFile } from '../../core/source/file.ts'
import type { YamlNode } from '../../core/source/yaml.ts'
import { apiCall } from './api_call.ts'
import { authorizationPolicy } from './authorization_policy.ts'
import { config } from './config.ts'
import { email } from './email.ts'
import { form } from './form.ts'
import { layout } from './layout.ts'
import { migration } from './migration.ts'
import { page } from './page.ts'
import { partial } from './partial.ts'
import { raw } from './raw.ts'
import type { ReadSettings, Reporter } from './setting.ts'
import { sms } from './sms.ts'
import { table } from './table.ts'
import { translation } from './translation.ts'
import { userProfileSchema } from './user_profile_schema.ts'
import { userSchema } from './user_schema.ts'

/** The settings reader of each kind of file. */
export const KINDS = {
  page,
  layout,
  partial,
  authorization_policy: authorizationPolicy,
  email,
  api_call: apiCall,
  sms,
  migration,
  form,
  table,
  user_profile_schema: userProfileSchema,
  translation,
  activity_handler: raw('activity_handler'),
  graphql: raw('graphql'),
  asset: raw('asset'),
  config,
  user_schema: userSchema,
  lint_config: raw('lint_config'),
} as const satisfies Readonly<Record<FileKind, ReadSettings<Settings>>>

/** The settings of a kind of file. */
export type SettingsOf<Kind extends FileKind> = SettingsOfKind<Kind>

const READERS: { readonly [Kind in FileKind]: ReadSettings<SettingsOf<Kind>> } = KINDS

/**
 * Reads the settings of a file. `tree` is the front matter, or the content of a YAML file. It is null if there is none, or if the YAML
 * has a syntax error; then every setting has its default.
 */
export function readSettings<Kind extends FileKind>(
  file: SourceFile & { readonly kind: Kind },
  tree: YamlNode | null,
  report: Reporter,
): SettingsOf<Kind> {
  return READERS[file.kind](file, tree, report)
}
