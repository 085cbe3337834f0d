/** Reading submitted values: all spellings, mass assignment, hostile shapes, and the resulting values. */
import { describe, expect, it } from 'vitest'
import {
  changesOf,
  completeValues,
  mergePayload,
  readInput,
  storableValues,
} from '../../../../runtime/data/forms/index.ts'
import type { Values } from '../../../../runtime/data/forms/model.ts'
import type { FieldDef } from '../../../../runtime/page/site.ts'
import { parseJson } from '../../../../runtime/page/values/json.ts'
import { field, form, group, plain } from '../openapi/forms.ts'
import { liquidSetting, nestedGroup, renderWith, formState, values } from './support.ts'

const profile = group([field('enabled', 'boolean')], [field('title'), field('skills', 'array')])
const image = group([field('image', 'upload')], [])
const engine = nestedGroup('customizations', 'engine', group([], [field('power', 'integer')]))

const user = form(
  'sign_up',
  'user',
  group(
    [field('email'), field('password'), field('public_profile', 'boolean')],
    [field('age', 'integer'), field('photo', 'upload'), field('tags', 'array'), field('place', 'address')],
    [
      nestedGroup('profiles', 'developer', profile),
      nestedGroup('customizations', 'modules/shop/car', group([field('external_id')], [field('color')], [engine])),
      nestedGroup('custom_images', 'photo', image),
      nestedGroup('custom_attachments', 'cv', group([field('file', 'upload')], [])),
      nestedGroup('custom_addresses', 'home', group([field('city')], [])),
    ],
  ),
)

function read(raw: unknown, files?: ReadonlySet<unknown>): Values {
  const input = readInput(user, raw, files)
  if ('problem' in input) throw new Error(input.problem)
  return input.values
}

function problem(raw: unknown, files?: ReadonlySet<unknown>): string | null {
  const input = readInput(user, raw, files)
  return 'problem' in input ? input.problem : null
}

describe('spellings', () => {
  it.each([
    ['properties', { properties: { age: '3' } }],
    ['properties_attributes', { properties_attributes: { age: '3' } }],
    ['both, the parts of which are joined', { properties: { age: '2' }, properties_attributes: { age: '3' } }],
  ])('%s', (_name, raw) => {
    expect(read(raw)).toEqual(values({ properties: { age: '3' } }))
  })

  it.each([
    [{ profiles: { developer: { properties: { title: 'x' } } } }],
    [{ profiles_attributes: { developer_attributes: { properties_attributes: { title: 'x' } } } }],
    [{ profiles_attributes: { developer: { properties: { title: 'x' } } } }],
    [{ profiles: { developer_attributes: { properties_attributes: { title: 'x' } } } }],
    [{ user_profiles: { developer: { properties: { title: 'x' } } } }],
  ])('a profile as %j', (raw) => {
    expect(read(raw).nested).toEqual({ profiles: { developer: values({ properties: { title: 'x' } }) } })
  })

  it.each(['customizations', 'models', 'records', 'customizations_attributes', 'models_attributes'])(
    'a record below %s',
    (kind) => {
      for (const name of ['modules/shop/car', 'modules/shop/car_attributes']) {
        const raw = {
          [kind]: {
            [name]: {
              external_id: 'e',
              properties: { color: 'red' },
              customizations: { engine: { properties: { power: '90' } } },
            },
          },
        }
        expect(read(raw).nested).toEqual({
          customizations: {
            'modules/shop/car': {
              attributes: { external_id: 'e' },
              properties: { color: 'red' },
              nested: { customizations: { engine: values({ properties: { power: '90' } }) } },
            },
          },
        })
      }
    },
  )

  it('joins one resource that comes in two spellings', () => {
    const raw = {
      profiles: { developer: { enabled: true, properties: { title: 'a', skills: ['x'] } } },
      profiles_attributes: { developer_attributes: { properties_attributes: { title: 'b' } } },
    }
    expect(read(raw).nested.profiles?.['developer']).toEqual(
      values({ attributes: { enabled: true }, properties: { title: 'b', skills: ['x'] } }),
    )
  })

  it('images, attachments and addresses, by upload, base64 or URL', () => {
    const raw = {
      custom_images_attributes: { photo_attributes: { remote_image_url: 'https://example.com/a.png' } },
      custom_attachments: { cv: { file: 'data:text/plain;base64,eA==', remote_file_url: 'https://example.com/b' } },
      custom_addresses: { home: { city: 'Kraków' } },
    }
    expect(read(raw).nested).toEqual({
      custom_images: { photo: values({ attributes: { remote_image_url: 'https://example.com/a.png' } }) },
      custom_attachments: {
        cv: values({ attributes: { file: 'data:text/plain;base64,eA==', remote_file_url: 'https://example.com/b' } }),
      },
      custom_addresses: { home: values({ attributes: { city: 'Kraków' } }) },
    })
  })

  it('keeps the types of JSON', () => {
    const raw = parseJson(
      '{"public_profile": true, "properties": {"age": 3.0, "tags": ["a", 1], "place": {"city": "x", "0": null}}}',
    )
    expect(read(raw)).toEqual(
      values({
        attributes: { public_profile: true },
        properties: { age: 3, tags: ['a', 1], place: { city: 'x', 0: null } },
      }),
    )
  })

  it('knows the fields of signing in, configured or not', () => {
    const bare = form('log_in', 'session', group())
    const input = readInput(bare, { email: 'a', password: 'b', remember_me: '1', user_id: '3' })
    expect(input).toEqual({ values: values({ attributes: { email: 'a', password: 'b', remember_me: '1' } }) })
  })
})

