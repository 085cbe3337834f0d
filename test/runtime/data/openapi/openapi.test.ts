/** The OpenAPI document of forms: its shape, the values that its schemas accept and reject, and what it must not contain. */
import { describe, expect, it } from 'vitest'
import { openApi } from '../../../../runtime/data/openapi/index.ts'
import type { FieldDef, FormEntry } from '../../../../runtime/page/site.ts'
import { site } from '../../../support/server/site.ts'
import { field, form, group, liquid, plain, rule } from './forms.ts'
import { matchesSchema } from './json-schema.ts'
import { inconsistencies, type OpenApiDocument, openApiDocument } from './rules-document.ts'

function documentOf(...forms: readonly FormEntry[]): OpenApiDocument {
  const entries = forms.map((each) => [each.name, each] as const)
  const compiled = site([], { forms: Object.fromEntries(entries) })
  const document = openApi(compiled, { title: 'Shop', version: '1.2.3', url: 'https://shop.example' })
  const read = JSON.parse(JSON.stringify(document)) as unknown
  expect(inconsistencies(read)).toEqual([])
  expect(openApiDocument.safeParse(read).error).toBeUndefined()
  return read as OpenApiDocument
}

type Loose = { readonly [key: string]: Loose } & { readonly type?: unknown; readonly required?: readonly string[] }

/** Returns the schema of the request of `operation` for the form. */
function requestOf(entry: FormEntry, operation: string): Loose {
  return documentOf(entry).components.schemas[`${entry.name.replaceAll('/', '.')}.${operation}`] as Loose
}

/** Returns the schema of one field of a record. */
function fieldSchema(one: FieldDef, operation = 'createCustomization'): Loose {
  const entry = form('f', 'record', group([], [one]))
  return requestOf(entry, operation)['properties']?.['form']?.['properties']?.['properties']?.['properties']?.[
    one.name
  ] as Loose
}

const listing = form(
  'listings/new',
  'record',
  group(
    [field('external_id')],
    [
      field('title', 'string', rule('presence'), rule('length', { minimum: 3, maximum: 80 })),
      field('price', 'integer', rule('numericality', { greater_than_or_equal_to: 0 }, { allowNil: true })),
    ],
    [
      {
        kind: 'custom_images',
        name: 'photo',
        table: null,
        validations: [rule('presence')],
        fields: group([field('image', 'photo'), field('remote_image_url')]),
      },
      {
        kind: 'customizations',
        name: 'size',
        table: 'size',
        validations: [],
        fields: group([], [field('width', 'float', rule('presence'))]),
      },
    ],
  ),
  {
    table: 'listing',
    policies: ['signed_in'],
    spamProtection: { provider: 'recaptcha_v3', action: 'new', minimumScore: 0.5 },
  },
)
const signUp = form(
  'sign_up',
  'user',
  group(
    [field('email', 'string', rule('presence'), rule('email')), field('password')],
    [],
    [{ kind: 'profiles', name: 'seller', table: null, validations: [], fields: group([field('enabled', 'boolean')]) }],
  ),
)
const logIn = form('log_in', 'session', group())

