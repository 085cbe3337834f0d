/** `POST assets_manifest`: sets the assets of the site, after their files were uploaded. */
import * as z from 'zod'
import { isPrivateAsset } from '../deploys/paths.ts'
import { addDeploy } from '../deploys/rows.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'

const MAX_ASSETS = 65_000

/** The fields of an asset. Its file path shows whether it is a private asset of a module. */
const entry = z.object({
  physical_file_path: z.string().max(1_000).catch(''),
  file_size: z.number().nullable().catch(null),
})
const EMPTY_ENTRY = { physical_file_path: '', file_size: null }

const schema = z.object({
  manifest: z
    .record(z.string().max(1_000), entry.catch(EMPTY_ENTRY))
    .refine((all) => Object.keys(all).length <= MAX_ASSETS),
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
    if (!read.success)
      throw new Refusal(422, 'the body must have a `manifest`, which maps names of assets to their fields')
    const { manifest, marketplace_release_id: release } = read.data
    const names = Object.keys(manifest)
    const hidden = names.filter((name) => isPrivateAsset(manifest[name]?.physical_file_path ?? ''))
    const of = release === null ? null : String(release)
    const sizes = names.map((name) => manifest[name]?.file_size ?? null)
    const id = await addDeploy(sql, { kind: 'assets', names, sizes, private: hidden, release: of })
    return json(200, { id: Number(id), status: 'ready_for_import' })
  },
}
