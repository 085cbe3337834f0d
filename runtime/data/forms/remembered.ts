/** Whether who signs in by a form asked to be remembered. */
import type { FieldDef, FormEntry } from '../../page/site.ts'
import { typed } from './cast.ts'
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
 * Whether the session is to live for as long as sessions do. A form that does not ask, and is not told, remembers; of one that
 * asks a box was left empty, which is what browsers send nothing for.
 */
export function isRemembered(form: FormEntry, sent: Values): boolean {
  if (isSent(sent, 'attributes', REMEMBER.name)) return typed(REMEMBER, sent.attributes[REMEMBER.name]) === true
  return !form.fields.attributes.some(({ name }) => name === REMEMBER.name)
}
