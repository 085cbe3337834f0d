/** `records_delete_all`: soft-deletes every record that matches a filter. */
import type { MutationField } from '../model.ts'
import { deleteRecords } from '../writes/matching-rows.ts'

export const records_delete_all: MutationField = {
  kind: 'mutation',
  name: 'records_delete_all',
  sdl: 'records_delete_all(any_table: Boolean, filter: RecordsFilterInput, sync: Boolean = false, table: String): ObjectCount! @public',
  build: (call, build) => deleteRecords(call, ['table'], ['any_table'], build),
}
