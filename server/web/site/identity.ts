/**
 * `/_version` and `/__instance_id`: which build is served, and which installation serves it, as one line of text. Neither says which software
 * that is.
 */
import { contentType } from '../http/formats.ts'
import { type Reply, type Request } from '../http/message.ts'
import type { LoadedSite } from './load.ts'

/** The id of the installation, as `context.instance.id` has it. */
export const INSTANCE_ID = 1

/** The answer; null for every other address. */
export function answerIdentity({ site }: Pick<LoadedSite, 'site'>, request: Request): Reply | null {
  if (!request.url.startsWith('/_') || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  const path = request.path
  // Changes with every build whose files differ, so that a deploy can be waited for.
  if (path === '/_version') return line(site.fingerprint)
  return path === '/__instance_id' ? line(String(INSTANCE_ID)) : null
}

function line(text: string): Reply {
  const headers = { 'content-type': contentType('txt'), 'cache-control': 'no-store' }
  return { status: 200, headers, body: `${text}\n` }
}
