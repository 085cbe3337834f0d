/** `customization_create`: old name of `record_create`. */
import { recordForm } from '../forms.ts'
import type { MutationField } from '../model.ts'
import { createRecord } from '../writes/records.ts'

export const customization_create: MutationField = {
  kind: 'mutation',
  name: 'customization_create',
  sdl: 'customization_create(customization: CustomizationInputType, form_configuration_name: String, form_name: String, model: CustomizationInputType): Customization! @deprecated @public',
  form: recordForm('create', ['model', 'customization']),
  build: (call, build) => createRecord(call, ['model', 'customization'], build),
}
