/** `GET /api/app_builder/instance`: which installation this is; its id stands in the paths of uploads. */
import { uuidOf } from '../../../web/site/context.ts'
import { instanceId } from '../identity.ts'
import { json } from '../replies.ts'
import type { Resource } from '../resource.ts'

export const instance: Resource = {
  method: 'GET',
  path: 'app_builder/instance',
  scopes: ['deploy', 'exec', 'read', 'write'],
  async answer({ sql, app }) {
    // The UUID is the one that templates see.
    return json(200, { id: Number(await instanceId(sql)), uuid: uuidOf(app().host().facts.siteName) })
  },
}
