/** `POST marketplace_releases/backup`: the files of the site that is served, or of one module; the state is asked for as that of a deploy. */
import { addDeploy } from '../deploys/rows.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'

export const startBackup: Resource = {
  method: 'POST',
  path: 'app_builder/marketplace_releases/backup',
  scopes: ['deploy'],
  isSilent: true,
  async answer({ sql }, { body }) {
    const name = body.field('module_name') ?? ''
    if (name !== '' && !/^[\w-]{1,100}$/.test(name)) throw new Refusal(422, `'${name}' is the name of no module`)
    // Clients tell by their exit code that a request failed, and not what becomes of an archive later.
    const [any] = await sql`select from ingot.deploys where files is not null limit 1`
    if (any === undefined) throw new Refusal(422, 'no site was deployed yet')
    const id = await addDeploy(sql, { kind: 'backup', module: name === '' ? null : name })
    return json(200, { id: Number(id), status: 'ready_for_export' })
  },
}
