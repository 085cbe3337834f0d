/** `model_update`: old name of `record_update`. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { updateRecord } from '../writes/records.ts'

export const model_update: MutationField = {
  kind: 'mutation',
  name: 'model_update',
  sdl: 'model_update(customization: CustomizationInputType, form_configuration_name: String, form_name: String, id: ID!, model: CustomizationInputType): Model! @deprecated @public',
  form: recordForm('update', ['model', 'customization']),
  build: (call, build) => updateRecord(call, ['model', 'customization'], build),
}
