/** `admin_asset_delete_all`: deletes all matching assets, and returns their number as a text. */
import { siteChange } from '../site/site-change.ts'

export const admin_asset_delete_all = siteChange(
  'admin_asset_delete_all(filter: MutationAssetsFilterInput!, hard_delete: Boolean = false): String',
  'asset',
  'delete_all',
)
