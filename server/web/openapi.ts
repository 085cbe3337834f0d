/** Answers `/api/openapi.json` in development: the OpenAPI document of a site's forms. */
import { openApi } from '../../runtime/data/openapi/index.ts'
import type { Reply, Request } from './http/message.ts'
import type { LoadedSite } from './site/load.ts'

const PATH = '/api/openapi.json'

/** The site that the document describes. */
interface OpenApiHost {
  readonly site: LoadedSite['site']
  readonly name: string
  readonly version: string
}

/** Returns the reply with the document, or null for other requests. */
export function answerOpenApi({ site, name, version }: OpenApiHost, request: Request): Reply | null {
  if (request.path !== PATH || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  const document = openApi(site, { title: name, version, url: `${request.protocol}://${request.host}` })
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(document),
  }
}
