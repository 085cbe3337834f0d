/** Variables as sites pass them: texts for numbers, nil for missing values, a single value for a list. */
import { describe, expect, it } from 'vitest'
import { coerceVariables } from '../../../../runtime/data/query/coerce.ts'
import { planOperation } from '../../../../runtime/data/query/index.ts'
import { Float } from '../../../../runtime/page/values/number.ts'
import { parseText } from '../../../../runtime/page/values/time.ts'
import { range } from '../../../../runtime/page/values/range.ts'

/** Returns the coerced value of one variable of a type, or the message when it is rejected. */
function coerced(type: string, value: unknown): unknown {
  const { declaredVariables } = planOperation(`query ($v: ${type}) { instance { id } }`)
  const { values, problems } = coerceVariables(declaredVariables, { v: value })
  if (problems.length > 0) return `! ${problems.map(({ message }) => message).join('; ')}`
  return Object.hasOwn(values, 'v') ? values['v'] : 'absent'
}

it('tells what is not given from null, and knows what null means for a default', () => {
  const { declaredVariables } = planOperation(
    'query ($a: Int, $b: Int = 7, $c: Int = null, $d: Int) { instance { id } }',
  )
  const valuesOf = (given: Record<string, unknown>, nil?: 'null'): unknown => ({
    ...coerceVariables(declaredVariables, given, nil).values,
  })
  expect(valuesOf({})).toEqual({ b: 7, c: null })
  expect(valuesOf({ a: null, b: null, other: 1 })).toEqual({ a: null, b: 7, c: null })
  expect(valuesOf({ a: null, b: null }, 'null')).toEqual({ a: null, b: null, c: null })
})

describe('a variable', () => {
  it.each([
    ['Int', '12', 12],
    ['Int', ' 12 ', 12],
    ['Int', 3n, 3],
    ['Int', new Float(3), 3],
    ['Int', -2147483648, -2147483648],
    ['Int', '', null],
    ['Int', null, null],
    ['Int', undefined, null],
    ['Int = 7', null, 7],
    ['Int! = 7', null, 7],
    ['Float', '1.5', 1.5],
    ['Float', new Float(2), 2],
    ['String', 12, '12'],
    ['String', new Float(2), '2.0'],
    ['[String]', [new Float(2), 1.5], ['2.0', '1.5']],
    ['String', { a: [new Float(2), 2] }, '{"a":[2.0,2]}'],
    ['StringFilter', { value: new Float(2) }, { value: '2.0' }],
    ['HashObject', { a: [new Float(2)] }, { a: [2] }],
    ['[Int]', new Float(2), [2]],
    ['String', true, 'true'],
    ['String', '', ''],
    ['String', { a: [1, null, { b: 'x"y' }] }, '{"a":[1,null,{"b":"x\\"y"}]}'],
    ['String', ['a', 2, true], '["a",2,true]'],
    ['String', range(1, 3), '[1,2,3]'],
    ['String', parseText('2020-03-15 14:28:48.5 UTC', { now: () => 0, timeZone: 'UTC' }), '2020-03-15T14:28:48.500Z'],
    ['StringFilter', { value: ['a'] }, { value: '["a"]' }],
    ['String!', { a: 1 }, '{"a":1}'],
    ['Float', '', null],
    ['Boolean', '', null],
    ['ID', 12, '12'],
    ['ID', 99999999999999999999n, '99999999999999999999'],
    ['Boolean', 'true', true],
    ['Boolean', 'false', false],
    ['[String!]', 'a', ['a']],
    ['[String!]', ['a', null, 2], ['a', '2']],
    ['[ID]', range(1, 3), ['1', '2', '3']],
    ['SortOrderEnum', 'desc', 'DESC'],
    ['SortOrderEnum = ASC', null, 'ASC'],
    ['HashObject', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
  ])('of type %s takes a value (%#)', (type, given, expected) => {
    expect(coerced(type, given)).toEqual(expected)
  })

  it.each([
    ['Int', 'abc', 'must be a whole number'],
    ['Int', 2147483648, 'between -2147483648 and 2147483647'],
    ['Int', -2147483649, 'between -2147483648 and 2147483647'],
    ['Int', 1.5, 'must be a whole number'],
    ['Int', 3_000_000_000, 'must be between'],
    ['Int', [1], 'must be a whole number'],
    ['Float', 'NaN', 'must be a number'],
    ['Boolean', 'yes', 'must be true or false'],
    ['ID', { a: 1 }, 'must be a text'],
    ['Int!', null, 'a value is required'],
    ['SortOrderEnum', 'UP', 'one of ASC, DESC'],
    ['RecordsFilterInput', 'x', 'must be an object'],
    ['RecordsFilterInput', { tabel: {} }, '`RecordsFilterInput` has no field `tabel`'],
    ['RecordsFilterInput', { properties: [{ value: 'x' }] }, '`properties[0].name` must have a value'],
    ['UniqIdFilter', { value: ['a'] }, '`value` must be a text'],
  ])('of type %s refuses a value (%#)', (type, given, why) => {
    expect(coerced(type, given)).toContain(why)
  })

  it('has own keys only, and bounds', () => {
    const inherited = Object.create({ table: { value: 'x' } }) as object
    // A value with its own prototype is not an input object, even if it inherits fields.
    expect(coerced('RecordsFilterInput', inherited)).toContain('it must be an object')
    expect(coerced('RecordsFilterInput', Object.create(null))).toEqual({})
    expect(coerced('HashObject', JSON.parse('{"__proto__": {"a": 1}}'))).toEqual(JSON.parse('{"__proto__": {"a": 1}}'))
    let deep: unknown = 1
    for (let level = 0; level < 100; level++) deep = [deep]
    expect(coerced('HashObject', deep)).toContain('nested deeper')
    expect(
      coerced(
        'HashObject',
        Array.from({ length: 1_200_000 }, () => 1),
      ),
    ).toContain('more than 1000000 parts')
  })
})
