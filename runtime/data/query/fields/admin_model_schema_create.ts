/** `admin_model_schema_create`: creates a table, by its old name. */
import { siteChange } from '../site/site-change.ts'

export const admin_model_schema_create = siteChange(
  'admin_model_schema_create(model_schema: ModelSchemaInputType!): ModelSchema',
  'model_schema',
  'create',
)
