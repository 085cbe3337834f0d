/** `admin_assets_create`: adds uploaded assets to the site, or replaces them. */
import type { ChangeField } from '../model.ts'
import { assetUpload } from '../sdl/asset-upload.ts'
import { isObject } from '../../values/json-data.ts'

export const admin_assets_create: ChangeField = {
  kind: 'change',
  name: 'admin_assets_create',
  sdl: 'admin_assets_create(assets: [AssetInput!]!): AssetsCreateMutationPayload',
  types: assetUpload,
  async plan({ assets: sent }) {
    const assets = Array.isArray(sent) ? sent.filter(isObject) : []
    return {
      change: { type: 'asset', action: 'create', files: [], isMatch: false, values: { assets }, property: null },
      async read(site, files) {
        const byPath = new Map((await site.assets()).map((asset) => [asset['physical_file_path'], asset]))
        return { assets: files.map((file) => byPath.get(file) ?? null) }
      },
    }
  },
}
