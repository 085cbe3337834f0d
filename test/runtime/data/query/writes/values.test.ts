import { describe, expect, it } from 'vitest'
import type { PropertyType } from '../../../../../runtime/page/compiled.ts'
import { QueryError } from '../../../../../runtime/data/query/model.ts'
import { defaultTexts, storedText } from '../../../../../runtime/data/query/writes/stored-values.ts'
import { objectText } from '../../../../../runtime/data/values/json-text.ts'
import { isoText, momentOf } from '../../../../../runtime/data/values/moments.ts'

function property(type: PropertyType, initial: unknown = null) {
  return { name: 'p', type, default: initial, belongsTo: null, options: null }
}

/** Returns the cast value as JSON text, or `error`. */
function cast(type: PropertyType, value: unknown): string {
  try {
    return storedText(property(type), value)
  } catch (error) {
    if (error instanceof QueryError) return 'error'
    throw error
  }
}

const TABLE: readonly (readonly [PropertyType, unknown, string])[] = [
  ['string', 'a', '"a"'],
  ['string', '', '""'],
  ['string', 5, '"5"'],
  ['string', true, '"true"'],
  ['string', { a: [1] }, '"{\\"a\\":[1]}"'],
  ['string', 'Ω 😀 "q" \\ \u2028', JSON.stringify('Ω 😀 "q" \\ \u2028')],
  ['string', 'half \ud83d', '"half \ufffd"'],
  ['string', 'nul \0', 'error'],
  ['string', { a: 'nul \0' }, 'error'],
  ['binary', 'YWJj', '"YWJj"'],
  ['integer', 5, '5'],
  ['integer', '5', '5'],
  ['integer', ' +007 ', '7'],
  ['integer', '-3.0', '-3'],
  ['integer', 1e18, '1000000000000000000'],
  ['integer', '9223372036854775807', '9223372036854775807'],
  ['integer', '9223372036854775808', 'error'],
  ['integer', '-9223372036854775808', '-9223372036854775808'],
  ['integer', 12345678901234567890n, 'error'],
  ['integer', '', 'null'],
  ['integer', '5.5', 'error'],
  ['integer', 5.5, 'error'],
  ['integer', 'five', 'error'],
  ['integer', true, 'error'],
  ['integer', [1], 'error'],
  ['integer', "1'; drop table", 'error'],
  ['float', 0.1, '0.1'],
  ['float', '1e3', '1000'],
  ['float', '.5', '0.5'],
  ['float', -0, '0'],
  ['float', '1e400', 'error'],
  ['float', Number.NaN, 'error'],
  ['float', Number.POSITIVE_INFINITY, 'error'],
  ['float', '0x10', 'error'],
  ['float', '', 'null'],
  ['decimal', '1.50', '1.50'],
  ['decimal', '0012.300', '12.300'],
  ['decimal', '-.5', '-0.5'],
  ['decimal', '5.', '5'],
  ['decimal', '123456789012345678901234567890.123456789', '123456789012345678901234567890.123456789'],
  ['decimal', '1e-7', '1e-7'],
  ['decimal', 1e-7, '1e-7'],
  ['decimal', '1e9999', 'error'],
  ['decimal', '.', 'error'],
  ['decimal', `${'9'.repeat(2000)}`, 'error'],
  ['decimal', '', 'null'],
  ['boolean', true, 'true'],
  ['boolean', 'T', 'true'],
  ['boolean', 'off', 'false'],
  ['boolean', 0, 'false'],
  ['boolean', '', 'null'],
  ['boolean', 'maybe', 'error'],
  ['boolean', 2, 'error'],
  ['array', ['a', 1, true, null], '["a","1","true"]'],
  ['array', 'a', '["a"]'],
  ['array', 'a,b', '["a,b"]'],
  ['array', '["a","b"]', '["a","b"]'],
  ['array', '[not json', '["[not json"]'],
  ['array', '', '[]'],
  ['array', [], '[]'],
  ['array', [{ a: 1 }], 'error'],
  ['array', ['\0'], 'error'],
  ['array', { a: 1 }, 'error'],
  ['datetime', '2017-07-07 14:00:00 +0000', '"2017-07-07T14:00:00.000Z"'],
  ['datetime', '2017-07-07T14:00:00+02:00', '"2017-07-07T12:00:00.000Z"'],
  ['datetime', '2020-03-15T14:28:48.153Z', '"2020-03-15T14:28:48.153Z"'],
  ['datetime', '2020-03-15', '"2020-03-15T00:00:00.000Z"'],
  ['datetime', 0, '"1970-01-01T00:00:00.000Z"'],
  ['datetime', 1584282528.5, '"2020-03-15T14:28:48.500Z"'],
  ['datetime', '1584282528', '"2020-03-15T14:28:48.000Z"'],
  ['datetime', '', 'null'],
  ['datetime', '2020-13-45', 'error'],
  ['datetime', '2024-04-31T10:00:00Z', 'error'],
  ['datetime', '2019-12-31T24:00:00Z', '"2020-01-01T00:00:00.000Z"'],
  ['datetime', 'soon', 'error'],
  ['datetime', 'monday', 'error'],
  ['datetime', 1e20, 'error'],
  ['datetime', true, 'error'],
  ['date', '2020-03-15', '"2020-03-15"'],
  ['date', '15 March 2020', '"2020-03-15"'],
  ['date', '2020-03-15T23:30:00-05:00', '"2020-03-15"'],
  ['date', '2024-02-29', '"2024-02-29"'],
  ['date', '2023-02-29', 'error'],
  ['date', 'yesterday', 'error'],
  ['date', '', 'null'],
  ['time', '14:28', '"14:28:00"'],
  ['time', '2:05:09 pm', '"14:05:09"'],
  ['time', '2020-03-15T14:28:48.250Z', '"14:28:48.250"'],
  ['time', '25:00', 'error'],
  ['time', 'noonish', 'error'],
  ['time', '', 'null'],
  ['geojson', { type: 'Point', coordinates: [1, 2] }, '{"type":"Point","coordinates":[1,2]}'],
  ['geojson', '{"type":"Point","coordinates":[1,2]}', '{"type":"Point","coordinates":[1,2]}'],
  ['geojson', { type: 'Point', coordinates: ['x'] }, 'error'],
  ['geojson', { type: 'Point', coordinates: null }, '{"type":"Point","coordinates":null}'],
  ['geojson', '{"type":"Point","coordinates":[null,null]}', '{"type":"Point","coordinates":[null,null]}'],
  ['geojson', { type: 'Point', coordinates: [null, 1] }, 'error'],
  ['geojson', { type: 'Point', coordinates: [null] }, 'error'],
  ['geojson', { type: 'Point' }, 'error'],
  ['geojson', { type: 'Banana' }, 'error'],
  ['geojson', 'here', 'error'],
  ['address', 'Main St 1', '"Main St 1"'],
  ['address', { city: 'Wien' }, '{"city":"Wien"}'],
  [
    'upload',
    'https://cdn.example.com/a%20b/Photo%201.JPG?x=1',
    '{"path":"https://cdn.example.com/a%20b/Photo%201.JPG?x=1","file_name":"Photo 1.JPG","extension":"jpg","versions":{}}',
  ],
  ['upload', { path: 'x/y', file_name: 'n.txt' }, '{"path":"x/y","file_name":"n.txt","extension":"","versions":{}}'],
  ['upload', { versions: {} }, 'error'],
  ['upload', 5, 'error'],
  ['upload', '', 'null'],
]

