/** Relations between types, and the types of their parts. */
import { describe, expect, it } from 'vitest'
import {
  BOOLEAN,
  FLOAT,
  INTEGER,
  NEVER,
  NIL,
  NUMBER,
  RANGE,
  SAFE,
  STRING,
  type Type,
  UNKNOWN,
} from '../../../../compiler/core/model/type.ts'
import { docType } from '../../../../compiler/language/types/from-doc.ts'
import { element, property } from '../../../../compiler/language/types/lookup.ts'
import {
  assignable,
  constantTruth,
  describe as words,
  elementOf,
  falsy,
  join,
  joinAll,
  literalTexts,
  members,
  truthy,
} from '../../../../compiler/language/types/relate.ts'

const text = (literal: string): Type => ({ kind: 'string', literal })
const list = (element: Type): Type => ({ kind: 'list', element })
const record = (fields: Readonly<Record<string, Type>>, open = false): Type => ({
  kind: 'record',
  fields: new Map(Object.entries(fields)),
  open,
  origin: null,
})

describe('join', () => {
  it.each<[string, Type, Type, Type]>([
    ['nothing and something', NEVER, STRING, STRING],
    ['anything and something', UNKNOWN, STRING, UNKNOWN],
    ['equal types', INTEGER, INTEGER, INTEGER],
    ['an integer and a float', INTEGER, FLOAT, NUMBER],
    ['two texts', text('a'), text('b'), { kind: 'union', members: [text('a'), text('b')] }],
    ['a known text and any', text('a'), STRING, STRING],
    ['any text and a known one', STRING, text('a'), STRING],
    ['a plain and a safe text', STRING, SAFE, { kind: 'union', members: [STRING, SAFE] }],
    ['lists', list(INTEGER), list(FLOAT), list(NUMBER)],
    ['an empty list and another', list(NEVER), list(STRING), list(STRING)],
    [
      'hashes with other keys',
      record({ a: STRING }),
      record({ b: STRING }),
      record({ a: join(STRING, NIL), b: join(STRING, NIL) }),
    ],
    ['a hash that may have more keys', record({ a: STRING }), record({}, true), record({ a: UNKNOWN }, true)],
  ])('of %s', (_name, a, b, expected) => {
    expect(join(a, b)).toEqual(expected)
  })

  it('forgets the texts when there are too many', () => {
    const many = Array.from({ length: 40 }, (_, at) => text(`t${at}`))
    expect(joinAll(many)).toEqual(STRING)
  })

  it('ends for types that grow with every turn', () => {
    let type: Type = record({ a: NIL })
    for (let turn = 0; turn < 200; turn++) type = join(type, record({ a: type }))
    expect(
      JSON.stringify(type, (_key, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value)).length,
    ).toBeLessThan(5000)
  })
})

describe('what fits', () => {
  it.each<[Type, Type, boolean]>([
    [STRING, NUMBER, false],
    [INTEGER, NUMBER, true],
    [UNKNOWN, NUMBER, true],
    [NIL, NUMBER, true],
    [join(STRING, INTEGER), NUMBER, true],
    [list(STRING), list(NUMBER), false],
    [list(UNKNOWN), list(NUMBER), true],
    [list(NEVER), list(NUMBER), true],
    [record({}), list(UNKNOWN), false],
  ])('%o in %o: %s', (type, expected, fits) => {
    expect(assignable(type, expected)).toBe(fits)
  })
})

describe('truth', () => {
  it('narrows', () => {
    expect(truthy(join(STRING, NIL))).toEqual(STRING)
    expect(falsy(join(join(STRING, NIL), BOOLEAN))).toEqual(join(NIL, BOOLEAN))
    expect(truthy(UNKNOWN)).toEqual(UNKNOWN)
  })

  it('is constant for what is neither nil nor a boolean', () => {
    expect(constantTruth(STRING)).toBe(true)
    expect(constantTruth(NIL)).toBe(false)
    expect(constantTruth(BOOLEAN)).toBeNull()
    expect(constantTruth(join(STRING, NIL))).toBeNull()
    expect(constantTruth(UNKNOWN)).toBeNull()
  })
})

describe('parts', () => {
  it.each<[string, Type, string, Type]>([
    ['a key', record({ a: STRING }), 'a', STRING],
    ['a key of an open hash', record({}, true), 'a', UNKNOWN],
    ['the size of a list', list(STRING), 'size', INTEGER],
    ['the first of a list', list(STRING), 'first', join(STRING, NIL)],
    ['the size of a text', STRING, 'size', INTEGER],
    ['a key of nil', NIL, 'a', NIL],
    ['a key of what may be nil', join(record({ a: STRING }), NIL), 'a', join(STRING, NIL)],
    ['the first pair of a hash', record({ a: STRING }), 'first', list(UNKNOWN)],
  ])('%s', (_name, type, key, expected) => {
    expect(property(type, key, true)).toEqual({ type: expected, missingKey: null, missingInSome: null })
  })

  it('says what keys there are instead', () => {
    expect(property(record({ a: STRING }), 'b', true).missingKey?.knownNames).toEqual(['a'])
    expect(property(join(record({ a: STRING }), NIL), 'b', true).missingKey?.knownNames).toEqual(['a'])
    expect(property(join(record({ a: STRING }), STRING), 'b', true).missingKey).toBeNull()
    expect(property(record({ a: STRING }), 'size', false).missingKey?.knownNames).toEqual(['a'])
  })

  it('gives elements', () => {
    expect(element(list(STRING))).toEqual(join(STRING, NIL))
    expect(elementOf(RANGE)).toEqual(INTEGER)
    expect(elementOf(join(list(STRING), NIL))).toEqual(STRING)
    expect(elementOf(record({ a: STRING }))).toEqual(list(UNKNOWN))
  })

  it('knows the texts of a value', () => {
    expect(literalTexts(join(text('a'), text('b')))).toEqual(['a', 'b'])
    expect(literalTexts(join(text('a'), STRING))).toBeNull()
    expect(literalTexts(join(text('a'), NIL))).toBeNull()
  })
})

describe('words', () => {
  it.each<[Type, string]>([
    [STRING, 'text'],
    [NUMBER, 'number'],
    [join(NIL, STRING), 'text or nil'],
    [list(STRING), 'array of texts'],
    [list(UNKNOWN), 'array'],
    [record({}), 'hash'],
    [join(text('a'), text('b')), 'text'],
    [BOOLEAN, 'true or false'],
  ])('%o is %s', (type, expected) => {
    expect(words(type)).toBe(expected)
  })
})

describe('types of doc blocks', () => {
  it('are read with their brackets', () => {
    expect(docType('string')).toEqual(STRING)
    expect(docType('number[]')).toEqual(list(NUMBER))
    expect(docType('current_user')?.kind).toBe('hash')
    expect(docType('strng')).toBeNull()
    expect(members(docType('date') ?? NIL).map((each) => each.kind)).toEqual(['date', 'string'])
  })
})
