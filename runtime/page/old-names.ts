/** Names that older sites read for parts of `context`, as variables that nothing sets. */
import { REQUEST_FIELDS } from './outside.ts'
import type { Scope } from './site.ts'

/** Every field of `context`, and the name of the whole. */
export const OLD_NAMES: readonly string[] = [
  ...REQUEST_FIELDS,
  'platform_context',
  'current_user',
  'exports',
  'location',
  'constants',
  'environment',
  'language',
  'instance',
  'version',
  'hcaptcha_site_key',
  'globals',
  'modules',
]

/** Variables in which every such name has a value, so that none of them means a part of `context`: nil where there is none. */
export function withoutOldNames(scope: Scope): Scope {
  for (const name of OLD_NAMES) scope[name] ??= null
  return scope
}