describe('values of properties', () => {
  it.each(TABLE)('%s: %o', (type, value, text) => {
    expect(cast(type, value)).toBe(text)
    if (text !== 'error') expect(() => JSON.parse(text) as unknown).not.toThrow()
  })

  it.each(['string', 'integer', 'boolean', 'datetime', 'upload'] as const)(
    'null clears a property of type %s',
    (type) => {
      expect(cast(type, null)).toBe('null')
    },
  )

  it('a point without coordinates is refused where its property needs them', () => {
    const place = { ...property('geojson'), located: true } as const
    expect(() => storedText(place, { type: 'Point', coordinates: null })).toThrow('cannot hold')
    expect(() => storedText(place, { type: 'Point', coordinates: [null, null] })).toThrow('cannot hold')
    expect(storedText(place, { type: 'Point', coordinates: [1, 2] })).toContain('[1,2]')
    expect(storedText(place, null)).toBe('null')
  })

  it('null empties an array', () => {
    expect(cast('array', null)).toBe('[]')
  })

  it('says what does not fit, without printing long values', () => {
    const attempt = () => storedText(property('integer'), 'x'.repeat(10_000))
    expect(attempt).toThrow(/^Property `p` is an integer and cannot hold "x+…\.$/)
    expect(attempt).toThrow(QueryError)
    try {
      attempt()
    } catch (error) {
      expect((error as QueryError).message.length).toBeLessThan(120)
    }
  })

  it('gives the defaults of new rows', () => {
    const declared = [
      { ...property('string', 'new'), name: 'a' },
      { ...property('array'), name: 'b' },
      { ...property('integer'), name: 'c' },
      { ...property('integer', '3'), name: '__proto__' },
    ]
    expect(objectText(defaultTexts(declared))).toBe('{"a":"new","b":[],"__proto__":3}')
  })

  it('reads times from the year 1 to the year 9999', () => {
    expect(isoText(momentOf('0001-01-01T00:00:00Z')!)).toBe('0001-01-01T00:00:00.000Z')
    expect(isoText(momentOf('9999-12-31T23:59:59.999Z')!)).toBe('9999-12-31T23:59:59.999Z')
    expect(momentOf('10000-01-01T00:00:00Z')).toBeNull()
    expect(momentOf('0000-12-31T00:00:00Z')).toBeNull()
  })
})
