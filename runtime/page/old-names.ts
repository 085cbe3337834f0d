/** Global variables under which older sites read parts of `context`. */
import { REQUEST_FIELDS } from './background-context.ts'
import type { Scope } from './site.ts'

/**
 * The old names of all fields of `context`, and of `context` itself.
 * @internal Exported for tests.
 */
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

/** Defines every old name in a scope. Names without a value become nil, so that they do not refer to a part of `context`. */
export function withoutOldNames(scope: Scope): Scope {
  for (const name of OLD_NAMES) scope[name] ??= null
  return scope
}
