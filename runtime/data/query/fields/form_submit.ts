/** `form_submit`: submits a form of the site, with its policies, validations and callbacks. */
import type { SubmitField } from '../model.ts'
import { form } from '../sdl/form.ts'
import { formResultJson } from '../writes/submit.ts'

export const form_submit: SubmitField = {
  kind: 'submit',
  name: 'form_submit',
  sdl: 'form_submit(fields: HashObject!, form_name: String!, id: ID): FormSubmitPayload @deprecated @public',
  types: form,
  build: formResultJson,
}
