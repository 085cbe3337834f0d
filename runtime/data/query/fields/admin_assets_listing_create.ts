/** `admin_assets_listing_create`: writes lists of the assets of the site, for `admin_assets_listing`. */
import { CLIENTS_ONLY } from '../change-model.ts'
import { type EffectField, valueError } from '../model.ts'
import { assetUpload } from '../sdl/asset-upload.ts'

export const admin_assets_listing_create: EffectField = {
  kind: 'effect',
  isSlow: true,
  name: 'admin_assets_listing_create',
  sdl: 'admin_assets_listing_create: AssetsListingIdentifier!',
  types: assetUpload,
  async perform(_args, { assets }) {
    if (assets === null) throw valueError(CLIENTS_ONLY)
    return assets.createListing()
  },
}
