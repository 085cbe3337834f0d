/** `POST marketplace_releases/backup`: packs the files of the served site, or of one module. Its state is read like that of a deploy. */
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
    if (name !== '' && !/^[\w-]{1,100}$/.test(name)) throw new Refusal(422, `'${name}' is not a valid module name`)
    // Checked now, because clients report the failure of this request, but not a later failure of the archive.
    const [any] = await sql`select from ingot.deploys where files is not null limit 1`
    if (any === undefined) throw new Refusal(422, 'no site was deployed yet')
    const id = await addDeploy(sql, { kind: 'backup', module: name === '' ? null : name })
    return json(200, { id: Number(id), status: 'ready_for_export' })
  },
}
