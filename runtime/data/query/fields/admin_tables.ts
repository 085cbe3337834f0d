/** `admin_tables`: the declared tables. */
import { deployedList, SCHEMA_FILTERS } from '../site/deployed-list.ts'

export const admin_tables = deployedList({
  name: 'admin_tables',
  singularName: 'Table',
  filters: SCHEMA_FILTERS,
  items: (site) => site.tables(),
})
