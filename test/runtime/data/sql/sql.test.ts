/** SQL as a value: which parts are inserted, which become parameters, and which texts can never become a statement. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { arrayText, quotedName, quotedText } from '../../../../runtime/data/sql/quote.ts'
import { RESERVED } from '../../../../runtime/data/sql/reserved.ts'
import {
  identifier,
  integer,
  integers,
  join,
  literal,
  emptySql,
  parameter,
  prefixed,
  prepared,
  raw,
  type Sql,
  SqlStatement,
  sql,
  toStatement,
} from '../../../../runtime/data/sql/sql.ts'
import type { QueryHost } from '../../../../runtime/data/query/host.ts'
import type { Statements } from '../../../../server/web/graphql/database/statements.ts'
import { type Client, send, sendOnce, sendTexts } from '../../../../server/data/store/send.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'

const HOSTILE = [
  "'; drop table ingot.records; --",
  "\\'; select 1; --",
  '"; select 1; --',
  '$1',
  '$$',
  '/* ',
  '?',
  'ein Wort ü €',
  '😀',
  "E'\\''",
  '',
]

const written = (whole: Sql): readonly [string, readonly unknown[]] => {
  const { text, values } = toStatement(whole)
  return [text, values]
}

describe('a template', () => {
  it('splices SQL, and makes parameters of everything else', () => {
    const where = sql`t.id = ${7} and ${sql`t.name = ${'x'}`}`
    expect(written(sql`select 1 from t where ${where} and t.at is ${null}`)).toEqual([
      'select 1 from t where t.id = $1 and t.name = $2 and t.at is $3',
      [7, 'x', null],
    ])
  })

  it('numbers parameters in the order in which they stand, equal ones once', () => {
    const [a, b] = [parameter('a', 'text'), parameter('b', 'bigint')]
    expect(written(sql`${b} ${a} ${b} ${'a'}`)).toEqual([
      '$1::text::bigint $2::text $1::text::bigint $3',
      ['b', 'a', 'a'],
    ])
  })

  it('takes a line break with the spaces around it for one space', () => {
    const wide = sql`
      select a,
        b   from ${identifier('t')}
      where c
    `
    expect(written(wide)[0]).toBe('select a, b   from t where c')
    expect(written(raw`select a\n  -- why\n  from t`)[0]).toBe('select a\n  -- why\n  from t')
  })

  it('gives equal text for equal SQL, however it was put together', () => {
    const one = sql`select ${join([sql`a`, sql`b`])} from t where ${join([sql`x = ${1}`, sql`y = ${2}`], ' and ')}`
    const other = sql`select a, b from t where x = ${'p'} and y = ${'q'}`
    expect(written(one)[0]).toBe(written(other)[0])
  })

  it.each(HOSTILE)('keeps %j out of the text', (value) => {
    expect(written(sql`select ${value}, ${parameter(value, 'text')}`)).toEqual(['select $1, $2::text', [value, value]])
  })

  it('puts parts in a row, none of none', () => {
    expect(written(sql`(${join([])}${emptySql})`)[0]).toBe('()')
    expect(written(join([sql`a`], ' or '))[0]).toBe('a')
    expect(written(integers([3, 1]))[0]).toBe('3, 1')
  })

  it('writes whole numbers only where a number stands in the text', () => {
    expect(written(integer(-5))[0]).toBe('-5')
    for (const wrong of [1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]) {
      expect(() => integer(wrong)).toThrow(TypeError)
    }
  })

  it('nested as deep as a document can be is still written', () => {
    let deep = sql`${1}`
    for (let level = 0; level < 2_000; level++) deep = sql`(${deep})`
    expect(written(deep)[0]).toBe(`${'('.repeat(2_000)}$1${')'.repeat(2_000)}`)
  })
})

/** Whether a function accepts arguments of these types. */
type Takes<Call extends (...given: never) => unknown, Given extends readonly unknown[]> =
  Given extends Parameters<Call> ? true : false
/** Whether the class can be constructed outside of its file. */
type Makes<Class> = Class extends new (...given: never) => unknown ? true : false

/** Compiles only if the type argument is `true`. */
function holds<Fact extends boolean>(fact: Fact): Fact {
  return fact
}

