/** `record_update`: changes the given fields of one record. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { updateRecord } from '../writes/records.ts'

export const record_update: MutationField = {
  kind: 'mutation',
  name: 'record_update',
  sdl: 'record_update(_index_update: Boolean = true, form_name: String, id: ID!, record: RecordInputType!): Record! @public',
  form: recordForm('update', ['record']),
  build: (call, build) => updateRecord(call, ['record'], build),
}
