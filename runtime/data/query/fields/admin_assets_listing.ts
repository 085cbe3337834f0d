/** `admin_assets_listing`: the addresses of the lists that `admin_assets_listing_create` has written. */
import { CLIENTS_ONLY } from '../change-model.ts'
import { type SiteField, valueError } from '../model.ts'
import { assetUpload } from '../sdl/asset-upload.ts'

export const admin_assets_listing: SiteField = {
  kind: 'site',
  name: 'admin_assets_listing',
  sdl: 'admin_assets_listing(id: ID!): AssetsListing!',
  types: assetUpload,
  async value({ id }, _site, effects) {
    const assets = effects?.assets ?? null
    if (assets === null) throw valueError(CLIENTS_ONLY)
    const listing = await assets.findListing(String(id))
    if (listing === null) throw valueError(`There is no list of assets \`${String(id)}\`, or it has expired.`)
    return listing
  },
}