describe('mass assignment', () => {
  it('drops whatever is not configured, at every depth', () => {
    const raw = {
      email: 'a@example.com',
      id: 1,
      admin: true,
      encrypted_password: 'x',
      properties: { age: 1, role: 'admin' },
      properties_attributes: { role: 'admin' },
      profiles: { developer: { user_id: 3, properties: { role: 'admin' } }, owner: { enabled: true } },
      customizations: { engine: { properties: { power: 3 } } },
      custom_images: { photo: { owner_id: 4, uploader_id: 4 } },
      models: { 'modules/shop/car': { user_id: 3, models: { wheel: {} } } },
    }
    expect(read(raw)).toEqual({
      attributes: { email: 'a@example.com' },
      properties: { age: 1 },
      nested: {
        profiles: { developer: values({}) },
        custom_images: { photo: values({}) },
        customizations: { 'modules/shop/car': values({}) },
      },
    })
  })

  it('drops names of prototypes', () => {
    const raw = JSON.parse(
      '{"__proto__": {"email": "x"}, "constructor": {"prototype": {"a": 1}}, "properties": {"__proto__": {"age": 1}, "toString": "x"}}',
    )
    expect(read(raw)).toEqual(values({}))
    expect(({} as Record<string, unknown>)['email']).toBeUndefined()
  })

  it('takes `__proto__` for an ordinary name where a site has it', () => {
    const odd = form('odd', 'record', group([], [field('__proto__'), field('0')]))
    const input = readInput(odd, JSON.parse('{"properties": {"__proto__": "x", "0": "y"}}'))
    const found = 'values' in input ? input.values.properties : {}
    expect(Object.entries(found)).toEqual(
      expect.arrayContaining([
        ['__proto__', 'x'],
        ['0', 'y'],
      ]),
    )
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype)
    expect(Object.entries(storableValues(odd, values({ properties: found })).properties)).toHaveLength(2)
    expect(Object.keys(changesOf(odd, formState({ properties: found })))).toEqual([
      'properties.__proto__',
      'properties.0',
    ])
  })
})

describe('wrong shapes', () => {
  it.each([
    [null, 'form: expected an object'],
    [undefined, 'form: expected an object'],
    ['x', 'form: expected an object'],
    [[], 'form: expected an object'],
    [[{ email: 'x' }], 'form: expected an object'],
    [3, 'form: expected an object'],
    [{ email: { a: 1 } }, 'form.email: expected a text'],
    [{ email: ['a', 'b'] }, 'form.email: expected a text'],
    [{ public_profile: [] }, 'form.public_profile: expected a boolean'],
    [{ properties: [] }, 'form.properties: expected an object'],
    [{ properties: 'x' }, 'form.properties: expected an object'],
    [{ properties_attributes: [{ age: 1 }] }, 'form.properties_attributes: expected an object'],
    [{ profiles: ['developer'] }, 'form.profiles: expected an object'],
    [{ profiles: { developer: 'x' } }, 'form.profiles.developer: expected an object'],
    [
      { profiles_attributes: { developer_attributes: { properties: 1 } } },
      'form.profiles_attributes.developer_attributes.properties: expected an object',
    ],
    [{ custom_images: { photo: { image: { url: 'x' } } } }, 'form.custom_images.photo.image: expected a file'],
  ])('%j', (raw, expected) => {
    expect(problem(raw)).toBe(expected)
  })

  it('nil of a group sends nothing', () => {
    expect(read({ properties: null, profiles: null, custom_images: { photo: null } })).toEqual(values({}))
  })

  it('a thousand levels, or a million parts', () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 1000; level++) deep = level % 2 === 0 ? [deep] : { a: deep }
    expect(problem({ properties: { place: deep } })).toMatch(
      /^form\.properties\.place: the values are nested deeper than \d+ levels$/,
    )
    expect(problem({ properties: { tags: Array.from({ length: 1_000_001 }, () => 1) } })).toMatch(
      /^form\.properties\.tags: the values contain more/,
    )
    let nestedForm: Record<string, unknown> = {}
    for (let level = 0; level < 10_000; level++) nestedForm = { profiles: { developer: nestedForm } }
    expect(read(nestedForm).nested.profiles?.['developer']).toEqual(values({}))
  })
})

