/** `admin_table_create`: creates a table. */
import { siteChange } from '../site/site-change.ts'

export const admin_table_create = siteChange('admin_table_create(table: TableInputType!): Table', 'table', 'create')
