/** `admin_tables`: the declared tables. */
import { deployedList, OF_SCHEMAS } from '../site/deployed-list.ts'

export const admin_tables = deployedList({
  name: 'admin_tables',
  one: 'Table',
  filters: OF_SCHEMAS,
  items: (site) => site.tables(),
})
