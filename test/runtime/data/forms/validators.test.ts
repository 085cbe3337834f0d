/** Every validation, with valid, invalid, blank and hostile values. */
import { describe, expect, it } from 'vitest'
import { allowedTypes } from '../../../../runtime/data/forms/index.ts'
import { validatorOptions } from '../../../../runtime/data/forms/validations.ts'
import { validators } from '../../../../runtime/data/forms/validations.ts'
import type { FieldDef } from '../../../../runtime/page/site.ts'
import { field, form, group, plain, rule } from '../openapi/forms.ts'
import { recordingHost, errorsOf, liquidSetting, messages, nestedGroup, renderWith, formState } from './support.ts'

const LONG = 'x'.repeat(100_000)
const BLANK = "can't be blank"
const INVALID = 'is invalid'

type Row = readonly [
  options: Record<string, unknown>,
  value: unknown,
  messages: readonly string[],
  type?: FieldDef['type'],
]

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  presence: [
    [{}, 'a', []],
    [{}, 0, []],
    [{}, true, []],
    [{}, ['x'], [], 'array'],
    [{}, undefined, [BLANK]],
    [{}, null, [BLANK]],
    [{}, '', [BLANK]],
    [{}, ' \t\n\u00a0', [BLANK]],
    [{}, false, [BLANK], 'boolean'],
    [{}, [], [BLANK], 'array'],
    [{}, {}, [BLANK], 'address'],
    [{}, LONG, []],
  ],
  absence: [
    [{}, '', []],
    [{}, undefined, []],
    [{}, ' ', []],
    [{}, 'a', ['must be blank']],
    [{}, 0, ['must be blank']],
  ],
  email: [
    [{}, 'ann@example.com', []],
    [{}, "o'neil+tag@mail.example.co.uk", []],
    [{}, '', []],
    [{}, null, []],
    [{}, 'ann', [INVALID]],
    [{}, 'ann@localhost', [INVALID]],
    [{}, ' ann@example.com ', []],
    [{}, 'ann @example.com', [INVALID]],
    [{}, 'ann@example.com\nBcc: bob@example.com', [INVALID]],
    [{}, 5, [INVALID]],
    [{}, `${'a'.repeat(300)}@example.com`, [INVALID]],
    [{}, `${'a.'.repeat(50_000)}@`, [INVALID]],
  ],
  length: [
    [{ minimum: 3 }, 'abc', []],
    [{ minimum: 3 }, 'ab', ['is too short (minimum is 3 characters)']],
    [{ minimum: 1 }, '', ['is too short (minimum is 1 character)']],
    [{ minimum: 3 }, null, ['is too short (minimum is 3 characters)']],
    [{ maximum: 3 }, null, []],
    [{ maximum: 3 }, 'abcd', ['is too long (maximum is 3 characters)']],
    [{ maximum: 1 }, 'ab', ['is too long (maximum is 1 character)']],
    // A pair of surrogates counts as one character.
    [{ is: 2 }, '😀😀', []],
    [{ is: 2 }, 'abc', ['is the wrong length (should be 2 characters)']],
    [{ in: [2, 4] }, 'abc', []],
    [{ in: [2, 4] }, 'a', ['is too short (minimum is 2 characters)']],
    [{ within: '2..4' }, 'abcde', ['is too long (maximum is 4 characters)']],
    [{ minimum: '2' }, 'a', ['is too short (minimum is 2 characters)']],
    [{ minimum: 2 }, ['a'], ['is too short (minimum is 2 characters)'], 'array'],
    [{ maximum: 2 }, ['a', 'b'], [], 'array'],
    [{ minimum: 3 }, 12, ['is too short (minimum is 3 characters)'], 'integer'],
  ],
  inclusion: [
    [{ in: ['a', 'b'] }, 'a', []],
    [{ in: ['a', 'b'] }, 'A', ['is not included in the list']],
    [{ in: ['a', 'b'] }, '', ['is not included in the list']],
    [{ in: ['a', 'b'] }, null, ['is not included in the list']],
    [{ in: ['a', null] }, null, []],
    [{ in: [1, 2] }, '1', [], 'integer'],
    [{ in: [1, 2] }, '01', [], 'integer'],
    [{ in: [1, 2] }, '3', ['is not included in the list'], 'integer'],
    [{ in: [true] }, 'on', [], 'boolean'],
    [{ in: '1..5' }, 5, [], 'integer'],
    [{ in: '1..5' }, 6, ['is not included in the list'], 'integer'],
    [{ in: ['a', 'b'] }, ['a', 'b'], [], 'array'],
    [{ in: ['a', 'b'] }, ['a', 'c'], ['is not included in the list'], 'array'],
    [{ in: ['constructor'] }, '__proto__', ['is not included in the list']],
    [{ in: '["x","y"]' }, 'y', []],
  ],
  exclusion: [
    [{ in: ['admin'] }, 'ann', []],
    [{ in: ['admin'] }, 'admin', ['is reserved']],
    [{ in: ['admin'] }, '', []],
    [{ in: ['admin'] }, null, []],
    [{ in: ['a'] }, ['b', 'a'], ['is reserved'], 'array'],
  ],
  format: [
    [{ with: '\\A[a-z]+\\z' }, 'abc', []],
    [{ with: '\\A[a-z]+\\z' }, 'abc\n', [INVALID]],
    [{ with: '^[a-z]+$' }, 'abc\n<script>', [INVALID]],
    [{ with: '^[a-z]+$', multiline: true }, 'abc\n<script>', []],
    [{ with: '\\A[a-z]+\\z', multiline: true }, 'abc\n<script>', [INVALID]],
    [{ with: '/\\A[a-z]+\\z/i' }, 'ABC', []],
    [{ with: '/a b # letters/x' }, 'ab', []],
    [{ with: '\\A\\h+\\Z' }, 'dead', []],
    [{ with: '\\A\\h+\\Z' }, 'dead!', [INVALID]],
    [{ with: '\\A[\\h:]+\\z' }, 'de:ad', []],
    [{ with: '\\A\\u00e9\\z' }, 'é', []],
    // RE2 supports neither lookaround nor backreferences.
    [{ with: '\\A(?=.*\\d).{4,}\\z' }, 'abc1', []],
    [{ with: '\\A(?=.*\\d).{4,}\\z' }, 'abcd', [INVALID]],
    [{ with: '\\A(.)\\1\\z' }, 'aa', []],
    [{ with: '\\A(.)\\1\\z' }, 'ab', [INVALID]],
    [{ with: '\\A(?=x).*\\z' }, LONG, []],
    // A match that takes too long counts as a failure.
    [{ with: '\\A(?:(?=.*b|x)x)*\\z' }, LONG, [INVALID]],
    [{ without: '[<>]' }, 'a<b', [INVALID]],
    [{ without: '[<>]' }, 'ab', []],
    [{ with: '\\A.+\\z' }, '', [INVALID]],
    [{ with: '\\A.*\\z' }, null, []],
    // Backtracking would never end here.
    [{ with: '\\A(a+)+\\z' }, `${'a'.repeat(50_000)}!`, [INVALID]],
  ],
  numericality: [
    [{}, '12', [], 'integer'],
    [{}, ' 12.5 ', [], 'float'],
    [{}, '-1e3', []],
    [{}, 3, []],
    [{}, 'abc', ['is not a number'], 'integer'],
    [{}, 'abc', ['is not a number']],
    [{}, '', ['is not a number']],
    [{}, null, ['is not a number']],
    [{}, true, ['is not a number'], 'boolean'],
    [{}, '0x10', ['is not a number']],
    [{}, 'Infinity', ['is not a number']],
    [{}, '1e999', ['is not a number']],
    [{}, '1'.repeat(10_000), ['is not a number']],
    [{}, ['1'], ['is not a number'], 'array'],
    [{ only_integer: true }, '1.5', ['must be an integer']],
    [{ only_integer: true }, '15', []],
    [{ greater_than: 3 }, '3', ['must be greater than 3']],
    [{ greater_than: 3 }, '3.0001', []],
    [{ greater_than_or_equal_to: 3 }, 2, ['must be greater than or equal to 3']],
    [{ equal_to: 3 }, '3.0', []],
    [{ equal_to: 3 }, 4, ['must be equal to 3']],
    [{ less_than: 3 }, 3, ['must be less than 3']],
    [{ less_than_or_equal_to: 3 }, 4, ['must be less than or equal to 3']],
    [{ other_than: 3 }, '3', ['must be other than 3']],
    [{ greater_than: 5, even: true }, '3', ['must be greater than 5', 'must be even']],
    [{ odd: true }, '4', ['must be odd']],
    [{ odd: true }, '1.5', ['must be odd']],
    [{ even: true }, '9007199254740993', ['must be even'], 'integer'],
    [{ even: false }, '3', []],
    [{ greater_than: '3' }, '2', ['must be greater than 3']],
  ],
  acceptance: [
    [{}, '1', []],
    [{}, true, []],
    [{}, 'on', []],
    [{}, '0', ['must be accepted']],
    [{}, '', ['must be accepted']],
    [{}, undefined, ['must be accepted']],
    [{ accept: ['yes'] }, 'yes', []],
    [{ accept: ['yes'] }, '1', ['must be accepted']],
  ],
  datetime: [
    [{}, '2026-03-10T12:00:00Z', [], 'datetime'],
    [{}, '', [], 'datetime'],
    [{}, 'soon', [INVALID], 'datetime'],
    [{ before: '2026-01-01' }, '2025-12-31T23:59:59Z', [], 'datetime'],
    [{ before: '2026-01-01' }, '2026-01-01', ['Datetime is not before 2026-01-01'], 'datetime'],
    [{ after: 'now' }, '2026-03-10T12:00:01Z', [], 'datetime'],
    [{ after: 'now' }, '2026-03-10T11:59:59Z', ['Datetime is not after now'], 'datetime'],
    [{ after: '3 days ago' }, '2026-03-06T12:00:00Z', ['Datetime is not after 3 days ago'], 'datetime'],
    [{ at_or_after: '2026-01-01' }, '2026-01-01', [], 'datetime'],
    [{ at_or_before: '2026-01-01' }, '2026-01-02', ['Datetime is not at or before 2026-01-01'], 'datetime'],
    [{ at: '2026-01-01T00:00:00Z' }, '2026-01-01T01:00:00+01:00', [], 'datetime'],
    [{ before: 'now', after: '2026-01-01' }, '2025-01-01', ['Datetime is not after 2026-01-01'], 'datetime'],
  ],
  date: [
    [{ is_at: '2026-01-01' }, '2026-01-01T23:00:00Z', [], 'date'],
    [{ is_at: '2026-01-01' }, '2026-01-02', ['Date is not at 2026-01-01'], 'date'],
    [{ after: 'today' }, '2026-03-10', ['Date is not after today'], 'date'],
    [{ on_or_after: 'today' }, '2026-03-10', [], 'date'],
    [{ after: 'today' }, '2026-03-11', [], 'date'],
    [{ on_or_before: '2026-01-01' }, '2026-01-01T22:00:00Z', [], 'date'],
    [{ before: 'yesterday' }, '2026-03-09', ['Date is not before yesterday'], 'date'],
    [{}, '31 foo', [INVALID], 'date'],
    [{ before: 'now' }, '', [], 'date'],
  ],
  phone_number: [
    [{}, '+48 12 345 67 89', []],
    [{}, '+1 213 373 4253', []],
    [{}, '', []],
    [{}, null, []],
    [{}, '12345', [INVALID]],
    [{}, '+48 1', [INVALID]],
    [{}, '+48123456789000', [INVALID]],
    [{}, 'call me', [INVALID]],
    [{}, 48123456789, [INVALID]],
    [{}, `+${'4'.repeat(100_000)}`, [INVALID]],
  ],
  geometry: [
    [{}, { type: 'Point', coordinates: [19.9, 50.1] }, [], 'geojson'],
    [{}, '{"type":"Point","coordinates":[19.9,50.1,200]}', [], 'geojson'],
    [
      {},
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 1],
        ],
      },
      [],
      'geojson',
    ],
    [{}, { type: 'MultiPoint', coordinates: [[0, 0]] }, [], 'geojson'],
    [
      {},
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      [],
      'geojson',
    ],
    [
      {},
      {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [0, 0],
              [1, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        ],
      },
      [],
      'geojson',
    ],
    [{}, { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] }, [], 'geojson'],
    [{}, { type: 'Feature', geometry: null, properties: {} }, [], 'geojson'],
    [
      {},
      { type: 'FeatureCollection', features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] } }] },
      [],
      'geojson',
    ],
    [{}, '', [], 'geojson'],
    [{}, null, [], 'geojson'],
    [{}, { type: 'Point', coordinates: [190, 50] }, [INVALID], 'geojson'],
    [{}, { type: 'Point', coordinates: ['19', '50'] }, [INVALID], 'geojson'],
    [{}, { type: 'Point' }, [INVALID], 'geojson'],
    [
      {},
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
      [INVALID],
      'geojson',
    ],
    [{}, { type: 'constructor', coordinates: [] }, [INVALID], 'geojson'],
    [{}, { type: 'FeatureCollection', features: [{ type: 'Point', coordinates: [1, 2] }] }, [INVALID], 'geojson'],
    [{}, '{"type":"Point"', [INVALID], 'geojson'],
    [{}, `${'{"type":"Feature","geometry":'.repeat(30)}null${'}'.repeat(30)}`, [INVALID], 'geojson'],
  ],
  file_content_type: [
    [{ allow: ['image/png'] }, sent('image/png'), [], 'upload'],
    [{ allow: ['image/*'] }, sent('IMAGE/JPEG; x=y'), [], 'upload'],
    [{ allow: ['image/png'] }, sent('text/html'), [INVALID], 'upload'],
    [{ allow: ['image/*'] }, sent('imagex/png'), [INVALID], 'upload'],
    [{ allow: ['image/png'] }, 'data:image/png;base64,iVBORw0KGgo=', [], 'upload'],
    [{ allow: ['image/png'] }, 'data:text/html;base64,PGI+', [INVALID], 'upload'],
    [{ allow: ['image/png'] }, 'https://example.com/photo', [], 'upload'],
    [{ allow: ['image/png'] }, null, [], 'upload'],
    [{ allow: ['image/png'] }, '', [], 'upload'],
  ],
}

