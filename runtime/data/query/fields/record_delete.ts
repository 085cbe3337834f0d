/** `record_delete`: soft-deletes one record. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { deleteRecord } from '../writes/records.ts'

export const record_delete: MutationField = {
  kind: 'mutation',
  name: 'record_delete',
  sdl: 'record_delete(form_name: String, id: ID!, table: String): Record! @public',
  form: recordForm('delete'),
  build: (call, build) => deleteRecord(call, build),
}
