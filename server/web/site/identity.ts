/**
 * Answers `/_version` and `/__instance_id`: the current build and the installation, each as one line of text. Neither
 * reveals the software.
 */
import { contentType } from '../http/formats.ts'
import type { Reply, Request } from '../http/message.ts'
import type { LoadedSite } from './load.ts'

/** The id of the installation, also `context.instance.id`. */
export const INSTANCE_ID = 1

/** Answers the two paths; null for every other path. */
export function answerIdentity({ site }: Pick<LoadedSite, 'site'>, request: Request): Reply | null {
  if (!request.url.startsWith('/_') || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  const path = request.path
  // The fingerprint changes with every changed build, so that scripts can wait for a deploy.
  if (path === '/_version') return textLine(site.fingerprint)
  return path === '/__instance_id' ? textLine(String(INSTANCE_ID)) : null
}

function textLine(text: string): Reply {
  const headers = { 'content-type': contentType('txt'), 'cache-control': 'no-store' }
  return { status: 200, headers, body: `${text}\n` }
}
