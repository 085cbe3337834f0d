/** Rules that apply to every form: for users, and for the resource that a record belongs to. */
import type { FieldDef, FormEntry, Setting, ValidationDef } from '../../page/site.ts'
import { isBlank } from '../../page/values/truth.ts'
import { fieldsOf, isSent, valueOfField } from './fields.ts'
import type { ValidationProblem } from './messages.ts'
import { type ValidationHost, type FormState, NO_VALUES } from './model.ts'

/** Minimum length of a password. */
const MIN_PASSWORD = 6
/** Maximum length of a password, which bounds the time of hashing it. */
const MAX_PASSWORD = 1_024

/** The types of resources that a record may belong to. */
export const CUSTOMIZABLE: readonly string[] = ['User', 'UserProfile', 'Instance']

function rule(kind: string, options: Readonly<Record<string, unknown>> = {}, allowBlank = false): ValidationDef {
  const settings = Object.entries(options).map(([name, value]): [string, Setting] => [name, { kind: 'plain', value }])
  return {
    kind,
    options: Object.fromEntries(settings),
    message: null,
    if: null,
    allowNil: false,
    allowBlank,
    on: null,
  }
}

const EMAIL = [rule('presence'), rule('email'), rule('unique', { case_sensitive: false })]
const SHORT = { minimum: MIN_PASSWORD }
const LONG = rule('length', { maximum: MAX_PASSWORD })
const NEW_PASSWORD = [rule('length', SHORT), LONG]
const OTHER_PASSWORD = [rule('length', SHORT, true), LONG]
const NONE: readonly ValidationDef[] = []

/**
 * Returns the rules of a built-in attribute, which are checked before the configured ones. A configured rule of the same kind replaces a
 * built-in one when it always applies and is at least as strict. The message of the configured rule is then used.
 */
export function builtInRules(
  form: FormEntry,
  field: FieldDef,
  prefix: string,
  on: ValidationHost['on'],
  isSent: boolean,
): readonly ValidationDef[] {
  if (form.resource !== 'user' || prefix !== '' || field.virtual) return NONE
  if (field.name === 'email') return isSent || on === 'create' ? withoutReplaced(EMAIL, field) : NONE
  if (field.name !== 'password' || !isSent) return NONE
  // In an update, a blank password means that it is unchanged.
  return withoutReplaced(on === 'create' ? NEW_PASSWORD : OTHER_PASSWORD, field)
}

function withoutReplaced(rules: readonly ValidationDef[], field: FieldDef): readonly ValidationDef[] {
  if (field.validations.length === 0) return rules
  return rules.filter((builtInRules) => !field.validations.some((configured) => replaces(configured, builtInRules)))
}

function replaces(configured: ValidationDef, builtIn: ValidationDef): boolean {
  if (configured.kind !== builtIn.kind || builtIn.kind === 'unique') return false
  if (configured.if !== null || configured.on !== null || configured.allowNil) return false
  if (configured.allowBlank && !builtIn.allowBlank) return false
  if (builtIn.kind !== 'length') return true
  const { minimum, maximum } = configured.options
  if (builtIn === LONG) return maximum?.kind === 'plain' && Number(maximum.value) <= MAX_PASSWORD
  return minimum?.kind === 'plain' && Number(minimum.value) >= MIN_PASSWORD
}

/** The e-mail address of a user, which is checked for a new user even when the form does not contain it. */
export const USER_EMAIL: FieldDef = {
  name: 'email',
  type: 'string',
  virtual: false,
  readonly: false,
  default: null,
  validations: [],
  options: {},
}

/** Checks the fields that name the resource to which a record belongs. */
export function attachmentProblems(form: FormEntry, state: FormState): readonly ValidationProblem[] {
  if (form.resource !== 'record') return []
  const { attributes } = fieldsOf(form)
  const values = { sentValues: state.sentValues ?? NO_VALUES, storedValues: state.storedResource }
  const has = (name: string): boolean => attributes.some((field) => field.name === name && !field.virtual)
  if (!has('customizable_type') && !has('customizable_id')) return []
  const type = valueOfField(values, 'attributes', 'customizable_type')
  const id = valueOfField(values, 'attributes', 'customizable_id')
  const problems: ValidationProblem[] = []
  if (!isBlank(type) && !CUSTOMIZABLE.includes(String(type)))
    problems.push({ key: 'inclusion', at: 'customizable_type' })
  if (
    !isSent(values.sentValues, 'attributes', 'customizable_type') &&
    !isSent(values.sentValues, 'attributes', 'customizable_id')
  )
    return problems
  if (!isBlank(type) && isBlank(id)) problems.push({ key: 'blank', at: 'customizable_id' })
  if (isBlank(type) && !isBlank(id)) problems.push({ key: 'blank', at: 'customizable_type' })
  return problems
}
