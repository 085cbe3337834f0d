/** `admin_asset_update`: moves an asset. */
import { siteChange } from '../site/site-change.ts'

export const admin_asset_update = siteChange(
  'admin_asset_update(asset: AssetUpdateInput!, physical_file_path: String!): Asset',
  'asset',
  'update',
)
