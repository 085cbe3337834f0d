/** Names that older sites read for parts of `context`, as variables that nothing sets. */
import type { Scope } from './site.ts'

/** Every field of `context`, and the name of the whole. */
export const OLD_NAMES: readonly string[] = [
  'platform_context',
  'params',
  'current_user',
  'session',
  'flash',
  'exports',
  'page',
  'layout',
  'location',
  'headers',
  'cookies',
  'constants',
  'environment',
  'language',
  'authenticity_token',
  'csrf_request_valid',
  'is_xhr',
  'post_params',
  'useragent',
  'device',
  'visitor',
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