describe('files', () => {
  const file = {
    kind: 'sent-file',
    fileName: 'a.png',
    contentType: 'image/png',
    size: 3,
    path: '/tmp/upload-1',
  } as const

  it('are those of the body, by identity', () => {
    const files = new Set<unknown>([file])
    expect(read({ properties: { photo: file } }, files).properties['photo']).toBe(file)
    expect(
      read({ custom_images: { photo: { image: file } } }, files).nested.custom_images?.['photo']?.attributes['image'],
    ).toBe(file)
  })

  it.each([
    ['a list', { properties: { photo: [file] } }, 'form.properties.photo: expected a value, not a file'],
    ['an object', { properties: { age: { a: [{ b: file }] } } }, 'form.properties.age: expected a value, not a file'],
  ])('are not taken inside of %s, where nothing hides their paths', (_name, raw, expected) => {
    expect(problem(raw, new Set([file]))).toBe(expected)
  })

  it.each([
    [
      'a property',
      { properties: { photo: { ...file, path: '/etc/passwd' } } },
      'form.properties.photo: expected a file in a multipart body',
    ],
    [
      'an image',
      { custom_images: { photo: { image: { ...file } } } },
      'form.custom_images.photo.image: expected a file in a multipart body',
    ],
    [
      'any other value',
      { properties: { age: { kind: 'sent-file' } } },
      'form.properties.age: expected a file in a multipart body',
    ],
  ])('are not what JSON describes as one: %s', (_name, raw, expected) => {
    expect(problem(raw, new Set([file]))).toBe(expected)
    expect(problem(JSON.parse(JSON.stringify(raw)))).toBe(expected)
  })

  it('stand where files are taken, and as no group', () => {
    const files = new Set<unknown>([file])
    expect(problem({ email: file }, files)).toBe('form.email: expected a value, not a file')
    expect(problem({ properties: file }, files)).toBe('form.properties: expected an object')
    expect(problem(file, files)).toBe('form: expected an object')
  })

  it('are not sent by an empty input', () => {
    const empty = { ...file, fileName: '', size: 0 }
    expect(read({ properties: { photo: empty } }, new Set([empty]))).toEqual(values({}))
  })
})

describe('default_payload', () => {
  const sent = values({ attributes: { email: 'a' }, properties: { age: '1', place: { city: 'x', zip: '1' } } })

  it.each([
    ['', sent],
    [null, sent],
    ['{}', sent],
    ['{"email": "b", "id": 3}', { ...sent, attributes: { email: 'b' } }],
    [
      '{"properties_attributes": {"place": {"zip": "2"}, "role": "x"}}',
      { ...sent, properties: { age: '1', place: { city: 'x', zip: '2' } } },
    ],
    [
      { profiles: { developer: { enabled: true } } },
      { ...sent, nested: { profiles: { developer: values({ attributes: { enabled: true } }) } } },
    ],
  ])('%j wins over what was sent', (payload, expected) => {
    expect(mergePayload(user, sent, payload)).toEqual(expected)
  })

  it.each([
    ['[]', 'is not a JSON object'],
    ['{"a":', 'is not a JSON object'],
    ['3', 'is not a JSON object'],
    [['x'], 'is not a JSON object'],
    ['{"properties": []}', 'form.properties: expected an object'],
    ['{"properties": {"photo": {"kind": "sent-file", "path": "/etc/passwd"}}}', 'expected a file in a multipart body'],
  ])('%j is a mistake of the site', (payload, expected) => {
    expect(() => mergePayload(user, sent, payload)).toThrow(expected)
  })

  it('leaves what was sent as it is', () => {
    mergePayload(user, sent, { properties: { place: { city: 'y' } } })
    expect(sent.properties['place']).toEqual({ city: 'x', zip: '1' })
  })
})

