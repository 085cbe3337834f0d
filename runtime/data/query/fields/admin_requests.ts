/** `admin_requests`: the last requests and jobs of a server in development, the newest first. Empty in production. */
import type { SiteField } from '../model.ts'
import { request } from '../sdl/request.ts'
import { requestPage } from '../site/requests.ts'

export const admin_requests: SiteField = {
  kind: 'site',
  name: 'admin_requests',
  sdl: '"Ingot\'s own: the last requests and jobs of a server in development, the newest first; none in production."\n  admin_requests(filter: RecordedRequestsFilterInput, page: Int = 1, per_page: Int = 20, sort: [RecordedRequestsSortInput!]): RecordedRequestCollection!',
  types: request,
  value: requestPage,
}
