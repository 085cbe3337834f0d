/** `record_create`: inserts one record. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { createRecord } from '../writes/records.ts'
import { write } from '../sdl/write.ts'

export const record_create: MutationField = {
  kind: 'mutation',
  name: 'record_create',
  sdl: 'record_create(form_name: String, record: RecordInputType!): Record! @public',
  types: write,
  form: recordForm('create', ['record']),
  build: (call, build) => createRecord(call, ['record'], build),
}
