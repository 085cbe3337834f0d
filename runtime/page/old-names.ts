/** Global variables under which older sites read parts of `context`. */
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

/** A scope in which every such name is defined, as nil if necessary, so that none refers to a part of `context`. */
export function withoutOldNames(scope: Scope): Scope {
  for (const name of OLD_NAMES) scope[name] ??= null
  return scope
}
