/** `customization_update`: old name of `record_update`. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { updateRecord } from '../writes/records.ts'

export const customization_update: MutationField = {
  kind: 'mutation',
  name: 'customization_update',
  sdl: 'customization_update(customization: CustomizationInputType, form_configuration_name: String, form_name: String, id: ID!, model: CustomizationInputType): Customization! @deprecated @public',
  form: recordForm('update', ['model', 'customization']),
  build: (call, build) => updateRecord(call, ['model', 'customization'], build),
}
