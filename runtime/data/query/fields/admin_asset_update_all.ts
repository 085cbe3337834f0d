/** `admin_asset_update_all`: accepts settings of all matching assets, which have no effect. */
import { siteChange } from '../site/site-change.ts'

export const admin_asset_update_all = siteChange(
  'admin_asset_update_all(asset: AssetUpdateAllInput!, filter: MutationAssetsFilterInput!): ObjectCount',
  'asset',
  'update_all',
)
