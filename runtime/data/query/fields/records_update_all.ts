/** `records_update_all`: changes every record that matches a filter. */
import type { MutationField } from '../model.ts'
import { updateRecords } from '../writes/matching-rows.ts'

export const records_update_all: MutationField = {
  kind: 'mutation',
  name: 'records_update_all',
  sdl: 'records_update_all(_index_update: Boolean = false, filter: RecordsFilterInput, record: RecordInputType!, sync: Boolean = false, table: String!): ObjectCount! @public',
  build: (call, build) => updateRecords(call, { table: 'table', record: 'record' }, build),
}
