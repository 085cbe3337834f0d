/** `model_create`: old name of `record_create`. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { createRecord } from '../writes/records.ts'

export const model_create: MutationField = {
  kind: 'mutation',
  name: 'model_create',
  sdl: 'model_create(customization: CustomizationInputType, form_configuration_name: String, form_name: String, model: CustomizationInputType): Model! @deprecated @public',
  form: recordForm('create', ['model', 'customization']),
  build: (call, build) => createRecord(call, ['model', 'customization'], build),
}
