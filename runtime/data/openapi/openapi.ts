/** Creates the OpenAPI 3.1 document of a site's forms, from which clients can be generated. */
import { fieldsOf } from '../forms/fields.ts'
import type { CompiledSite, FieldDef, FieldGroup, FormEntry, ValidationDef } from '../../page/site.ts'
import { type PropertySchema, groupSchema, objectOf } from './fields.ts'
import type { DocumentFacts, WriteKind, Schema } from './model.ts'
import { createNameGenerator } from './names.ts'
import { staticValueOf } from './static-setting.ts'
import { BODIES, refTo, type ResponseName, RESPONSES } from './responses.ts'
import { isObject } from '../values/json-data.ts'

interface Operation {
  readonly path: string
  readonly method: 'post' | 'put' | 'delete'
  readonly resource: FormEntry['resource']
  readonly id: string
  readonly summary: string
  /** The kind of write operation for which the values are validated; null when no values are sent. */
  readonly on: WriteKind | null
  /** The name of the path parameter. */
  readonly key?: string
  readonly answers: Readonly<Record<number, ResponseName>>
}

const REFUSED = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  413: 'TooLarge',
} as const
const INVALID = { 422: 'Invalid' } as const

const RECORDS = '/api/user/customizations'
const RECORD = `${RECORDS}/{customization_id}`
const USER = '/api/users/{user_id}'
const PROFILE = '/api/user_profiles/{profile_id}'

const OPERATIONS: readonly Operation[] = [
  {
    path: RECORDS,
    method: 'post',
    resource: 'record',
    id: 'createCustomization',
    summary: 'Create a customization',
    on: 'create',
    answers: { 201: 'Created', ...REFUSED, ...INVALID },
  },
  {
    path: RECORD,
    method: 'put',
    resource: 'record',
    id: 'updateCustomization',
    summary: 'Update a customization',
    on: 'update',
    key: 'customization_id',
    answers: { 204: 'Done', ...REFUSED, ...INVALID },
  },
  {
    path: RECORD,
    method: 'delete',
    resource: 'record',
    id: 'deleteCustomization',
    summary: 'Delete a customization',
    on: null,
    key: 'customization_id',
    answers: { 204: 'Done', ...REFUSED },
  },
  {
    path: '/api/users',
    method: 'post',
    resource: 'user',
    id: 'createUser',
    summary: 'Create a user',
    on: 'create',
    answers: { 201: 'Created', ...REFUSED, ...INVALID },
  },
  {
    path: USER,
    method: 'put',
    resource: 'user',
    id: 'updateUser',
    summary: 'Update a user',
    on: 'update',
    key: 'user_id',
    answers: { 204: 'Done', ...REFUSED, ...INVALID },
  },
  {
    path: USER,
    method: 'delete',
    resource: 'user',
    id: 'deleteUser',
    summary: 'Delete a user',
    on: null,
    key: 'user_id',
    answers: { 204: 'Done', ...REFUSED },
  },
  {
    path: PROFILE,
    method: 'put',
    resource: 'profile',
    id: 'updateProfile',
    summary: 'Update a profile',
    on: 'update',
    key: 'profile_id',
    answers: { 204: 'Done', ...REFUSED, ...INVALID },
  },
  {
    path: PROFILE,
    method: 'delete',
    resource: 'profile',
    id: 'deleteProfile',
    summary: 'Delete a profile',
    on: null,
    key: 'profile_id',
    answers: { 204: 'Done', ...REFUSED },
  },
  {
    path: '/api/sessions',
    method: 'post',
    resource: 'session',
    id: 'login',
    summary: 'Log in',
    on: 'create',
    answers: { 201: 'SignedIn', ...REFUSED, ...INVALID, 429: 'TooMany' },
  },
  {
    path: '/api/sessions',
    method: 'delete',
    resource: 'session',
    id: 'logout',
    summary: 'Log out',
    on: null,
    answers: { 204: 'Done', ...REFUSED },
  },
]

const TAGS = { record: 'Customizations', user: 'Users', profile: 'Profiles', session: 'Sessions' } as const

