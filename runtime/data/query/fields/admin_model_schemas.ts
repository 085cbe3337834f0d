/** `admin_model_schemas`: old name of `admin_tables`. */
import { deployedList, OF_SCHEMAS } from '../site/deployed-list.ts'

export const admin_model_schemas = deployedList({
  name: 'admin_model_schemas',
  one: 'ModelSchema',
  directives: ' @deprecated @public',
  filters: OF_SCHEMAS,
  items: (site) => site.tables(),
})
