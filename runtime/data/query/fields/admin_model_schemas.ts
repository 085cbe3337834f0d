/** `admin_model_schemas`: old name of `admin_tables`. */
import { deployedList, SCHEMA_FILTERS } from '../site/deployed-list.ts'

export const admin_model_schemas = deployedList({
  name: 'admin_model_schemas',
  singularName: 'ModelSchema',
  directives: ' @deprecated @public',
  filters: SCHEMA_FILTERS,
  items: (site) => site.tables(),
})
