/** `model_delete`: old name of `record_delete`. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { deleteRecord } from '../writes/records.ts'

export const model_delete: MutationField = {
  kind: 'mutation',
  name: 'model_delete',
  sdl: 'model_delete(form_configuration_name: String, form_name: String, id: ID!): Model! @deprecated @public',
  form: recordForm('delete'),
  build: (call, build) => deleteRecord(call, build),
}
