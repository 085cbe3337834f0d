/** `admin_request_plan`: what the database plans for a query of a recorded request. The query does not run. */
import type { SiteField } from '../model.ts'
import { requestPlan } from '../site/requests.ts'

export const admin_request_plan: SiteField = {
  kind: 'site',
  name: 'admin_request_plan',
  sdl: '"Ingot\'s own: what the database plans for a query of a recorded request, by its position in `queries`. The query does not run."\n  admin_request_plan(id: ID!, query: Int!): JSONPayload',
  value: requestPlan,
}