describe('the document', () => {
  it('has an operation for each row of the interface', () => {
    const { paths, info, servers, openapi } = documentOf(listing, signUp, logIn)
    expect({ openapi, info, servers }).toEqual({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1.2.3' },
      servers: [{ url: 'https://shop.example' }],
    })
    const rows = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, each]) => [
        `${method} ${path}`,
        each?.operationId,
        Object.keys(each?.responses ?? {}).join(' '),
      ]),
    )
    expect(rows).toEqual([
      ['post /api/user/customizations', 'createCustomization', '201 401 403 404 406 413 422'],
      ['put /api/user/customizations/{customization_id}', 'updateCustomization', '204 401 403 404 406 413 422'],
      ['delete /api/user/customizations/{customization_id}', 'deleteCustomization', '204 401 403 404 406 413'],
      ['post /api/users', 'createUser', '201 401 403 404 406 413 422'],
      ['put /api/users/{user_id}', 'updateUser', '204 401 403 404 406 413 422'],
      ['delete /api/users/{user_id}', 'deleteUser', '204 401 403 404 406 413'],
      ['post /api/sessions', 'login', '201 401 403 404 406 413 422 429'],
      ['delete /api/sessions', 'logout', '204 401 403 404 406 413'],
    ])
  })

  it('has forms of profiles', () => {
    const { paths } = documentOf(form('profile', 'profile', group([field('enabled', 'boolean')]), { table: 'seller' }))
    expect(Object.keys(paths)).toEqual(['/api/user_profiles/{profile_id}'])
  })

  it('leaves out what no form reaches', () => {
    expect(Object.keys(documentOf(logIn).paths)).toEqual(['/api/sessions'])
    const hidden = form('internal', 'user', group([field('email')]), { requestAllowed: false })
    const document = documentOf(logIn, hidden)
    expect(Object.keys(document.paths)).toEqual(['/api/sessions'])
    expect(JSON.stringify(document)).not.toContain('internal')
  })

  it('tells forms apart by their name', () => {
    const other = form('modules/shop/new', 'record', group([], [field('x')]))
    const { paths, components } = documentOf(listing, other)
    const { content } = paths['/api/user/customizations']!.post!.requestBody
    expect(content['application/json']!.schema).toEqual({
      type: 'object',
      oneOf: [
        { $ref: '#/components/schemas/listings.new.createCustomization' },
        { $ref: '#/components/schemas/modules.shop.new.createCustomization' },
      ],
      discriminator: {
        propertyName: 'form_name',
        mapping: {
          'listings/new': '#/components/schemas/listings.new.createCustomization',
          'modules/shop/new': '#/components/schemas/modules.shop.new.createCustomization',
        },
      },
    })
    const one = components.schemas['modules.shop.new.createCustomization'] as Loose
    expect(one['properties']?.['form_name']).toEqual({ type: 'string', const: 'modules/shop/new' })
  })

  it('gives each form a name of its own', () => {
    const names = ['a/b', 'a.b', 'A b', 'Grüße', 'Grüsse', '__proto__', 'constructor', 'a" onload="']
    const document = documentOf(...names.map((name) => form(name, 'user', group([field('email')]))))
    const { schema } = document.paths['/api/users']!.post!.requestBody.content['application/json']!
    const mapping = Object.entries(
      (schema as { discriminator: { mapping: Record<string, string> } }).discriminator.mapping,
    )
    expect(mapping.map(([name]) => name).toSorted()).toEqual(names.toSorted())
    expect(new Set(mapping.map(([, target]) => target.toLowerCase())).size).toBe(names.length)
  })

  it('of a site without forms is one still', () => {
    const compiled = site([], { forms: {} })
    const document = openApi(compiled, { title: 'Shop', version: '1', url: '/' })
    expect(openApiDocument.safeParse(JSON.parse(JSON.stringify(document))).success).toBe(true)
    expect(document['paths']).toEqual({})
  })

  it('tells what each answer holds', () => {
    const { components } = documentOf(listing, signUp, logIn)
    expect(components.responses['Unauthorized']!.content).toEqual({
      'application/vnd.api+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: { errors: { base: ['Unathorized'] } },
      },
    })
    expect(components.responses['Done']).not.toHaveProperty('content')
    expect(Object.keys(components.responses['SignedIn']!.headers ?? {})).toEqual(['Set-Cookie'])
    expect(Object.keys(components.responses['TooMany']!.headers ?? {})).toEqual(['Retry-After'])
    const problem = components.schemas['ValidationErrors'] as Loose
    expect(matchesSchema(problem, { id: null, errors: { 'properties.title': ['is too short'] } })).toBe(true)
    expect(matchesSchema(problem, { id: null, errors: { title: 'is too short' } })).toBe(false)
  })
})