/** @returns plain data, to be written with `JSON.stringify` */
export function openApi(site: CompiledSite, { title, version, url }: DocumentFacts): Schema {
  const forms = Object.values(site.forms)
    .filter(({ requestAllowed }) => requestAllowed)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const nameFor = createNameGenerator(Object.keys(BODIES))
  const schemas: Record<string, Schema> = {}
  const answers = new Set<ResponseName>()
  const paths: Record<string, Record<string, Schema>> = {}
  const tags = new Set<string>()
  for (const operation of OPERATIONS) {
    const matchingForms = forms.filter(({ resource }) => resource === operation.resource)
    if (matchingForms.length === 0) continue
    const mapping: [string, string][] = matchingForms.map((form) => {
      const name = nameFor(`${form.name}.${operation.id}`)
      schemas[name] = requestSchema(form, operation)
      return [form.name, refTo(name)]
    })
    tags.add(TAGS[operation.resource])
    for (const name of Object.values(operation.answers)) answers.add(name)
    const path = (paths[operation.path] ??= {})
    path[operation.method] = operationOf(operation, mapping)
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url }],
    tags: [...tags].map((name) => ({ name })),
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The value is `Token token=<API_TOKEN>`. Tokens with the scope `read` cannot write.',
        },
      },
      ...componentsOf(schemas, [...answers]),
    },
  }
}

/** Returns the components: the responses that operations refer to, and the schemas of bodies. */
function componentsOf(requests: Readonly<Record<string, Schema>>, answers: readonly ResponseName[]): Schema {
  const responses = Object.fromEntries(answers.map((name) => [name, RESPONSES[name]]))
  const text = JSON.stringify(responses)
  const bodies = Object.entries(BODIES).filter(([name]) => text.includes(`"${refTo(name)}"`))
  return { schemas: { ...Object.fromEntries(bodies), ...requests }, responses }
}

function operationOf(operation: Operation, mapping: readonly (readonly [string, string])[]): Schema {
  const refs = mapping.map(([, $ref]) => ({ $ref }))
  const schema = {
    type: 'object',
    oneOf: refs,
    discriminator: { propertyName: 'form_name', mapping: Object.fromEntries(mapping) },
  }
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [TAGS[operation.resource]],
    ...(operation.key === undefined
      ? {}
      : { parameters: [{ name: operation.key, in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }] }),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: Object.fromEntries(
      Object.entries(operation.answers).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
  }
}

function requestSchema(form: FormEntry, { resource, on }: Operation): Schema {
  const entries: PropertySchema[] = [
    { name: 'form_name', schema: { type: 'string', const: form.name }, required: true },
  ]
  if (on === null) return objectOf(entries, descriptionOf(form))
  const table = form.table === null ? {} : { examples: [form.table] }
  const creates = resource === 'record' && on === 'create'
  const schemaName: PropertySchema = {
    name: 'model_schema_name',
    schema: { type: 'string', description: 'Name of the table.', ...table },
    required: true,
  }
  const values = groupSchema(
    withCredentials(form),
    { form, on, isFilledBySite: filledBy(form) },
    creates ? [schemaName] : [],
  )
  entries.push({ name: 'form', schema: values, required: true })
  if (creates) {
    const schema = { type: ['integer', 'string'], description: 'Id or name of the table.', ...table }
    entries.push({ name: 'parent_resource_id', schema, required: true })
  }
  return objectOf(entries, descriptionOf(form))
}

/** Returns the fields of a form. For a sign-in form, the credentials are required. */
function withCredentials(form: FormEntry): FieldGroup {
  const group = fieldsOf(form)
  if (form.resource !== 'session') return group
  const needed = (field: FieldDef): FieldDef =>
    field.name === 'email' || field.name === 'password'
      ? { ...field, validations: [...field.validations, PRESENCE] }
      : field
  return { ...group, attributes: group.attributes.map(needed) }
}

const PRESENCE: ValidationDef = {
  kind: 'presence',
  options: {},
  message: null,
  if: null,
  allowNil: false,
  allowBlank: false,
  on: null,
}

function descriptionOf(form: FormEntry): string {
  const policies = form.policies.length === 0 ? '' : ` Held against ${form.policies.join(', ')}.`
  const computed = form.defaultPayload !== null && payloadOf(staticValueOf(form.defaultPayload)) === undefined
  return `The form \`${form.name}\`.${policies}${computed ? ' The site fills some of its fields itself.' : ''}`
}

/**
 * Returns a function that says whether the site's `default_payload` fills the field at a path. A computed payload may fill any field, so no
 * field is then required.
 */
function filledBy({ defaultPayload }: FormEntry): (path: string) => boolean | null {
  if (defaultPayload === null) return () => false
  const payload = payloadOf(staticValueOf(defaultPayload))
  if (payload === undefined) return () => null
  return (path) => {
    let value: unknown = payload
    for (const key of path.split('.')) {
      if (!isObject(value)) return false
      const payloadValues: Readonly<Record<string, unknown>> = value
      const at = [key, `${key}_attributes`].find((name) => Object.hasOwn(payloadValues, name))
      if (at === undefined) return false
      value = payloadValues[at]
    }
    return true
  }
}

function payloadOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.trim() === '') return {}
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
