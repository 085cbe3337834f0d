/** `GET instance`: the identity of the installation. Its id is part of upload paths. */
import { siteUuid } from '../../../web/site/context.ts'
import { instanceId } from '../identity.ts'
import { json } from '../replies.ts'
import type { Resource } from '../resource.ts'

export const instance: Resource = {
  method: 'GET',
  path: 'app_builder/instance',
  scopes: ['deploy', 'exec', 'read', 'write'],
  async answer({ sql, app }) {
    // The same UUID as in templates.
    return json(200, { id: Number(await instanceId(sql)), uuid: siteUuid(app().host().facts.siteName) })
  },
}
