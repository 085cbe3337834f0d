/** `admin_model_schema_update`: changes a table, by its old name. */
import { siteChange } from '../site/site-change.ts'

export const admin_model_schema_update = siteChange(
  'admin_model_schema_update(id: ID, model_schema: UpdateModelSchemaInputType!, physical_file_path: String): ModelSchema',
  'model_schema',
  'update',
)
