/**
 * Runs mutations that name a form: converts their arguments to a submission of the form, and reads the result. The host submits the form.
 */
import { makeHash, setKey } from '../../page/values/hash.ts'
import { valueError } from './model.ts'
import type { FormRoute, FormRows, FormSubmission, SourceRange } from './model.ts'
import { isObject } from '../values/json-data.ts'

type Fields = Readonly<Record<string, unknown>>

/** The variable that contains the id of the written row. No document can declare a variable of this name. */
export const WRITTEN_VARIABLE = '(written)'
/** The variables for the result of `form_submit`: the changes, and the messages when the form was rejected. */
export const CHANGES_VARIABLE = '(changes)'
export const MESSAGES_VARIABLE = '(messages)'

/** A submission of a form by a mutation. */
export interface FormCall extends FormSubmission {
  readonly form: string
  readonly operation: FormRoute['operation']
  /** The resource that the form must have; null accepts a form of any resource. */
  readonly rows: FormRows | null
}

export type FormResult =
  /** The id of the written row, and the id of the user when the row belongs to one. */
  | { readonly id: string; readonly user?: string | null; readonly changes?: Fields }
  /** Messages by field path. */
  | { readonly errors: ReadonlyMap<string, readonly string[]> }
  /** Why the form was not processed. */
  | { readonly refusal: string }

/**
 * Converts the arguments of a mutation of a record.
 * @param names arguments that describe the record; the first given one is used
 */
export function recordForm(operation: FormRoute['operation'], names: readonly string[] = []): FormRoute {
  return {
    rows: 'records',
    operation,
    read(args) {
      const record = fieldsOf(names.map((name) => args[name]).find((one) => one !== null && one !== undefined))
      const { id, table, model_schema_name: schema, custom_model_type_name: type, properties, ...attributes } = record
      return {
        id: textOf(args['id']),
        table: textOf(table) ?? textOf(schema) ?? textOf(type) ?? textOf(args['table']),
        raw: operation === 'delete' ? null : { ...attributes, properties: propertiesOf(properties) },
      }
    },
  }
}

/** Converts the arguments of a mutation of a user. */
export function userForm(operation: FormRoute['operation']): FormRoute {
  return {
    rows: 'users',
    operation,
    read(args) {
      const { properties, profiles, ...attributes } = fieldsOf(args['user'])
      const submittedValues = { ...attributes, properties: propertiesOf(properties), profiles: profilesOf(profiles) }
      return { id: textOf(args['id']), table: null, raw: operation === 'delete' ? null : submittedValues }
    },
  }
}

function profilesOf(profiles: unknown): Fields {
  const profilesByType = makeHash([])
  for (const profile of itemsOf(profiles)) {
    const { properties } = fieldsOf(profile['values'])
    setKey(profilesByType, textOf(profile['name']) ?? 'default', { properties: propertiesOf(properties) })
  }
  return profilesByType
}

/** Keys of a property's input that can hold its value. The first one with a value is used. */
const VALUE_KEYS = ['value', 'value_int', 'value_float', 'value_boolean', 'value_array', 'value_json']
const ATOMIC_KEYS = ['array_append', 'array_remove', 'increment', 'decrement']
const UPLOAD_KEY = 'value_upload'

function propertiesOf(properties: unknown): Fields {
  const valuesByName = makeHash([])
  for (const property of itemsOf(properties)) {
    const change = ATOMIC_KEYS.find((key) => (property[key] ?? null) !== null)
    if (change !== undefined)
      throw valueError(`\`${change}\` cannot be sent through a form, because a form validates complete values.`)
    if ((property[UPLOAD_KEY] ?? null) !== null)
      throw valueError(
        `\`${UPLOAD_KEY}\` cannot be sent through a form: pass the URL of a file that is already stored.`,
      )
    const valueKey = [...VALUE_KEYS, UPLOAD_KEY].filter((one) => Object.hasOwn(property, one))
    // A property without a value is not sent, so it stays unchanged.
    if (valueKey.length === 0) continue
    const key = valueKey.find((one) => (property[one] ?? null) !== null)
    setKey(valuesByName, String(property['name']), key === undefined ? null : property[key])
  }
  return valuesByName
}

function itemsOf(value: unknown): readonly Fields[] {
  return (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map(fieldsOf)
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** Converts the arguments of a sign-in. */
export const sessionForm: FormRoute<'sessions'> = {
  rows: 'sessions',
  operation: 'create',
  read: ({ email, password, remember_me }) => ({ id: null, table: null, raw: { email, password, remember_me } }),
}

/** Returns whether the arguments of a mutation name a form. */
export function namesFormInArguments(args: Fields): boolean {
  return (textOf(args['form_name']) ?? textOf(args['form_configuration_name'])) !== null
}

/** Submits forms. */
interface FormHost {
  readonly viewer: string | null
  readonly submitForm: ((call: FormCall) => Promise<FormResult>) | null
}

/**
 * Submits the arguments of a mutation through the form that they name.
 * @returns id of the written row
 * @throws QueryError with the messages of the form in `details`
 */
export async function sendForm(
  route: FormRoute<FormRows>,
  args: Fields,
  host: FormHost,
  range: SourceRange,
): Promise<string> {
  const form = textOf(args['form_name']) ?? textOf(args['form_configuration_name']) ?? ''
  const { operation, rows } = route
  const sending = route.read(args)
  // Without an id, the signed-in user is updated.
  const id = operation === 'update' && rows === 'users' ? (sending.id ?? host.viewer) : sending.id
  if (operation !== 'create' && id === null) throw valueError('No user is signed in: pass the `id` of a user.', range)
  if (host.submitForm === null)
    throw valueError(`\`${form}\`: forms can be submitted only from pages and through the REST API.`, range)
  const result = await host.submitForm({ ...sending, id: operation === 'create' ? null : id, form, operation, rows })
  if ('id' in result) return result.id
  if ('refusal' in result) throw valueError(result.refusal, range)
  const messages = messagesOf(result.errors)
  const messageTexts = [...result.errors].map(([path, texts]) => `${path} ${texts.join(', ')}`).join('; ')
  throw valueError(`The form \`${form}\` rejected the values: ${messageTexts}`, range, { details: { messages } })
}

/**
 * Submits a form of any resource, for `form_submit`.
 * @returns the variables for reading its result
 * @throws QueryError when it cannot be submitted
 */
export async function submitForm(args: Fields, host: FormHost, range: SourceRange): Promise<Fields> {
  const form = textOf(args['form_name']) ?? ''
  const fields = args['fields']
  if (!isObject(fields)) throw valueError('`fields` must be an object, like `form` in a request.', range)
  if (host.submitForm === null)
    throw valueError(`\`${form}\`: forms can be submitted only from pages and through the REST API.`, range)
  const id = textOf(args['id'])
  const operation = id === null ? 'create' : 'update'
  const result = await host.submitForm({ id, table: null, raw: fields, form, operation, rows: null })
  if ('refusal' in result) throw valueError(result.refusal, range)
  if ('errors' in result) return { [MESSAGES_VARIABLE]: messagesOf(result.errors) }
  return { [WRITTEN_VARIABLE]: result.user ?? host.viewer, [CHANGES_VARIABLE]: result.changes ?? {} }
}

function messagesOf(errors: ReadonlyMap<string, readonly string[]>): Fields {
  return makeHash([...errors].map(([path, texts]) => [path, [...texts]] as const))
}