function sent(contentType: string) {
  return { kind: 'sent-file', fileName: 'a.png', contentType, size: 3, path: '/tmp/a' } as const
}

describe('validations', () => {
  for (const [kind, rows] of Object.entries(TABLE)) {
    it.each(rows.map((row) => [JSON.stringify(row[0]), short(row[1]), row] as const))(
      `${kind} %s of %s`,
      async (_options, _value, [options, value, expected, type]) => {
        expect(await messages(value, [rule(kind, options)], type)).toEqual(expected)
      },
    )
  }

  it('have their options, and are all tried', () => {
    expect(Object.entries(validatorOptions['length'] ?? {}).map(([name, { takes }]) => `${name}: ${takes}`)).toEqual([
      'minimum: number',
      'maximum: number',
      'is: number',
      'in: list',
      'within: list',
    ])
    expect(validatorOptions['uniqueness']).toBe(validatorOptions['unique'])
    const tested = [...Object.keys(TABLE), 'confirmation', 'unique', 'uniqueness']
    expect([...validators.keys()].toSorted()).toEqual(tested.toSorted())
  })

  it('throw for a computed option that cannot be used', async () => {
    const computed = (name: string, text: string) => ({ options: { [name]: liquidSetting(() => text) } })
    await expect(messages('a', [rule('length', {}, computed('minimum', 'many'))])).rejects.toThrow('expected a number')
    await expect(messages('a', [rule('format', {}, computed('with', '('))])).rejects.toThrow(
      'expected a regular expression',
    )
    await expect(messages('2026-01-01', [rule('date', {}, computed('after', 'no day'))], 'date')).rejects.toThrow(
      'expected a time',
    )
    expect(await messages('ab', [rule('length', {}, computed('minimum', ' 3 '))])).toEqual([
      'is too short (minimum is 3 characters)',
    ])
  })

  it('tell which types of files a field takes', () => {
    expect(allowedTypes(field('a', 'upload', rule('file_content_type', { allow: ['image/png', 'image/*'] })))).toEqual([
      'image/png',
      'image/*',
    ])
    expect(
      allowedTypes(
        field('a', 'upload', rule('file_content_type', {}, { options: { allow: liquidSetting(() => 'x') } })),
      ),
    ).toBeNull()
    expect(allowedTypes(field('a', 'upload'))).toBeNull()
  })
})

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 50 ? `${text.slice(0, 50)}… (${text.length})` : text
}

