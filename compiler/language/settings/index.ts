/** The registry of kinds of settings: one line each. */
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

/** The reader of each kind. */
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

/** The settings of a file of a known kind. */
export type SettingsOf<Kind extends FileKind> = SettingsOfKind<Kind>

const READERS: { readonly [Kind in FileKind]: ReadSettings<SettingsOf<Kind>> } = KINDS

/**
 * Reads a file's settings. `tree` is what the front matter, or the whole YAML file, holds; null for nothing and for YAML that
 * could not be read: then every setting has its default.
 */
export function readSettings<Kind extends FileKind>(
  file: SourceFile & { readonly kind: Kind },
  tree: YamlNode | null,
  report: Reporter,
): SettingsOf<Kind> {
  return READERS[file.kind](file, tree, report)
}
