/** Determines whether a sign-in is remembered. */
import type { FieldDef, FormEntry } from '../../page/site.ts'
import { toDeclaredType } from './cast.ts'
import { isSent } from './fields.ts'
import type { Values } from './model.ts'

const REMEMBER: FieldDef = {
  name: 'remember_me',
  type: 'boolean',
  virtual: false,
  readonly: false,
  default: null,
  validations: [],
  options: {},
}

/**
 * Returns whether the session lasts for the full lifetime. Without a sent value, it does only when the form has no such field: a missing
 * value of a field is an unchecked checkbox.
 */
export function isRemembered(form: FormEntry, sentValues: Values): boolean {
  if (isSent(sentValues, 'attributes', REMEMBER.name))
    return toDeclaredType(REMEMBER, sentValues.attributes[REMEMBER.name]) === true
  return !form.fields.attributes.some(({ name }) => name === REMEMBER.name)
}
