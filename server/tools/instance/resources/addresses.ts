/** `GET /api/private/urls/presign-url` and `presign-directory`: addresses to send files to. */
import { permits, type TokenScope } from '../../../data/store/tokens.ts'
import { instanceId } from '../identity.ts'
import { pathProblem } from '../deploys/paths.ts'
import { json, Refusal } from '../replies.ts'
import type { Ask, InstanceParts, Resource } from '../resource.ts'

export const fileAddress: Resource = {
  method: 'GET',
  path: 'private/urls/presign-url',
  scopes: ['deploy', 'write'],
  async answer(parts, ask) {
    const key = await keyOf(parts, ask, 'fileName')
    const { addresses } = parts
    return json(200, {
      url: addresses.address('send', ask.request, key),
      accessUrl: addresses.address('see', ask.request, key),
    })
  },
}

export const folderAddress: Resource = {
  method: 'GET',
  path: 'private/urls/presign-directory',
  scopes: ['deploy'],
  async answer(parts, ask) {
    const folder = await keyOf(parts, ask, 'directory')
    const name = '$' + '{filename}'
    const url = parts.addresses.address('send', ask.request, folder)
    return json(200, { url, fields: { key: `${folder}/${name}` } })
  },
}

/** Files of rows, as imports name them: below a key of their own. */
const OF_ROWS = /^uploads\/[\w-]{16,64}\/[^/]+$/
/** Data, below the name of the installation. All else there is what the site is made of. */
const DATA = /^(?:data_imports|property_uploads)\//

/** @throws Refusal where it is not the name of a file of this installation, or of one that the token may not send */
async function keyOf({ sql }: InstanceParts, { query, bearer }: Ask, name: string): Promise<string> {
  const own = `instances/${await instanceId(sql)}/`
  const key = query.get(name) ?? ''
  const isOfRows = OF_ROWS.test(key)
  if ((!isOfRows && !key.startsWith(own)) || pathProblem(key) !== null)
    throw new Refusal(422, `files of this installation are named '${own}…', and not '${key}'`)
  const needed: TokenScope = isOfRows || DATA.test(key.slice(own.length)) ? 'write' : 'deploy'
  if (!permits(bearer.scope, needed))
    throw new Refusal(403, `The token has not the scope for '${key}': it needs ${needed} or admin`)
  return key
}
