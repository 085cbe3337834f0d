/** `admin_request`: a request or a job that a server in development has recorded. */
import type { SiteField } from '../model.ts'
import { request } from '../sdl/request.ts'
import { oneRequest } from '../site/requests.ts'

export const admin_request: SiteField = {
  kind: 'site',
  name: 'admin_request',
  sdl: '"Ingot\'s own: a request or a job that a server in development has recorded."\n  admin_request(id: ID!): RecordedRequest',
  types: request,
  value: oneRequest,
}
