/** Mutations that name a form: what they send to it, and what comes back. The host has the forms. */
import { makeHash, setKey } from '../../page/values/hash.ts'
import { QueryError } from './model.ts'
import type { FormRoute, FormSending, Place } from './model.ts'

type Fields = Readonly<Record<string, unknown>>

/** The variable that holds the id of what a form has written: no document can declare one of this name. */
export const WRITTEN = '(written)'
/** The same for what `form_submit` shows: the changes that were made, and the messages of a form that was refused. */
export const CHANGES = '(changes)'
export const MESSAGES = '(messages)'

/** One sending of a form. */
export interface FormCall extends FormSending {
  readonly form: string
  readonly operation: FormRoute['operation']
  /** Null for the form of any resource. */
  readonly rows: FormRoute['rows'] | null
}

export type FormResult =
  /** Of what was written; the user that it is where it is one. */
  | { readonly id: string; readonly user?: string | null; readonly changes?: Fields }
  /** By flat field path. */
  | { readonly errors: ReadonlyMap<string, readonly string[]> }
  /** In a sentence. */
  | { readonly refusal: string }

/** A record's mutation through a form. @param names of its arguments that describe the record, the first that is given counts */
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

/** A user's mutation through a form. */
export function userForm(operation: FormRoute['operation']): FormRoute {
  return {
    rows: 'users',
    operation,
    read(args) {
      const { properties, profiles, ...attributes } = fieldsOf(args['user'])
      const sent = { ...attributes, properties: propertiesOf(properties), profiles: profilesOf(profiles) }
      return { id: textOf(args['id']), table: null, raw: operation === 'delete' ? null : sent }
    },
  }
}

function profilesOf(profiles: unknown): Fields {
  const named = makeHash([])
  for (const profile of itemsOf(profiles)) {
    const { properties } = fieldsOf(profile['values'])
    setKey(named, textOf(profile['name']) ?? 'default', { properties: propertiesOf(properties) })
  }
  return named
}

/** Keys of a property's input that hold a value, the first given counts. */
const VALUES = ['value', 'value_int', 'value_float', 'value_boolean', 'value_array', 'value_json']
const ATOMIC = ['array_append', 'array_remove', 'increment', 'decrement']
const MADE = 'value_upload'

function propertiesOf(properties: unknown): Fields {
  const named = makeHash([])
  for (const property of itemsOf(properties)) {
    const change = ATOMIC.find((key) => (property[key] ?? null) !== null)
    if (change !== undefined) throw problem(`\`${change}\` cannot be sent through a form, which checks whole values.`)
    if ((property[MADE] ?? null) !== null)
      throw problem(`\`${MADE}\` cannot be sent through a form: give the address of a file that is kept already.`)
    const given = [...VALUES, MADE].filter((one) => Object.hasOwn(property, one))
    // What has no value is not sent, so that it stays as it is.
    if (given.length === 0) continue
    const key = given.find((one) => (property[one] ?? null) !== null)
    setKey(named, String(property['name']), key === undefined ? null : property[key])
  }
  return named
}

function itemsOf(value: unknown): readonly Fields[] {
  return (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]).map(fieldsOf)
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** Whoever sends forms. */
interface FormHost {
  readonly viewer: string | null
  readonly throughForm: ((call: FormCall) => Promise<FormResult>) | null
}

/**
 * Sends a mutation's arguments through the form that they name.
 * @returns id of what was written
 * @throws QueryError with the messages of the form in `details`
 */
export async function sendForm(route: FormRoute, args: Fields, host: FormHost, at: Place): Promise<string> {
  const form = textOf(args['form_name']) ?? textOf(args['form_configuration_name']) ?? ''
  const { operation, rows } = route
  const sending = route.read(args)
  // Who names no user means the visitor.
  const id = operation === 'update' && rows === 'users' ? (sending.id ?? host.viewer) : sending.id
  if (operation !== 'create' && id === null) throw problem('Nobody is signed in: name the user by `id`.', at)
  if (host.throughForm === null)
    throw problem(`\`${form}\`: forms are sent from pages, and by programs to the REST API.`, at)
  const result = await host.throughForm({ ...sending, id: operation === 'create' ? null : id, form, operation, rows })
  if ('id' in result) return result.id
  if ('refusal' in result) throw problem(result.refusal, at)
  const messages = messagesOf(result.errors)
  const said = [...result.errors].map(([path, texts]) => `${path} ${texts.join(', ')}`).join('; ')
  throw problem(`The form \`${form}\` refuses it: ${said}`, at, { messages })
}

/**
 * Sends a form of any resource, as `form_submit` names it.
 * @returns the variables of what it shows
 * @throws QueryError where nothing of it can be sent
 */
export async function submitForm(args: Fields, host: FormHost, at: Place): Promise<Fields> {
  const form = textOf(args['form_name']) ?? ''
  const fields = args['fields']
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw problem('`fields` must be an object, as `form` of a request.', at)
  if (host.throughForm === null)
    throw problem(`\`${form}\`: forms are sent from pages, and by programs to the REST API.`, at)
  const id = textOf(args['id'])
  const operation = id === null ? 'create' : 'update'
  const result = await host.throughForm({ id, table: null, raw: fields as Fields, form, operation, rows: null })
  if ('refusal' in result) throw problem(result.refusal, at)
  if ('errors' in result) return { [MESSAGES]: messagesOf(result.errors) }
  return { [WRITTEN]: result.user ?? host.viewer, [CHANGES]: result.changes ?? {} }
}

function messagesOf(errors: ReadonlyMap<string, readonly string[]>): Fields {
  return makeHash([...errors].map(([path, texts]) => [path, [...texts]] as const))
}

function problem(message: string, at: Place | null = null, details?: Fields): QueryError {
  return new QueryError([{ code: 'value', message, at, hint: null, ...(details !== undefined && { details }) }])
}
