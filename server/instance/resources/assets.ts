/** `POST assets_manifest`: which assets there are, once their files were sent. */
import * as z from 'zod'
import { addDeploy } from '../deploys/rows.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'

const MOST = 65_000

const schema = z.object({
  manifest: z.record(z.string().max(1_000), z.unknown()).refine((all) => Object.keys(all).length <= MOST),
  marketplace_release_id: z
    .union([z.number(), z.string().regex(/^\d+$/)])
    .nullish()
    .default(null),
})

export const assetManifest: Resource = {
  method: 'POST',
  path: 'app_builder/assets_manifest',
  scopes: ['deploy'],
  async answer({ sql }, { body }) {
    const read = schema.safeParse(await body.json())
    if (!read.success) throw new Refusal(422, 'the body is no manifest: `manifest` maps the names of assets')
    const { manifest, marketplace_release_id: release } = read.data
    const names = Object.keys(manifest)
    const id = await addDeploy(sql, { kind: 'assets', names, release: release === null ? null : String(release) })
    return json(200, { id: Number(id), status: 'ready_for_import' })
  },
}