describe('confirmation', () => {
  const entry = form(
    'sign_up',
    'record',
    group([field('password', 'string', rule('confirmation')), { ...field('password_confirmation'), virtual: true }]),
  )

  it.each([
    ['equal', { password: 'secret', password_confirmation: 'secret' }, {}],
    [
      'different',
      { password: 'secret', password_confirmation: 'Secret' },
      { password_confirmation: ["doesn't match Password"] },
    ],
    ['blank', { password: 'secret', password_confirmation: '' }, { password_confirmation: ["doesn't match Password"] }],
    ['not sent', { password: 'secret' }, {}],
  ])('%s', async (_name, attributes, expected) => {
    expect(await errorsOf(entry, formState({ attributes }))).toEqual(expected)
  })

  it('stands beside its field among the properties of a nested resource', async () => {
    const fields = group([], [field('code', 'string', rule('confirmation')), field('code_confirmation')])
    const profile = form('p', 'user', group([], [], [nestedGroup('profiles', 'developer', fields)]))
    const inner = { attributes: {}, properties: { code: 'a', code_confirmation: 'b' }, nested: {} }
    const errors = await errorsOf(
      profile,
      formState({ nested: { profiles: { developer: inner } } }),
      recordingHost({ on: 'update' }),
    )
    expect(errors).toEqual({ 'profiles.developer.properties.code_confirmation': ["doesn't match Code"] })
  })
})

