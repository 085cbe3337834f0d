/** `admin_table_delete`: deletes a table. */
import { siteChange } from '../site/site-change.ts'

export const admin_table_delete = siteChange(
  'admin_table_delete(physical_file_path: String!): Table',
  'table',
  'delete',
)
