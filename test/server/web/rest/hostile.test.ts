/**
 * Requests that no normal client sends: none of them causes a status 500, and none stores wrong data. Of the generated requests, only a
 * part is sent: each field gets a third of the odd values. All are sent with INGOT_HOSTILE=all.
 */
import { createConnection } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { schema } from '../graphql/served.ts'
import { site } from '../../../support/server/site.ts'
import { ADMIN, field, form, forms, group, nested, rule, type ServedForms, serveForms } from './support.ts'

let database: TestDatabase
let served: ServedForms

const TYPES = {
  s: 'string',
  i: 'integer',
  f: 'float',
  n: 'decimal',
  b: 'boolean',
  d: 'date',
  t: 'datetime',
  c: 'time',
  a: 'array',
  g: 'geojson',
  p: 'address',
  u: 'upload',
} as const

const ALL = group({
  attributes: ['id', 'user_id', 'external_id', 'customizable_id', 'customizable_type', 'created_at', 'deleted_at'].map(
    (name) => field(name),
  ),
  properties: Object.entries(TYPES).map(([name, type]) => field(name, type)),
})
const FORMS = forms(
  form('all', {
    table: 'all',
    fields: {
      ...ALL,
      nested: [
        nested(
          'customizations',
          'part',
          group({ properties: [field('s'), field('i', 'integer')], attributes: [field('user_id')] }),
        ),
        nested(
          'custom_addresses',
          'place',
          group({ attributes: [field('city'), field('latitude', 'float'), field('label')] }),
        ),
        nested('custom_images', 'photo', group({ attributes: [field('image', 'upload')] })),
        nested('custom_attachments', 'paper', group({ attributes: [field('file', 'upload')] })),
      ],
    },
  }),
  form('checked', {
    table: 'all',
    fields: group({
      properties: [
        field(
          's',
          'string',
          rule('presence'),
          rule('length', { minimum: 2, maximum: 30 }),
          rule('format', { with: '\\A[a-z]+\\z' }),
          rule('unique'),
        ),
        field('i', 'integer', rule('numericality', { greater_than: 3 })),
        field('a', 'array', rule('length', { maximum: 3 })),
        field('t', 'datetime', rule('datetime', { after: '2020-01-01' })),
        field('g', 'geojson', rule('geometry')),
        field('p', 'address', rule('inclusion', { in: ['x', 'y'] })),
      ],
    }),
  }),
  form('sign_up', {
    resource: 'user',
    fields: group({
      attributes: [
        'email',
        'password',
        'first_name',
        'last_name',
        'name',
        'slug',
        'language',
        'external_id',
        'featured',
        'public_profile',
      ].map((name) => field(name)),
      nested: [nested('profiles', 'default', group({ attributes: [field('enabled', 'boolean')] }))],
    }),
  }),
  form('log_in', { resource: 'session' }),
)

beforeAll(async () => {
  database = await testDatabase()
  served = await serveForms(
    site([], { data: schema({ all: TYPES, part: { s: 'string', i: 'integer' } }), forms: FORMS }),
    database,
  )
})
afterAll(async () => {
  await served.close()
  await database.close()
})

const STATUSES = [201, 204, 400, 401, 403, 404, 406, 413, 422, 429]