describe('a plain string', () => {
  type Shape = Pick<SqlStatement, 'text' | 'values' | 'withValues'>

  it('is no SQL and no statement', () => {
    const refused: readonly false[] = [
      holds<Takes<typeof toStatement, [string]>>(false),
      holds<Takes<typeof sql, [string]>>(false),
      holds<Takes<typeof sql, [string[]]>>(false),
      holds<Takes<typeof raw, [string]>>(false),
      holds<Takes<typeof raw, [TemplateStringsArray, string]>>(false),
      holds<Takes<typeof join, [string[]]>>(false),
      holds<Takes<typeof join, [Sql[], string]>>(false),
      holds<Takes<typeof parameter, [string, string]>>(false),
      holds<Takes<typeof send, [Client, string]>>(false),
      holds<Takes<typeof send, [Client, Sql]>>(false),
      holds<Takes<typeof send, [Client, Shape]>>(false),
      holds<Takes<typeof sendTexts, [Client, string]>>(false),
      holds<Takes<typeof sendOnce, [Client, string]>>(false),
      holds<Takes<typeof sendOnce, [Client, Shape]>>(false),
      holds<Takes<typeof identifier, [Sql]>>(false),
      holds<Takes<typeof integer, [string]>>(false),
      holds<Takes<Statements['run'], [string, Parameters<Statements['run']>[1]]>>(false),
      holds<Takes<QueryHost['run'], [string, Parameters<QueryHost['run']>[1]]>>(false),
      holds<Makes<typeof Sql>>(false),
      holds<Makes<typeof SqlStatement>>(false),
    ]
    const taken: readonly true[] = [
      holds<Takes<typeof toStatement, [Sql]>>(true),
      holds<Takes<typeof join, [Sql[], ' and ']>>(true),
      holds<Takes<typeof send, [Client, SqlStatement]>>(true),
      holds<Takes<typeof sendOnce, [Client, Sql]>>(true),
      holds<Takes<Statements['run'], [SqlStatement, Parameters<Statements['run']>[1]]>>(true),
    ]
    expect([refused.includes(false), taken.includes(true)]).toEqual([true, true])
  })

  it('that was made to look like a statement has no text', () => {
    const forged: SqlStatement = Object.create(SqlStatement.prototype, { values: { value: [] } })
    expect(() => forged.text).toThrow(TypeError)
    const copied: Shape = { ...toStatement(sql`select 1`) } as Shape
    expect(copied.text).toBeUndefined()
  })
})

describe('a statement', () => {
  it('takes other values, as many as it has parameters', () => {
    const statement = toStatement(sql`select ${1}::int, ${2}::int`)
    expect(statement.withValues([3, 4])).toEqual(toStatement(sql`select ${3}::int, ${4}::int`))
    expect(() => statement.withValues([3])).toThrow(TypeError)
  })

  it('is written once for values that come later, in the order of its function', () => {
    const find = prepared<[name: string, id: number]>((name, id) => sql`${id}::int ${name}::text ${id}::int`)
    expect([find('x', 7).text, find('x', 7).values]).toEqual(['$1::int $2::text $1::int', [7, 'x']])
    expect(find('y', 8).values).toEqual([8, 'y'])
  })

  it('stands behind a prefix that holds no parameters', () => {
    expect(prefixed(sql`explain`, toStatement(sql`select ${1}::int`)).text).toBe('explain select $1::int')
    expect(() => prefixed(sql`explain ${1}`, toStatement(emptySql))).toThrow(TypeError)
  })
})

describe('in the database', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase({ empty: true })
  })
  afterAll(() => database.close())

  it('words are reserved that PostgreSQL reserves', async () => {
    const rows = await database.sql<{ word: string }[]>`select word from pg_get_keywords() where catcode <> 'U'`
    expect(rows.map(({ word }) => word).filter((word) => !RESERVED.has(word))).toEqual([])
  })

  it('names are quoted as PostgreSQL quotes them', async () => {
    const names = ['plain', 'a_1', 'select', 'order', 'user', 'Upper', '1st', 'a b', 'a"b', "a'b", 'a;b', 'ü', 'name']
    for (const name of names) {
      const [row] = await database.sql<{ quoted: string }[]>`select quote_ident(${name}) as quoted`
      expect(quotedName(name)).toBe(row?.quoted)
    }
    for (const name of ['', 'a\0b']) expect(() => identifier(name)).toThrow(TypeError)
  })

  it.each(['on', 'off'])('texts and names stay what they are, with standard_conforming_strings %s', async (setting) => {
    await database.sql.begin(async (view) => {
      await view`select set_config('standard_conforming_strings', ${setting}, true)`
      for (const value of HOSTILE) {
        const name = value === '' ? 'empty' : value
        const [row] = await send(view, toStatement(sql`select ${literal(value)}::text as ${identifier(name)}`))
        expect(row).toEqual({ [name]: value })
        const list = sql`select to_json(${literal(arrayText([value, null]))}::text[]) as list`
        expect(await send(view, toStatement(list))).toEqual([{ list: [value, null] }])
      }
    })
    expect(() => literal('a\0b')).toThrow(TypeError)
    expect(quotedText("it's")).toBe("'it''s'")
  })

  it('several statements stand in one text, and a list of names and texts in a statement that takes no parameters', async () => {
    const [table, comment] = [identifier('it\'s a "table"'), "it's \\ a $1"]
    await database.sql.begin(async (view) => {
      await sendOnce(view, sql`create table ${table} (a integer); comment on table ${table} is ${literal(comment)}`)
      const told = sql`select obj_description(${'"it\'s a ""table"""'}::text::regclass, 'pg_class') as comment`
      expect(await sendOnce(view, told)).toEqual([{ comment }])
    })
  })

  it.each(HOSTILE)('%j is a value', async (value) => {
    const values = sql`select ${value}::text as a, ${parameter(value, 'text')} as b`
    const [row] = await sendTexts(database.sql, toStatement(values))
    expect(row).toEqual({ a: value, b: value })
  })
})
