/** `admin_table_update`: changes a table. */
import { siteChange } from '../site/site-change.ts'

export const admin_table_update = siteChange(
  'admin_table_update(physical_file_path: String!, table: UpdateTableInputType!): Table',
  'table',
  'update',
)
