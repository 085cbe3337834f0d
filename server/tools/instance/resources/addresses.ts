/** `GET /api/private/urls/presign-url` and `presign-directory`: signed URLs for uploads. */
import { permits, type TokenScope } from '../../../data/store/tokens.ts'
import { instanceId } from '../identity.ts'
import { pathProblem } from '../deploys/paths.ts'
import { json, Refusal } from '../replies.ts'
import type { Ask, InstanceContext, Resource } from '../resource.ts'

export const fileAddress: Resource = {
  method: 'GET',
  path: 'private/urls/presign-url',
  scopes: ['deploy', 'write'],
  async answer(parts, ask) {
    const key = await requireKey(parts, ask, 'fileName')
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
    const folder = await requireKey(parts, ask, 'directory')
    const name = '$' + '{filename}'
    const url = parts.addresses.address('send', ask.request, folder)
    return json(200, { url, fields: { key: `${folder}/${name}` } })
  },
}

/** Keys of files that rows of an import refer to. */
const ROW_FILE_KEY = /^uploads\/[\w-]{16,64}\/[^/]+$/
/** Keys of data, below the prefix of the installation. All other keys are for files of the site. */
const DATA_KEY = /^(?:data_imports|property_uploads)\//

/** Returns the requested key. @throws Refusal when it is invalid for this installation, or the token may not upload it */
async function requireKey({ sql }: InstanceContext, { query, bearer }: Ask, name: string): Promise<string> {
  const own = `instances/${await instanceId(sql)}/`
  const key = query.get(name) ?? ''
  const isRowFile = ROW_FILE_KEY.test(key)
  if ((!isRowFile && !key.startsWith(own)) || pathProblem(key) !== null)
    throw new Refusal(422, `the key '${key}' is invalid: keys of this installation begin with '${own}'`)
  const needed: TokenScope = isRowFile || DATA_KEY.test(key.slice(own.length)) ? 'write' : 'deploy'
  if (!permits(bearer.scope, needed))
    throw new Refusal(403, `The token does not permit '${key}': use a token with the scope ${needed} or admin`)
  return key
}