describe('unique', () => {
  const scoped = group(
    [field('external_id', 'string', rule('unique', { scope: ['user_id', 'category'], case_sensitive: false }))],
    [field('category'), field('number', 'integer', rule('uniqueness'))],
  )
  const entry = form('item', 'record', scoped)

  it('asks with the typed value, the scope by path, and the present user', async () => {
    const r = renderWith()
    r.context['current_user'] = { id: '5' }
    const how = recordingHost({ r, taken: [12] })
    const sent = { attributes: { external_id: 'A' }, properties: { category: 'x', number: '12' } }
    expect(await errorsOf(entry, formState(sent), how)).toEqual({ 'properties.number': ['has already been taken'] })
    expect(how.asked).toEqual([
      ['external_id', 'A', { caseSensitive: false, scope: { user_id: '5', 'properties.category': 'x' } }],
      ['properties.number', 12, { caseSensitive: true, scope: {} }],
    ])
  })

  it('asks nothing for blank values, misfits, and what stays as it is', async () => {
    const how = recordingHost({ on: 'update' })
    const known = { properties: { number: 3 }, userId: '9' }
    await errorsOf(entry, formState({ attributes: { external_id: '' } }, known), how)
    await errorsOf(entry, formState({ properties: { number: 'abc' } }, known), how)
    expect(how.asked).toEqual([])
    await errorsOf(entry, formState({ attributes: { external_id: 'B' } }, known), how)
    expect(how.asked).toEqual([
      ['external_id', 'B', { caseSensitive: false, scope: { user_id: '9', 'properties.category': null } }],
    ])
  })
})