/** Returns a generator of pseudo-random numbers, which are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % sides
  }
}

const ODD: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  2 ** 53 + 2,
  -0.0,
  '',
  ' ',
  'x',
  '1e400',
  '99999999999999999999999999',
  'NaN',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  "'; drop table ingot.users; --",
  '$1',
  '{{ 1 }}',
  '%00',
  '2020-13-45',
  '-290000-01-01',
  '9999999999999',
  'now',
  '{"type":"Point"}',
  { type: 'Point', coordinates: [Number.MAX_VALUE, 'x'] },
  { kind: 'sent-file', path: '/etc/passwd', fileName: 'x', contentType: 'image/png', size: 1 },
  { path: '../../etc/passwd' },
  [],
  [[]],
  [null, 1, 'x', { a: 1 }],
  {},
  { a: { b: { c: [] } } },
  'data:image/png;base64,AAAA',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'x'.repeat(100_000),
]
const NAMES = [
  ...[
    'form_name',
    'form',
    'parent_resource_id',
    'id',
    '_method',
    'form_id',
    'page_slug',
    'redirect_to',
    'model_schema_name',
  ],
  ...[
    'properties',
    'properties_attributes',
    'profiles',
    'profiles_attributes',
    'customizations',
    'customizations_attributes',
  ],
  ...[
    'custom_images',
    'custom_attachments',
    'custom_addresses',
    'photo',
    'photo_attributes',
    'paper',
    'place',
    'part',
    'part_attributes',
    'default',
  ],
  ...[
    'image',
    'file',
    'remote_image_url',
    'raw_remote_image_url',
    'city',
    'latitude',
    'email',
    'password',
    'first_name',
    'slug',
    'language',
  ],
  ...[
    'user_id',
    'customizable_id',
    'customizable_type',
    'created_at',
    'deleted_at',
    'external_id',
    'enabled',
    'featured',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'length',
    '0',
    '',
    'a.b',
    '_json',
    ...Object.keys(TYPES),
  ],
]

function anything(roll: (sides: number) => number, depth: number): unknown {
  if (depth === 0 || roll(3) === 0) return ODD[roll(ODD.length)]
  if (roll(6) === 0) return Array.from({ length: roll(4) }, () => anything(roll, depth - 1))
  const pairs = Array.from({ length: roll(8) }, () => [NAMES[roll(NAMES.length)], anything(roll, depth - 1)])
  return Object.fromEntries(pairs) as unknown
}

const PATHS = [
  '/api/customizations',
  '/api/users',
  '/api/sessions',
  '/api/customizations/1',
  '/api/users/1',
  '/api/user_profiles/1',
]
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

const isWhole = process.env['INGOT_HOSTILE'] === 'all'

describe('random bodies', () => {
  test('of JSON', async () => {
    const roll = dice(7)
    const seen = new Map<number, number>()
    for (let round = 0; round < (isWhole ? 400 : 200); round++) {
      const formName = ['all', 'checked', 'sign_up', 'log_in'][roll(4)]
      const around = { form_name: formName, parent_resource_id: 'all' }
      const inner = { model_schema_name: 'all', ...(anything(roll, 4) as object) }
      const body = JSON.stringify(roll(4) === 0 ? anything(roll, 5) : { ...around, form: inner })
      const path = formName === 'sign_up' && roll(2) === 0 ? '/api/users' : PATHS[roll(PATHS.length)]
      const method = roll(2) === 0 ? 'POST' : (METHODS[roll(4)] ?? 'POST')
      const { status, text } = await served.send(method, path ?? '/', body)
      seen.set(status, (seen.get(status) ?? 0) + 1)
      expect(STATUSES, `${method} ${path} ${body.slice(0, 2000)}\n${text}`).toContain(status)
    }
    // Some requests passed the first checks.
    expect([...seen.keys()]).toEqual(expect.arrayContaining([404, 406, 422]))
  })

  test('of every field with every odd value', async () => {
    const fields = [
      ...Object.keys(TYPES).map((name) => ['properties', name]),
      ...ALL.attributes.map(({ name }) => [name]),
    ]
    const deeper = [
      ['customizations', 'part', 'properties', 'i'],
      ['customizations', 'part', 'user_id'],
      ['custom_addresses', 'place', 'city'],
      ['custom_addresses', 'place', 'latitude'],
      ['custom_images', 'photo', 'image'],
      ['custom_attachments', 'paper', 'file'],
    ]
    for (const [at, path] of [...fields, ...deeper].entries()) {
      for (const odd of ODD.filter((_, of) => isWhole || (at + of) % 3 === 0)) {
        const inner = path.reduceRight<unknown>((value, key) => ({ [key]: value }), odd) as object
        const body = { form_name: 'all', parent_resource_id: 'all', form: { model_schema_name: 'all', ...inner } }
        const { status, text } = await served.send('POST', '/api/customizations', body)
        expect([201, 406, 422], `${path.join('.')} ${JSON.stringify(odd)?.slice(0, 200)}\n${text}`).toContain(status)
      }
    }
  })

  test('of urlencoded pairs', async () => {
    const roll = dice(11)
    for (let round = 0; round < (isWhole ? 300 : 150); round++) {
      const pairs = Array.from({ length: roll(12) }, () => {
        const path = Array.from({ length: 1 + roll(4) }, (_, at) =>
          at === 0
            ? roll(2) === 0
              ? 'form'
              : NAMES[roll(NAMES.length)]
            : `[${roll(5) === 0 ? '' : NAMES[roll(NAMES.length)]}]`,
        )
        return `${path.join('')}=${encodeURIComponent(`${ODD[roll(ODD.length)]}`.toWellFormed().slice(0, 500))}`
      })
      const body = [`form_name=${['all', 'checked', 'sign_up', 'log_in'][roll(4)]}`, ...pairs].join('&')
      const answer = await fetch(served.url + (PATHS[roll(PATHS.length)] ?? ''), {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(roll(2) === 0 ? { authorization: `Token ${ADMIN}` } : {}),
        },
        body,
      })
      expect([200, 302, ...STATUSES], `${body}\n${await answer.text()}`).toContain(answer.status)
    }
  })
})

describe('a body', () => {
  const send = (body: string | Uint8Array, type = 'application/json') =>
    fetch(`${served.url}/api/customizations`, {
      method: 'POST',
      body,
      headers: { authorization: `Token ${ADMIN}`, 'content-type': type },
    })

  test.each<[string, string | Uint8Array, string]>([
    ['nested without end', '['.repeat(50_000), 'application/json'],
    [
      'nested deep',
      `{"form_name":"all","form":${'{"properties":'.repeat(5_000)}1${'}'.repeat(5_001)}`,
      'application/json',
    ],
    [
      'no UTF-8',
      Buffer.from('{"form_name":"all","form":{"properties":{"s":"\xff\xfe"}}}', 'latin1'),
      'application/json',
    ],
    [
      'no UTF-8 in a form',
      Buffer.from('form_name=all&form[properties][s]=\xff', 'latin1'),
      'application/x-www-form-urlencoded',
    ],
    ['of another charset', Buffer.from('{"form_name":"all"}', 'utf16le'), 'application/json; charset=utf-16'],
    ['that claims a charset that is none', '{"form_name":"all"}', 'application/json; charset=x-unknown'],
    ['of a type that is not read', '{"form_name":"all"}', 'text/plain'],
    ['of XML', '<form_name>all</form_name>', 'application/xml'],
    ['multipart without a boundary', 'x', 'multipart/form-data'],
    [
      'multipart broken off',
      '--x\r\nContent-Disposition: form-data; name="form_name"\r\n\r\nal',
      'multipart/form-data; boundary=x',
    ],
    ['NUL', '\0', 'application/json'],
    ['with a mark at its start', '\ufeff{', 'application/json'],
  ])('%s is 406', async (_what, body, type) => {
    const answer = await send(body, type)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([406, 'application/vnd.api+json'])
    expect(await answer.json()).toMatchObject({ errors: { base: ['Not Acceptable'] } })
  })

  test('names that mean something to JavaScript mean nothing here', async () => {
    for (const key of ['__proto__', '\\u005f_proto__', 'constructor']) {
      const body = `{"form_name":"all","parent_resource_id":"all","${key}":{"polluted":1},"form":{"model_schema_name":"all","${key}":{"polluted":1},"properties":{"${key}":{"polluted":1},"s":"x"}}}`
      expect((await send(body)).status, key).toBe(201)
      expect(({} as Record<string, unknown>)['polluted']).toBe(undefined)
    }
  })

  test('parameters that are repeated: the last one counts', async () => {
    const body =
      'form_name=nothing&form_name=all&parent_resource_id=all&form[model_schema_name]=all&form[properties][s]=1&form[properties][s]=2'
    const answer = await send(body, 'application/x-www-form-urlencoded')
    expect(answer.status).toBe(201)
    const { id } = (await answer.json()) as { id: number }
    const [row] = await database.sql`select properties ->> 's' as s from ingot.records where id = ${id}`
    expect(row).toEqual({ s: '2' })
  })

  test('parameters that are lists where one value is wanted are 406', async () => {
    for (const pair of ['form_name[]=all', 'form_name[a]=all', 'form[]=1', 'form=1', 'form[properties][]=1'])
      expect(
        (
          await send(
            `form_name=all&parent_resource_id=all&form[model_schema_name]=all&${pair}`,
            'application/x-www-form-urlencoded',
          )
        ).status,
        pair,
      ).toBe(406)
  })

  test('more parameters than anyone needs', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `form[a${at}]=1`).join('&')
    expect((await send(`form_name=all&${many}`, 'application/x-www-form-urlencoded')).status).toBe(406)
  })
})

test('headers cannot be written into an answer', async () => {
  const port = Number(new URL(served.url).port)
  const body = 'form_name=log_in&_method=delete'
  const answer = await new Promise<string>((done, fail) => {
    let text = ''
    const socket = createConnection(port, '127.0.0.1', () =>
      socket.write(
        'POST /api/sessions?redirect_to=%0d%0aset-cookie:%20a=b&page_slug=%0d%0ax-evil:%201 HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n' +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    )
    socket.on('data', (data: Buffer) => {
      text += data.toString()
    })
    socket.on('end', () => done(text))
    socket.on('error', fail)
  })
  expect(answer).toMatch(/^HTTP\/1\.1 302/)
  expect(answer).toMatch(/\r\nlocation: \/\r\n/i)
  expect(answer).not.toMatch(/\r\n(?:set-cookie: a=b|x-evil)/i)
})

test('nothing went wrong on our side', () => {
  expect(served.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
})
