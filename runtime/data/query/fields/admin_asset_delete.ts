/** `admin_asset_delete`: deletes an asset. */
import { siteChange } from '../site/site-change.ts'

export const admin_asset_delete = siteChange(
  'admin_asset_delete(physical_file_path: String!): Asset',
  'asset',
  'delete',
)