describe('what all rules share', () => {
  it.each([
    ['allow_nil of nil', null, { allowNil: true }, []],
    ['allow_nil of blank', '', { allowNil: true }, ['is too short (minimum is 2 characters)']],
    ['allow_blank of blank', ' ', { allowBlank: true }, []],
    ['on update in a create', '', { on: 'update' }, []],
    ['on create in a create', '', { on: 'create' }, ['is too short (minimum is 2 characters)']],
    ['message', '', { message: plain('needs %{count} for %{attribute}') }, ['needs 2 for Field']],
    ['if true', '', { if: liquidSetting(() => ' true\n') }, ['is too short (minimum is 2 characters)']],
    ['if anything else', '', { if: liquidSetting(() => 'yes') }, []],
  ] as const)('%s', async (_name, value, more, expected) => {
    expect(await messages(value, [rule('length', { minimum: 2 }, more)])).toEqual(expected)
  })

  it('see the form in `if` and `message`, also where they wait', async () => {
    const sees = (scope: Record<string, unknown>) =>
      (scope['form'] as { properties: { field: string } }).properties.field
    const more = {
      if: liquidSetting(async (scope) => `${sees(scope) === 'x'}`),
      message: liquidSetting((scope) => `not ${sees(scope)}`),
    }
    expect(await messages('x', [rule('length', { minimum: 2 }, more)])).toEqual(['not x'])
    expect(await messages('y', [rule('length', { minimum: 2 }, more)])).toEqual([])
  })

  it('do not run where the kind is unknown', async () => {
    expect(await messages('', [rule('constructor')])).toEqual([])
  })

  it.each([
    ['integer', '12x', ['is not a number']],
    ['float', 'one', ['is not a number']],
    ['decimal', {}, ['is not a number']],
    ['boolean', 'perhaps', [INVALID]],
    ['datetime', '2026-99-99', [INVALID]],
    ['date', 'soon', [INVALID]],
    ['time', '99:99', [INVALID]],
    ['array', [{}], [INVALID]],
    ['geojson', 'x', [INVALID]],
    ['string', 'a\0b', [INVALID]],
    ['upload', 12, [INVALID]],
    ['integer', '12', []],
    ['integer', '', []],
    ['boolean', 'on', []],
    ['string', { a: 1 }, []],
    ['array', ['a'], []],
  ] as const)('a %s holds %j: %j', async (type, value, expected) => {
    expect(await messages(value, [], type)).toEqual(expected)
  })

  it('say a misfit once', async () => {
    expect(await messages('abc', [rule('numericality', { greater_than: 1 })], 'integer')).toEqual(['is not a number'])
  })
})