describe('defaults and readonly fields', () => {
  const fixed: FieldDef = { ...field('status'), readonly: true, default: plain('new') }
  const counted: FieldDef = { ...field('count', 'integer'), default: liquidSetting(async () => '5') }
  const named: FieldDef = {
    ...field('title'),
    default: liquidSetting((scope) => `${(scope['form'] as { name: string }).name} of form`),
  }
  const entry = form(
    'item',
    'record',
    group([], [fixed, counted, named], [nestedGroup('customizations', 'part', group([], [fixed]))]),
  )
  const r = renderWith()

  it('fill in what is neither sent nor stored', async () => {
    expect(await completeValues(entry, formState({}), r)).toEqual(
      values({ properties: { status: 'new', count: '5', title: 'item of form' } }),
    )
    expect(await completeValues(entry, formState(null), r)).toEqual(
      values({ properties: { status: 'new', count: '5', title: 'item of form' } }),
    )
  })

  it('never win over what was sent, be it blank, or what is stored', async () => {
    const done = await completeValues(
      entry,
      formState({ properties: { count: '', title: null } }, { properties: { status: 'old' } }),
      r,
    )
    expect(done).toEqual(values({ properties: { count: '', title: null } }))
  })

  it('put readonly fields back, in nested resources too', async () => {
    const part = values({ properties: { status: 'mine' } })
    const done = await completeValues(
      entry,
      formState({ properties: { status: 'mine', count: 1, title: 'a' }, nested: { customizations: { part } } }),
      r,
    )
    expect(done.properties).toEqual({ status: 'new', count: 1, title: 'a' })
    expect(done.nested.customizations?.['part']).toEqual(values({ properties: { status: 'new' } }))
  })

  it('put a readonly file back under every name', async () => {
    const only = form(
      'i',
      'record',
      group([], [], [nestedGroup('custom_images', 'photo', group([{ ...field('image', 'upload'), readonly: true }]))]),
    )
    const input = readInput(only, {
      custom_images: { photo: { image: 'x', remote_image_url: 'https://example.com/' } },
    })
    const sent = 'values' in input ? input.values : values({})
    expect((await completeValues(only, formState(sent), r)).nested.custom_images?.['photo']?.attributes).toEqual({})
  })
})

describe('what is stored', () => {
  const all = form(
    'all',
    'user',
    group(
      [
        field('email'),
        field('password'),
        { ...field('password_confirmation'), virtual: true },
        field('featured', 'boolean'),
      ],
      [
        field('n', 'integer'),
        field('d', 'decimal'),
        field('f', 'float'),
        field('on', 'boolean'),
        field('at', 'datetime'),
        field('day', 'date'),
        field('tags', 'array'),
        field('spot', 'geojson'),
        { ...field('terms', 'boolean'), virtual: true },
      ],
      [
        nestedGroup(
          'profiles',
          'developer',
          group([field('enabled', 'boolean')], [{ ...field('note'), virtual: true }]),
        ),
      ],
    ),
  )

  it('is typed, and has no virtual fields', () => {
    const sent = values({
      attributes: { email: 'a', password: 'secret', password_confirmation: 'secret', featured: '1' },
      properties: {
        n: '12',
        d: '1.50',
        f: '2.5',
        on: 'on',
        at: '2026-01-02 03:04:05 +0100',
        day: '2026-01-02',
        tags: 'a',
        spot: '{"type":"Point","coordinates":[1,2]}',
        terms: '1',
      },
      nested: { profiles: { developer: values({ attributes: { enabled: 'false' }, properties: { note: 'x' } }) } },
    })
    expect(storableValues(all, sent)).toEqual({
      attributes: { email: 'a', password: 'secret', featured: true },
      properties: {
        n: 12,
        d: '1.50',
        f: 2.5,
        on: true,
        at: '2026-01-02T02:04:05.000Z',
        day: '2026-01-02',
        tags: ['a'],
        spot: { type: 'Point', coordinates: [1, 2] },
      },
      nested: { profiles: { developer: values({ attributes: { enabled: false } }) } },
    })
  })

  it('keeps every digit, and clears what is blank', () => {
    expect(
      storableValues(all, values({ properties: { n: '9223372036854775807', d: '0.1000', f: '', on: '', tags: '' } }))
        .properties,
    ).toEqual({
      n: '9223372036854775807',
      d: '0.1000',
      f: null,
      on: null,
      tags: [],
    })
  })

  it('never is a blank password', () => {
    expect(storableValues(all, values({ attributes: { password: '', email: '' } })).attributes).toEqual({ email: '' })
  })

  it('changes what differs', () => {
    const known = { attributes: { email: 'a' }, properties: { n: 12, tags: ['a'], on: null, day: '2026-01-02' } }
    const sent = {
      attributes: { email: 'b', password: 'secret', password_confirmation: 'x' },
      properties: { n: '12', tags: ['a', 'b'], on: '1', day: '2026-01-02', terms: '1' },
    }
    expect(changesOf(all, formState(sent, known))).toEqual({
      email: { old: 'a', new: 'b' },
      password: { old: null, new: null },
      'properties.on': { old: null, new: true },
      'properties.tags': { old: ['a'], new: ['a', 'b'] },
    })
  })
})
