/** The site for the tests of the REST API's table, and the expected form of refusals. */
import { expect } from 'vitest'
import { schema } from '../graphql/served.ts'
import { site } from '../../../support/server/site.ts'
import { field, form, forms, group, nested, rule, type Sent } from './support.ts'

const TABLES = schema({
  car: { make: 'string', price: 'integer', tags: 'array' },
  wheel: { size: 'integer' },
})

const CAR = form('create_car', {
  table: 'car',
  fields: group({
    attributes: [
      field('external_id'),
      field('customizable_id', 'integer'),
      field('customizable_type'),
      field('user_id', 'integer'),
    ],
    properties: [
      field('make', 'string', rule('presence'), rule('length', { maximum: 20 })),
      field('price', 'integer'),
      field('tags', 'array'),
    ],
    nested: [
      nested('customizations', 'wheel', group({ properties: [field('size', 'integer')] })),
      nested('custom_addresses', 'place', group({ attributes: [field('city'), field('latitude', 'float')] })),
    ],
  }),
})
const NAMES = ['external_id', 'first_name', 'middle_name', 'last_name', 'name'] as const
const USER = form('sign_up', {
  resource: 'user',
  fields: group({
    attributes: [
      field('email'),
      field('password'),
      ...NAMES.map((name) => field(name)),
      field('featured', 'boolean'),
      field('public_profile', 'boolean'),
    ],
    nested: [nested('profiles', 'default', group())],
  }),
})
const FORMS = forms(
  CAR,
  form('hidden_car', { table: 'car', requestAllowed: false }),
  form('guarded_car', { table: 'car', policies: ['nobody'], fields: CAR.fields }),
  USER,
  form('log_in', { resource: 'session' }),
  form('log_in_asking', {
    resource: 'session',
    fields: group({ attributes: [field('email'), field('password'), field('remember_me', 'boolean')] }),
  }),
)
const POLICIES = {
  nobody: {
    file: 'app/authorization_policies/nobody.liquid',
    name: 'nobody',
    render: () => 'false',
    redirectTo: null,
    flashAlert: null,
    status: 403 as const,
  },
}

export const tableSite = site([], { data: TABLES, forms: FORMS, policies: POLICIES })

export function isRefused({ status, headers, text }: Sent, wanted: number, said: string): void {
  expect([status, text]).toEqual([wanted, expect.stringContaining(said)])
  expect(headers.get('content-type')).toBe('application/vnd.api+json')
  expect(JSON.parse(text)).toMatchObject({ errors: { base: [said] } })
}

export function isEmpty({ status, headers, text }: Sent): void {
  expect([status, text, headers.get('content-type')]).toEqual([204, '', null])
}

/** An id that does not exist. */
export const UNKNOWN = '999999999'
