/** Tests every cell about records in the table of the REST API, against the running server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { ADMIN, type ServedForms, serveForms } from './support.ts'
import { isEmpty, isRefused, tableSite, UNKNOWN } from './table-site.ts'

let database: TestDatabase
let served: ServedForms

beforeAll(async () => {
  database = await testDatabase()
  served = await serveForms(tableSite, database, { bodyLimit: 100_000 })
})
afterAll(async () => {
  await served.close()
  await database.close()
})

const car = (properties: unknown, more: object = {}) => ({
  form_name: 'create_car',
  parent_resource_id: 'car',
  form: { model_schema_name: 'car', properties, ...more },
})

async function newCar(): Promise<number> {
  const { status, json } = await served.send('POST', '/api/user/customizations', car({ make: 'Fiat' }))
  expect(status).toBe(201)
  return json['id'] as number
}

async function carOf(id: number): Promise<Record<string, unknown>> {
  const [row] = await database.sql`select *, deleted_at is not null as gone from ingot.records where id = ${id}`
  return row ?? {}
}

describe('create customization', () => {
  test('201: stored, and its id is a number', async () => {
    const sent = await served.send(
      'POST',
      '/api/user/customizations',
      car({ make: 'Fiat', price: 1200, tags: ['a', 'b'], owner: 'x' }, { external_id: 'e1', secret: 1 }),
    )
    expect(sent.status).toBe(201)
    expect(sent.headers.get('content-type')).toBe('application/vnd.api+json')
    expect(sent.json).toEqual({ id: expect.any(Number), errors: {} })
    const row = await carOf(sent.json['id'] as number)
    expect(row).toMatchObject({
      table_id: served.ids.get('car'),
      external_id: 'e1',
      properties: { make: 'Fiat', price: 1200, tags: ['a', 'b'] },
    })
    expect(Object.keys(row['properties'] as object).sort()).toEqual(['make', 'price', 'tags'])
  })

  test('on every path, with or without an extension, by name or number of the table', async () => {
    const number = served.ids.get('car')
    for (const path of [
      '/api/user/customizations',
      '/api/customizations',
      '/api/user/models',
      '/api/models',
      '/api/user/records',
    ])
      for (const end of ['', '.json', '/']) {
        const body = { ...car({ make: 'Fiat' }), parent_resource_id: end === '' ? number : 'Car' }
        expect((await served.send('POST', path + end, body)).status, path + end).toBe(201)
      }
  })

  test('nested resources are stored with it', async () => {
    const { status, json } = await served.send(
      'POST',
      '/api/user/customizations',
      car(
        { make: 'Fiat' },
        {
          customizations: { wheel: { properties: { size: '17' } } },
          custom_addresses: { place: { city: 'Turin', latitude: 45.07 } },
        },
      ),
    )
    expect(status).toBe(201)
    const id = json['id'] as number
    const wheels = await database.sql`select * from ingot.records where customizable_id = ${id}`
    expect(wheels).toMatchObject([
      { customizable_type: 'Customization', table_id: served.ids.get('wheel'), properties: { size: 17 } },
    ])
    const places = await database.sql`select * from ingot.addresses where owner_id = ${id}`
    expect(places).toMatchObject([{ owner_type: 'Record', name: 'place', fields: { city: 'Turin', latitude: 45.07 } }])
  })

  test('401', async () => {
    for (const token of [null, 'wrong', '']) {
      const sent = await served.send('POST', '/api/user/customizations', car({ make: 'x' }), { token })
      isRefused(sent, 401, 'Unathorized')
      expect(sent.json).toEqual({ errors: { base: ['Unathorized'] } })
    }
  })

  test('404: a form that is not there, is of another kind, or is not offered', async () => {
    for (const form_name of ['nothing', 'sign_up', 'hidden_car', '__proto__', 'constructor']) {
      const sent = await served.send('POST', '/api/user/customizations', { ...car({ make: 'x' }), form_name })
      isRefused(sent, 404, 'Not Found')
      expect(sent.json).toEqual({ errors: { base: ['Not Found'] } })
    }
  })

  const shapes: readonly [unknown, string | undefined][] = [
    ['{"form_name":', undefined],
    ['[]', 'form_name'],
    ['"text"', 'form_name'],
    ['', 'form_name'],
    [{}, 'form_name'],
    [{ ...car({}), form_name: ['create_car'] }, 'form_name'],
    [{ ...car({}), form_name: { a: 1 } }, 'form_name'],
    [{ ...car({}), form: undefined }, 'form'],
    [{ ...car({}), form: 'x' }, 'form'],
    [{ ...car({}), form: [] }, 'form'],
    [{ ...car({}), form: null }, 'form'],
    [{ ...car({ make: 'x' }), parent_resource_id: undefined }, 'parent_resource_id'],
    [{ ...car({ make: 'x' }), parent_resource_id: 'nothing' }, 'parent_resource_id'],
    [{ ...car({ make: 'x' }), parent_resource_id: 'wheel' }, 'parent_resource_id'],
    [{ ...car({ make: 'x' }), parent_resource_id: ['car'] }, 'parent_resource_id'],
    [car({ make: 'x' }, { model_schema_name: undefined }), 'form.model_schema_name'],
    [car({ make: 'x' }, { model_schema_name: 'wheel' }), 'form.model_schema_name'],
    [car('x'), 'form.properties'],
    [car([]), 'form.properties'],
    [car({ make: 'x' }, { custom_addresses: 'x' }), 'form.custom_addresses'],
    [car({ make: 'x' }, { customizations: { wheel: [] } }), 'form.customizations.wheel'],
    [car({ make: 'x' }, { external_id: { a: 1 } }), 'form.external_id'],
  ]
  test.each(shapes)('406: %j', async (body, path) => {
    const sent = await served.send('POST', '/api/user/customizations', body)
    isRefused(sent, 406, 'Not Acceptable')
    expect(sent.json['errors']).toEqual({ base: ['Not Acceptable'] })
    expect(sent.json['path']).toBe(path)
    expect(sent.json['detail']).toEqual(expect.any(String))
  })

  const values: readonly [object, string][] = [
    [{}, 'properties.make'],
    [{ make: '' }, 'properties.make'],
    [{ make: 'a'.repeat(21) }, 'properties.make'],
    [{ make: 'x', price: 'much' }, 'properties.price'],
    [{ make: 'x', price: '99999999999999999999' }, 'properties.price'],
    [{ make: 'x\0y' }, 'properties.make'],
  ]
  test.each(values)('422: %j', async (properties, path) => {
    const sent = await served.send('POST', '/api/user/customizations', car(properties))
    expect(sent.status).toBe(422)
    expect(sent.headers.get('content-type')).toBe('application/vnd.api+json')
    expect(sent.json).toEqual({ id: null, errors: { [path]: [expect.any(String)] } })
  })

  test('422: customizable_type goes with customizable_id, and is one of three', async () => {
    for (const more of [{ customizable_type: 'User' }, { customizable_type: 'Transactable', customizable_id: 1 }]) {
      const { status, json } = await served.send('POST', '/api/user/customizations', car({ make: 'x' }, more))
      expect(status).toBe(422)
      expect(Object.keys(json['errors'] as object)).toEqual([expect.stringMatching(/^customizable_/)])
    }
    const sent = await served.send(
      'POST',
      '/api/user/customizations',
      car({ make: 'x' }, { customizable_type: 'User', customizable_id: 7 }),
    )
    expect(sent.status).toBe(201)
    expect(await carOf(sent.json['id'] as number)).toMatchObject({ customizable_type: 'User', customizable_id: '7' })
  })

  test('403: a policy, and a token that may only read', async () => {
    isRefused(
      await served.send('POST', '/api/user/customizations', { ...car({ make: 'x' }), form_name: 'guarded_car' }),
      403,
      'Forbidden',
    )
    const token = await served.token('read')
    isRefused(await served.send('POST', '/api/user/customizations', car({ make: 'x' }), { token }), 403, 'Forbidden')
    expect(
      (
        await served.send('POST', '/api/user/customizations', car({ make: 'x' }), {
          token: await served.token('write'),
        })
      ).status,
    ).toBe(201)
  })

  test('the token is read in both spellings', async () => {
    for (const authorization of [`Token ${ADMIN}`, `Token token=${ADMIN}`, `Token token="${ADMIN}"`]) {
      const sent = await served.send('POST', '/api/user/customizations', car({ make: 'x' }), {
        headers: { authorization },
      })
      expect(sent.status, authorization).toBe(201)
    }
  })
})

describe('update customization', () => {
  test('204: only what is sent changes', async () => {
    const id = await newCar()
    isEmpty(
      await served.send('PUT', `/api/user/customizations/${id}`, {
        form_name: 'create_car',
        form: { properties: { price: 5 } },
      }),
    )
    expect(await carOf(id)).toMatchObject({ properties: { make: 'Fiat', price: 5 } })
    isEmpty(
      await served.send('PUT', `/api/user/customizations/${id}`, {
        form_name: 'create_car',
        form: { customizations: { wheel: { properties: { size: 1 } } } },
      }),
    )
    isEmpty(
      await served.send('PUT', `/api/user/customizations/${id}`, {
        form_name: 'create_car',
        form: { customizations: { wheel: { properties: { size: 2 } } } },
      }),
    )
    expect(await database.sql`select properties from ingot.records where customizable_id = ${id}`).toMatchObject([
      { properties: { size: 2 } },
    ])
  })

  test('404: there is nothing to read, however the address is written', async () => {
    for (const path of ['', '/1', '/%ff', '/%', '.json', '/%ff.json'])
      expect((await served.send('GET', `/api/user/customizations${path}`)).status, path).toBe(404)
  })

  test('422: an external_id that no index can hold', async () => {
    const id = await newCar()
    const change = (external_id: string) =>
      served.send('PUT', `/api/user/customizations/${id}`, { form_name: 'create_car', form: { external_id } })
    const noise = (length: number): string =>
      Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join('')
    isEmpty(await change(noise(866)))
    const { status, json } = await change(noise(867))
    expect([status, json['errors']]).toEqual([422, { external_id: ['is too long (maximum is 866 characters)'] }])
    expect((await change('x'.repeat(10_000))).json['errors']).toEqual({
      external_id: ['is too long (maximum is 2600 characters)'],
    })
  })

  test('401, 404, 406, 422', async () => {
    const id = await newCar()
    const body = { form_name: 'create_car', form: { properties: { make: 'Saab' } } }
    isRefused(await served.send('PUT', `/api/user/customizations/${id}`, body, { token: null }), 401, 'Unathorized')
    for (const wrong of [UNKNOWN, 'abc', '0', '-1', '1e3', '9'.repeat(40), '%00', '%ff', '..%2f1', '1%20or%201=1'])
      isRefused(await served.send('PUT', `/api/user/customizations/${wrong}`, body), 404, 'Not Found')
    isRefused(
      await served.send('PUT', `/api/user/customizations/${id}`, { ...body, form_name: 'nothing' }),
      404,
      'Not Found',
    )
    isRefused(
      await served.send('PUT', `/api/user/customizations/${id}`, { form_name: 'create_car' }),
      406,
      'Not Acceptable',
    )
    isRefused(await served.send('PUT', `/api/user/customizations/${id}`, { form: {} }), 406, 'Not Acceptable')
    const { status, json } = await served.send('PUT', `/api/user/customizations/${id}`, {
      ...body,
      form: { properties: { make: '' } },
    })
    expect([status, json]).toEqual([422, { id, errors: { 'properties.make': ["can't be blank"] } }])
    expect(await carOf(id)).toMatchObject({ properties: { make: 'Fiat' } })
  })

  test('of many at once, one makes what is nested, and the others change it', async () => {
    const id = await newCar()
    const put = (size: number) =>
      served.send('PUT', `/api/user/customizations/${id}`, {
        form_name: 'create_car',
        form: { customizations: { wheel: { properties: { size } } }, custom_addresses: { place: { city: `${size}` } } },
      })
    const sent = await Promise.all([1, 2, 3, 4, 5, 6].map(put))
    expect(sent.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204, 204])
    const wheels =
      await database.sql`select properties ->> 'size' as size from ingot.records where customizable_id = ${id}`
    const places = await database.sql`select fields ->> 'city' as size from ingot.addresses where owner_id = ${id}`
    expect(wheels).toHaveLength(1)
    expect(places).toEqual(wheels)
  })

  test('404: a record of another table', async () => {
    const [row] =
      await database.sql`insert into ingot.records (table_id) values (${served.ids.get('wheel') ?? 0}) returning id`
    isRefused(
      await served.send('PUT', `/api/user/customizations/${row?.['id']}`, { form_name: 'create_car', form: {} }),
      404,
      'Not Found',
    )
  })
})

describe('delete customization', () => {
  test('204, and it is gone for whoever comes next', async () => {
    const id = await newCar()
    isEmpty(await served.send('DELETE', `/api/user/customizations/${id}`, { form_name: 'create_car' }))
    expect(await carOf(id)).toMatchObject({ gone: true })
    isRefused(
      await served.send('DELETE', `/api/user/customizations/${id}`, { form_name: 'create_car' }),
      404,
      'Not Found',
    )
    isRefused(
      await served.send('PUT', `/api/user/customizations/${id}`, { form_name: 'create_car', form: {} }),
      404,
      'Not Found',
    )
  })

  test('401, 404, 406', async () => {
    const id = await newCar()
    isRefused(
      await served.send('DELETE', `/api/user/customizations/${id}`, { form_name: 'create_car' }, { token: 'no' }),
      401,
      'Unathorized',
    )
    isRefused(
      await served.send('DELETE', `/api/user/customizations/${UNKNOWN}`, { form_name: 'create_car' }),
      404,
      'Not Found',
    )
    isRefused(await served.send('DELETE', `/api/user/customizations/${id}`), 406, 'Not Acceptable')
    isRefused(await served.send('DELETE', `/api/user/customizations/${id}`, '{'), 406, 'Not Acceptable')
    expect(await carOf(id)).toMatchObject({ gone: false })
  })
})

describe('any request', () => {
  test('413: a body beyond the limit', async () => {
    isRefused(
      await served.send('POST', '/api/user/customizations', car({ make: 'x'.repeat(200_000) })),
      413,
      'Payload Too Large',
    )
  })

  test('other methods are none of the API’s', async () => {
    expect((await served.send('GET', '/api/user/customizations')).status).toBe(404)
    for (const [method, path] of [
      ['PUT', '/api/users'],
      ['POST', '/api/users/5'],
      ['DELETE', '/api/users'],
      ['PUT', '/api/sessions'],
      ['PATCH', '/api/sessions'],
    ] as const)
      isRefused(await served.send(method, path, { form_name: 'sign_up', form: {} }), 404, 'Not Found')
  })

  test('nothing went wrong on our side', () => {
    expect(served.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
  })
})
