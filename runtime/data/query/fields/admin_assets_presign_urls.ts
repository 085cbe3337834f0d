/** `admin_assets_presign_urls`: the URLs that the bytes of assets are uploaded to, before `admin_assets_create`. */
import { CLIENTS_ONLY } from '../change-model.ts'
import { type EffectField, valueError } from '../model.ts'
import { assetUpload } from '../sdl/asset-upload.ts'
import { isObject } from '../../values/json-data.ts'

export const admin_assets_presign_urls: EffectField = {
  kind: 'effect',
  isSlow: false,
  name: 'admin_assets_presign_urls',
  sdl: 'admin_assets_presign_urls(paths: [AssetPresignInput!]!): AssetsPresignUrlsMutationPayload',
  types: assetUpload,
  async perform({ paths }, { assets }) {
    if (assets === null) throw valueError(CLIENTS_ONLY)
    const sent = Array.isArray(paths) ? paths.filter(isObject) : []
    return { urls: await assets.presign(sent.map(({ path }) => String(path))) }
  },
}
