/** `admin_model_schema_delete`: deletes a table, by its old name. */
import { siteChange } from '../site/site-change.ts'

export const admin_model_schema_delete = siteChange(
  'admin_model_schema_delete(id: ID, physical_file_path: String): ModelSchema',
  'model_schema',
  'delete',
)