describe('what a form sends', () => {
  const request = requestOf(listing, 'createCustomization')
  const body = {
    form_name: 'listings/new',
    parent_resource_id: 'listing',
    form: {
      model_schema_name: 'listing',
      properties: { title: 'Lamp', price: 5 },
      custom_images: { photo: { image: 'aGVsbG8=' } },
    },
  }
  const without = (key: string): unknown => Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))
  const withForm = (more: object): unknown => ({ ...body, form: { ...body.form, ...more } })

  it('is taken where it is right', () => {
    expect(matchesSchema(request, body)).toBe(true)
    expect(matchesSchema(request, withForm({ properties: { title: 'Lamp' }, external_id: null }))).toBe(true)
    expect(matchesSchema(request, withForm({ customizations: { size: { properties: { width: 1.5 } } } }))).toBe(true)
  })

  it.each([
    ['no form_name', without('form_name')],
    ['no form', without('form')],
    ['no table', without('parent_resource_id')],
    ['another form_name', { ...body, form_name: 'listings/edit' }],
    ['a list for the form', { ...body, form: [] }],
    ['no name of the schema', withForm({ model_schema_name: undefined })],
    ['no properties', withForm({ properties: undefined })],
    ['no title', withForm({ properties: { price: 5 } })],
    ['no text as title', withForm({ properties: { title: null } })],
    ['a blank title', withForm({ properties: { title: '   ' } })],
    ['a short title', withForm({ properties: { title: 'ab' } })],
    ['a long title', withForm({ properties: { title: 'x'.repeat(81) } })],
    ['a price below', withForm({ properties: { title: 'Lamp', price: -1 } })],
    ['a price that is none', withForm({ properties: { title: 'Lamp', price: 'much' } })],
    ['no image', withForm({ custom_images: {} })],
    ['half a size', withForm({ customizations: { size: { properties: {} } } })],
  ])('is refused with %s', (_, sent) => {
    expect(matchesSchema(request, JSON.parse(JSON.stringify(sent)))).toBe(false)
  })

  it('need not repeat what is stored', () => {
    const update = requestOf(listing, 'updateCustomization')
    const sent = { form_name: 'listings/new' }
    expect(matchesSchema(update, { ...sent, form: {} })).toBe(true)
    expect(matchesSchema(update, { ...sent, form: { properties: { title: 'ab' } } })).toBe(false)
    expect(matchesSchema(update, { ...sent, form: { properties: { title: null } } })).toBe(false)
  })

  it('is the name alone where something is deleted', () => {
    const remove = requestOf(listing, 'deleteCustomization')
    expect(Object.keys(remove['properties'] ?? {})).toEqual(['form_name'])
    expect(Object.keys(requestOf(logIn, 'logout')['properties'] ?? {})).toEqual(['form_name'])
  })

  it('has e-mail and password where somebody logs in', () => {
    const login = requestOf(logIn, 'login')
    const sent = (values: object): object => ({ form_name: 'log_in', form: values })
    expect(matchesSchema(login, sent({ email: 'a@b.example', password: 'secret' }))).toBe(true)
    expect(matchesSchema(login, sent({ email: 'a@b.example' }))).toBe(false)
    expect(matchesSchema(login, sent({ password: 'secret' }))).toBe(false)
  })

  it('holds users against the rules that they have in any case', () => {
    const create = requestOf(form('u', 'user', group([field('email'), field('password')])), 'createUser')
    const sent = (values: object): object => ({ form_name: 'u', form: values })
    expect(matchesSchema(create, sent({ email: 'a@b.example', password: 'secret' }))).toBe(true)
    expect(matchesSchema(create, sent({ email: 'a@b.example', password: 'short' }))).toBe(false)
    expect(matchesSchema(create, sent({ email: 'nobody', password: 'secret' }))).toBe(false)
    expect(matchesSchema(create, sent({ password: 'secret' }))).toBe(false)
  })

  it('may leave to the site what the site fills', () => {
    const fields = group(
      [],
      [field('title', 'string', rule('presence')), field('owner', 'string', rule('presence'))],
      [{ kind: 'customizations', name: 'size', table: 'size', validations: [rule('presence')], fields: group() }],
    )
    const requiredBy = (defaultPayload: FormEntry['defaultPayload']): readonly unknown[] => {
      const values = requestOf(form('f', 'record', fields, { defaultPayload }), 'createCustomization')['properties']?.[
        'form'
      ]
      return [values?.['properties']?.['properties']?.required, values?.['properties']?.['customizations']?.required]
    }
    expect(requiredBy(null)).toEqual([['title', 'owner'], ['size']])
    expect(requiredBy(plain('{"properties_attributes": {"owner": "me"}}'))).toEqual([['title'], ['size']])
    expect(
      requiredBy({ kind: 'map', entries: { properties: { kind: 'map', entries: { owner: plain('me') } } } }),
    ).toEqual([['title'], ['size']])
    expect(requiredBy(plain('{"customizations": {"size": {}}}'))).toEqual([['title', 'owner'], undefined])
    expect(requiredBy(plain(''))).toEqual([['title', 'owner'], ['size']])
    expect(requiredBy(liquid('{}'))).toEqual([undefined, undefined])
    const told = requestOf(form('f', 'record', fields, { defaultPayload: liquid('{}') }), 'createCustomization')
    expect(told['description']).toBe('The form `f`. The site fills some of its fields itself.')
  })
})

