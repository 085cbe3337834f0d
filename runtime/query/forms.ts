/** Mutations that name a form: what they send to it, and what comes back. The host has the forms. */
import { makeHash, setKey } from '../values/hash.ts'
import { QueryError } from './model.ts'
import type { FormRoute, FormSending, Place } from './model.ts'

type Fields = Readonly<Record<string, unknown>>

/** The variable that holds the id of what a form has written: no document can declare one of this name. */
export const WRITTEN = '(written)'

/** One sending of a form. */
export interface FormCall extends FormSending {
  readonly form: string
  readonly operation: FormRoute['operation']
  readonly rows: FormRoute['rows']
}

export type FormResult =
  /** Of what was written. */
  | { readonly id: string }
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
const VALUES = ['value', 'value_int', 'value_float', 'value_boolean', 'value_array', 'value_json', 'value_upload']
const CHANGES = ['array_append', 'array_remove', 'increment', 'decrement']

function propertiesOf(properties: unknown): Fields {
  const named = makeHash([])
  for (const property of itemsOf(properties)) {
    const change = CHANGES.find((key) => (property[key] ?? null) !== null)
    if (change !== undefined) throw problem(`\`${change}\` cannot be sent through a form, which checks whole values.`)
    const key = VALUES.find((one) => (property[one] ?? null) !== null)
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
  const messages = makeHash([...result.errors].map(([path, texts]) => [path, [...texts]] as const))
  const said = [...result.errors].map(([path, texts]) => `${path} ${texts.join(', ')}`).join('; ')
  throw problem(`The form \`${form}\` refuses it: ${said}`, at, { messages })
}

function problem(message: string, at: Place | null = null, details?: Fields): QueryError {
  return new QueryError([{ code: 'value', message, at, hint: null, ...(details !== undefined && { details }) }])
}
