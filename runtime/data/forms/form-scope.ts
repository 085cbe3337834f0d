/** Creates the scope of Liquid in the settings of a form's fields. */
import type { Render } from '../../page/render.ts'
import type { FormEntry, Scope } from '../../page/site.ts'
import { formBuilder } from './builder.ts'
import type { FormState } from './model.ts'

/** Returns `form` and `form_builder`, created on first use. */
export function formScope(form: FormEntry, state: FormState, render: () => Render): () => Scope {
  let scope: Scope | null = null
  return () => {
    if (scope === null) {
      const builder = formBuilder(form, state, { action: '', systemFields: {}, r: render(), metadata: null })
      scope = { form: builder, form_builder: builder }
    }
    return scope
  }
}