describe('a field', () => {
  it.each([
    ['string', 'a', 1],
    ['integer', 5, 1.5],
    ['float', 1.5, true],
    ['decimal', '1.50', true],
    ['boolean', false, 5],
    ['array', ['a', 1], { a: 1 }],
    ['geojson', { type: 'Point' }, 5],
    ['upload', 'aGVsbG8=', 5],
    ['datetime', '2026-01-01T10:00:00Z', 5],
    ['date', '2026-01-01', 5],
  ] as const)('%s takes its own kind, and nothing', (type, right, wrong) => {
    const schema = fieldSchema(field('x', type))
    expect(matchesSchema(schema, right)).toBe(true)
    expect(matchesSchema(schema, null)).toBe(true)
    expect(matchesSchema(schema, wrong)).toBe(false)
  })

  it.each<[string, FieldDef, unknown, unknown]>([
    ['a present boolean is true', field('x', 'boolean', rule('presence')), true, false],
    ['a present list has something', field('x', 'array', rule('presence')), ['a'], []],
    ['e-mail', field('x', 'string', rule('email')), 'a@b.example', 'a.b'],
    ['exact length', field('x', 'string', rule('length', { is: 2 })), 'ab', 'abc'],
    ['length as a range', field('x', 'string', rule('length', { in: [2, 3] })), 'abc', 'abcd'],
    ['length of lists', field('x', 'array', rule('length', { maximum: 1 })), ['a'], ['a', 'b']],
    ['choice', field('x', 'string', rule('inclusion', { in: ['red', 'blue'] })), 'red', 'green'],
    ['choice of numbers', field('x', 'integer', rule('inclusion', { in: [1, 2] })), 2, 3],
    ['pattern', field('x', 'string', rule('format', { with: '\\A[a-z]+\\z' })), 'abc', 'abc1'],
    [
      'pattern of a line',
      field('x', 'string', rule('format', { with: '^[a-z]+$', multiline: true })),
      'abc\n1',
      '1\n2',
    ],
    ['pattern from end to end', field('x', 'string', rule('format', { with: '^[a-z]+$' })), 'abc', 'abc\n1'],
    ['pattern between slashes', field('x', 'string', rule('format', { with: '/^\\w+\\-\\d$/' })), 'a-1', 'a1'],
    ['pattern that must not be', field('x', 'string', rule('format', { without: '[<>]' })), 'ab', 'a<b'],
    ['odd', field('x', 'integer', rule('numericality', { odd: true })), 5, 4],
    ['odd as text', field('x', 'string', rule('numericality', { odd: true })), '5', 4],
    ['more than', field('x', 'integer', rule('numericality', { greater_than: 1 })), 2, 1],
    ['less than', field('x', 'float', rule('numericality', { less_than: 1 })), 0.5, 1],
    ['at most', field('x', 'float', rule('numericality', { less_than_or_equal_to: 1 })), 1, 1.1],
    ['even', field('x', 'integer', rule('numericality', { even: true })), 4, 5],
    ['whole', field('x', 'float', rule('numericality', { only_integer: true })), 4, 4.5],
    ['consent', field('x', 'string', rule('acceptance', { accept: ['1', true] })), true, 'no'],
    [
      'two ranges',
      field('x', 'integer', rule('numericality', { less_than: 9 }), rule('numericality', { less_than: 5 })),
      4,
      5,
    ],
    ['blank where it may be', field('x', 'string', rule('length', { minimum: 3 }, { allowBlank: true })), '', 'ab'],
  ])('%s', (_, one, right, wrong) => {
    const schema = fieldSchema(one)
    expect(matchesSchema(schema, right)).toBe(true)
    expect(matchesSchema(schema, wrong)).toBe(false)
  })

  it('with several rules of a kind has the closest bounds, and all of the others', () => {
    const rules = [
      rule('presence'),
      rule('length', { minimum: 3, maximum: 80 }),
      rule('length', { minimum: 5, maximum: 90 }),
      rule('format', { with: 'a' }),
    ]
    const schema = fieldSchema(field('x', 'string', ...rules))
    expect(schema).toEqual({ type: 'string', minLength: 5, maxLength: 80, pattern: '\\S', allOf: [{ pattern: 'a' }] })
  })

  it('says in words what no keyword says', () => {
    const text = (one: FieldDef): unknown => fieldSchema(one)['description']
    expect(text(field('x', 'string', rule('unique')))).toBe('Unique.')
    expect(text(field('x', 'string', rule('uniqueness', { scope: ['a', 'b'] })))).toBe('Unique for each a and b.')
    expect(text(field('x', 'string', rule('confirmation')))).toBe('Must be sent again as `x_confirmation`.')
    expect(text(field('x', 'date', rule('date', { on_or_after: '2026-01-01' })))).toBe('Is on or after 2026-01-01.')
    expect(text(field('x', 'string', rule('format', { with: '(?i)a' })))).toBe('Matches `(?i)a`.')
    expect(text(field('x', 'string', rule('presence', {}, { if: liquid('true') })))).toBe(
      'The rule presence applies only under a condition.',
    )
    expect(text({ ...field('x'), virtual: true })).toBe('Checked, but not stored.')
  })

  it('has to be sent where a rule refuses nothing', () => {
    const needs = (...rules: ReturnType<typeof rule>[]): boolean => {
      const entry = form('f', 'record', group([field('x', 'string', ...rules)]))
      return (requestOf(entry, 'createCustomization')['properties']?.['form']?.required ?? []).includes('x')
    }
    expect(needs()).toBe(false)
    expect(needs(rule('presence'))).toBe(true)
    expect(needs(rule('presence', {}, { allowBlank: true }))).toBe(false)
    expect(needs(rule('email'))).toBe(false)
    expect(needs(rule('inclusion', { in: ['a'] }))).toBe(true)
    expect(needs(rule('inclusion', { in: ['a', null] }))).toBe(false)
    expect(needs(rule('inclusion', { in: ['a'] }, { allowNil: true }))).toBe(false)
    expect(needs(rule('length', { minimum: 1 }))).toBe(true)
    expect(needs(rule('length', { maximum: 5 }))).toBe(false)
    expect(needs(rule('numericality'))).toBe(true)
    expect(needs(rule('acceptance'))).toBe(true)
    expect(needs(rule('format', { with: 'a' }))).toBe(true)
    expect(needs(rule('format', { with: 'a*' }))).toBe(false)
    expect(needs(rule('format', { without: 'a' }))).toBe(false)
  })

  it('may be a file, under one of its names', () => {
    const image = field('image', 'photo', rule('presence'))
    const nested = {
      kind: 'custom_images',
      name: 'photo',
      table: null,
      validations: [],
      fields: group([image]),
    } as const
    const request = requestOf(form('f', 'user', group([], [], [nested])), 'createUser')
    const sent = (photo: object): object => ({ form_name: 'f', form: { custom_images: { photo } } })
    expect(matchesSchema(request, sent({ image: 'aGVsbG8=' }))).toBe(true)
    expect(matchesSchema(request, sent({ remote_image_url: 'https://a.example/b.png' }))).toBe(true)
    expect(matchesSchema(request, sent({}))).toBe(false)
  })

  it('by which a record hangs on something comes with its other half', () => {
    const fields = group([field('customizable_id', 'integer'), field('customizable_type')])
    const update = requestOf(form('f', 'record', fields), 'updateCustomization')
    const sent = (values: object): object => ({ form_name: 'f', form: values })
    expect(matchesSchema(update, sent({ customizable_id: 5, customizable_type: 'User' }))).toBe(true)
    expect(matchesSchema(update, sent({ customizable_id: 5 }))).toBe(false)
    expect(matchesSchema(update, sent({ customizable_id: 5, customizable_type: 'Cat' }))).toBe(false)
  })

  it('does not hold anybody against what is computed, conditional or of the other operation', () => {
    const range: FieldDef = {
      ...field('x', 'integer'),
      validations: [{ ...rule('numericality'), options: { less_than: liquid('5') } }],
    }
    expect(matchesSchema(fieldSchema(range), 500)).toBe(true)
    expect(matchesSchema(fieldSchema(field('x', 'string', rule('presence', {}, { if: liquid('true') }))), '')).toBe(
      true,
    )
    const onUpdate = field('x', 'string', rule('presence', {}, { on: 'update' }))
    expect(matchesSchema(fieldSchema(onUpdate), '')).toBe(true)
    expect(matchesSchema(fieldSchema(onUpdate, 'updateCustomization'), '')).toBe(false)
  })

  it('tells what is only read, what is never read, and what is there without it', () => {
    const one: FieldDef = { ...field('x', 'integer', rule('presence')), readonly: true, default: plain(5) }
    expect(fieldSchema(one)).toMatchObject({ type: 'integer', readOnly: true, default: 5 })
    const password = requestOf(signUp, 'createUser')['properties']?.['form']?.['properties']?.['password']
    expect(password).toMatchObject({ writeOnly: true, minLength: 6 })
  })

  it('may have any name', () => {
    const names = ['__proto__', 'constructor', 'toString', '1', 'ä b"c']
    const entry = form(
      'f',
      'record',
      group(
        [],
        names.map((name) => field(name, 'string', rule('presence'))),
      ),
    )
    const values = requestOf(entry, 'createCustomization')['properties']?.['form']?.['properties']?.['properties']
    expect(Object.keys(values?.['properties'] ?? {}).toSorted()).toEqual(names.toSorted())
    expect(values?.required).toEqual(names)
  })
})
