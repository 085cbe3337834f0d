/** The document and the server agree: a record is created from input that a schema accepts, and other input is refused. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApi } from '../../../runtime/data/openapi/index.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { matchesSchema } from '../../runtime/data/openapi/json-schema.ts'
import type { OpenApiDocument } from '../../runtime/data/openapi/rules-document.ts'
import { schema } from './graphql/served.ts'
import { field, form, forms, group, nested, rule, type ServedForms, serveForms } from './rest/support.ts'
import { site } from '../../support/server/site.ts'

const CAR = {
  title: field('title', 'string', rule('presence'), rule('length', { minimum: 3, maximum: 10 })),
  color: field('color', 'string', rule('inclusion', { in: ['red', 'blue'] })),
  seats: {
    ...field('seats', 'integer'),
    validations: [{ ...rule('numericality', { greater_than: 0, only_integer: true }), allowNil: true }],
  },
  plate: {
    ...field('plate', 'string'),
    validations: [{ ...rule('format', { with: '\\A[A-Z]{2}\\d+\\z' }), allowBlank: true }],
  },
  tags: field('tags', 'array', rule('length', { maximum: 2 })),
  agreed: field('agreed', 'boolean', rule('acceptance')),
}

const compiled = site([], {
  data: schema({
    car: { title: 'string', color: 'string', seats: 'integer', plate: 'string', tags: 'array', agreed: 'boolean' },
    wheel: { size: 'integer' },
  }),
  forms: forms(
    form('car', {
      table: 'car',
      fields: group({
        attributes: [field('external_id')],
        properties: Object.values(CAR),
        nested: [
          nested('customizations', 'wheel', group({ properties: [field('size', 'integer', rule('presence'))] })),
        ],
      }),
    }),
    form('person', {
      resource: 'user',
      owner: 'self',
      fields: group({ attributes: [field('email'), field('password'), field('featured', 'boolean')] }),
    }),
  ),
})

let database: TestDatabase
let served: ServedForms
let document: OpenApiDocument

beforeAll(async () => {
  database = await testDatabase()
  served = await serveForms(compiled, database)
  document = JSON.parse(
    JSON.stringify(openApi(compiled, { title: 'Cars', version: '1', url: served.url })),
  ) as OpenApiDocument
})
afterAll(async () => {
  await served.close()
  await database.close()
})

const GOOD = { title: 'Beetle', color: 'red', agreed: true }
const car = (properties: object, more: object = {}): object => ({
  form_name: 'car',
  parent_resource_id: 'car',
  form: { model_schema_name: 'car', properties, ...more },
})
const person = (values: object): object => ({ form_name: 'person', form: values })

const CARS: readonly (readonly [string, object])[] = [
  ['a whole one', car({ ...GOOD, seats: 5, plate: 'KR12', tags: ['a', 'b'] }, { external_id: 'x-1' })],
  ['no more than it must have', car(GOOD)],
  ['nothing where nothing may be', car({ ...GOOD, seats: null, plate: null }, { external_id: null })],
  ['a blank plate', car({ ...GOOD, plate: '' })],
  ['no title', car({ color: 'red', agreed: true })],
  ['a title of nothing', car({ ...GOOD, title: null })],
  ['a title of blanks', car({ ...GOOD, title: '     ' })],
  ['a short title', car({ ...GOOD, title: 'ab' })],
  ['a title of ten signs of two units each', car({ ...GOOD, title: '🚗'.repeat(10) })],
  ['a title of eleven', car({ ...GOOD, title: '🚗'.repeat(11) })],
  ['no color', car({ title: 'Beetle', agreed: true })],
  ['another color', car({ ...GOOD, color: 'green' })],
  ['no seats at all', car({ ...GOOD, seats: 0 })],
  ['half a seat', car({ ...GOOD, seats: 1.5 })],
  ['many seats in words', car({ ...GOOD, seats: 'many' })],
  ['a wrong plate', car({ ...GOOD, plate: 'kr12' })],
  ['a plate of two lines', car({ ...GOOD, plate: 'KR12\nKR13' })],
  ['too many tags', car({ ...GOOD, tags: ['a', 'b', 'c'] })],
  ['no consent', car({ ...GOOD, agreed: false })],
  ['a wheel', car(GOOD, { customizations: { wheel: { properties: { size: 17 } } } })],
  ['a wheel of no size', car(GOOD, { customizations: { wheel: { properties: {} } } })],
  ['a list of properties', car([])],
  ['no form', { form_name: 'car', parent_resource_id: 'car' }],
  ['no table', { form_name: 'car', form: { model_schema_name: 'car', properties: GOOD } }],
  ['no name of the schema', { form_name: 'car', parent_resource_id: 'car', form: { properties: GOOD } }],
]

const PEOPLE: readonly (readonly [string, object])[] = [
  ['with all that one needs', person({ email: 'a@cars.test', password: 'secret' })],
  ['without a password', person({ email: 'b@cars.test' })],
  ['featured', person({ email: 'c@cars.test', featured: true })],
  ['with a short password', person({ email: 'd@cars.test', password: 'short' })],
  ['without an address', person({ password: 'secret' })],
  ['with an address of nothing', person({ email: null, password: 'secret' })],
  ['with half an address', person({ email: 'nobody', password: 'secret' })],
]

async function agree(path: string, body: object): Promise<void> {
  const { schema: union } = document.paths[path]!.post!.requestBody.content['application/json']!
  const taken = matchesSchema({ ...(union as object), components: document.components }, body)
  const { status, text } = await served.send('POST', path, body)
  expect({ taken, status, text }).toMatchObject(
    taken ? { status: 201 } : { status: expect.toSatisfy((code) => code === 422 || code === 406) },
  )
}

test.each(CARS)('a car: %s', (_, body) => agree('/api/user/customizations', body))
test.each(PEOPLE)('a person %s', (_, body) => agree('/api/users', body))

test('both ways are tried', () => {
  const verdicts = [
    ...CARS.map(([, body]) => ['/api/user/customizations', body] as const),
    ...PEOPLE.map(([, body]) => ['/api/users', body] as const),
  ].map(([path, body]) => {
    const { schema: union } = document.paths[path]!.post!.requestBody.content['application/json']!
    return matchesSchema({ ...(union as object), components: document.components }, body)
  })
  expect(verdicts.filter(Boolean).length).toBeGreaterThan(7)
  expect(verdicts.filter((taken) => !taken).length).toBeGreaterThan(15)
})
