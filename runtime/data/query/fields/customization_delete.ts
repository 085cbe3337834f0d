/** `customization_delete`: old name of `record_delete`. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { deleteRecord } from '../writes/records.ts'

export const customization_delete: MutationField = {
  kind: 'mutation',
  name: 'customization_delete',
  sdl: 'customization_delete(form_configuration_name: String, form_name: String, id: ID!): Customization! @deprecated @public',
  form: recordForm('delete'),
  build: (call, build) => deleteRecord(call, build),
}