describe('messages', () => {
  const i18n = {
    en: { errors: { blank: 'is missing', messages: { too_short: { one: 'one more', other: '%{count} at least' } } } },
    pl: {
      errors: {
        messages: {
          blank: 'nie może być puste',
          too_long: { one: 'jeden znak', few: '%{count} znaki', many: '%{count} znaków', other: '%{count} znaku' },
          invalid: '%{attribute} to nie „%{value}”',
        },
      },
    },
  }

  it.each([
    ['en', '', rule('presence'), 'is missing'],
    ['en', 'a', rule('length', { minimum: 2 }), '2 at least'],
    ['en', '', rule('length', { minimum: 1 }), 'one more'],
    ['en', 'x', rule('email'), INVALID],
    ['pl', '', rule('presence'), 'nie może być puste'],
    ['pl', 'abcdefg', rule('length', { maximum: 2 }), '2 znaki'],
    ['pl', 'abcdefg', rule('length', { maximum: 5 }), '5 znaków'],
    ['pl', '<b>', rule('email'), 'Field to nie „<b>”'],
    // A language without the message uses the site's English text, and otherwise the built-in one.
    ['pl', 'a', rule('length', { minimum: 2 }), '2 at least'],
    ['de', '', rule('presence'), 'is missing'],
    ['__proto__', 'a', rule('absence'), 'must be blank'],
  ] as const)('in %s of %j', async (language, value, one, expected) => {
    expect(await messages(value, [one], 'string', recordingHost({ r: renderWith(i18n, language) }))).toEqual([expected])
  })

  it('never repeat more than a little of the value', async () => {
    const [text] = await messages(
      'y'.repeat(10_000),
      [rule('email')],
      'string',
      recordingHost({ r: renderWith(i18n, 'pl') }),
    )
    expect(text?.length).toBeLessThan(200)
  })
})
