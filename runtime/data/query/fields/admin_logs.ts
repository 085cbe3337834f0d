/** `admin_logs`, which the platform does not have: the entries of the site's log. */
import type { QueryField } from '../model.ts'
import { logsJson } from '../rows/operation.ts'
import { operation } from '../sdl/operation.ts'

export const admin_logs: QueryField = {
  kind: 'query',
  name: 'admin_logs',
  sdl: `"Ingot's own: the entries of the site's log."
  admin_logs(filter: LogRecordsFilterInput, page: Int = 1, per_page: Int = 20, sort: [LogRecordsSortInput!]): LogRecordCollection!`,
  types: operation,
  build: logsJson,
}
