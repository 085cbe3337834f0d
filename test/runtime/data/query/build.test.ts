/** Parameters and names of one statement: the values that PostgreSQL receives. */
import { describe, expect, it } from 'vitest'
import { boundValues, createBuild } from '../../../../runtime/data/query/build.ts'
import { join, type Sql, toStatement } from '../../../../runtime/data/sql/sql.ts'
import {
  type Cast,
  Leaf,
  type Problem,
  QueryError,
  type ShapeHost,
  type Source,
} from '../../../../runtime/data/query/index.ts'
import { planningCatalog } from '../../../../runtime/data/query/catalog.ts'
import { NO_ACCOUNTS } from './no-accounts.ts'

const CATALOG = planningCatalog({ tables: [], user: [], profiles: [] })
const OPTIONS = { requireTableForDelete: false }
const HOST: ShapeHost = { open: (text) => text, seal: (text) => text, fileUrl: () => null, accounts: NO_ACCOUNTS }
const PROBLEM: Problem = { code: 'value', message: 'No.', range: null, hint: null, mistake: { kind: 'run', name: '' } }

const building = (tolerant = false) => createBuild(CATALOG, OPTIONS, tolerant)
const variable = (...path: readonly (string | number)[]): Leaf => new Leaf('x', { kind: 'variable', path }, null)

const textOf = (sql: Sql): string => toStatement(sql).text

/** Returns the values that are sent for the parameters of some SQL. */
function valuesOf(
  parts: readonly Sql[],
  variables: Readonly<Record<string, unknown>>,
  viewer: string | null = null,
): unknown[] {
  return boundValues(toStatement(join(parts)), variables, viewer, HOST)
}

/** Returns the value that is sent for a constant. */
function sent(value: unknown, cast: Cast): unknown {
  return valuesOf([building().bind(new Leaf(value, { kind: 'constant', value }, null), cast)], {})[0]
}

describe('a parameter', () => {
  it('stands once for equal sources and casts', () => {
    const build = building()
    const parts = [
      build.bind(variable('a'), 'text'),
      build.bind(variable('a', 0, 'b'), 'text'),
      build.bind(variable('a'), 'text'),
      build.bind(variable('a'), 'bigint'),
      build.bind(variable('a'), 'text', (value) => `${String(value)}!`),
      build.currentUserId(),
      build.currentUserId(),
    ]
    expect(textOf(join(parts))).toBe(
      '$1::text, $2::text, $1::text, $3::text::bigint, $4::text, $5::text::bigint, $5::text::bigint',
    )
    expect(valuesOf(parts, { a: [{ b: 'deep' }] }, '7')).toHaveLength(5)
    expect(valuesOf(parts, { a: 'v' }, '7')).toEqual(['v', null, 'v', 'v!', '7'])
  })

  it.each<[unknown, Cast, unknown]>([
    [null, 'text', null],
    [undefined, 'jsonb', null],
    [1.5, 'numeric', '1.5'],
    [true, 'boolean', 'true'],
    ['it\'s "x"', 'text', 'it\'s "x"'],
    [['a"b', 'c\\d', null, '', '{', ',', 'NULL'], 'text[]', '{"a\\"b","c\\\\d",NULL,"","{",",","NULL"}'],
    [[], 'text[]', '{}'],
    [{ a: [1, 'x'] }, 'jsonb', '{"a":[1,"x"]}'],
    ['text', 'jsonb', '"text"'],
    ['half \ud800 a character', 'jsonb', '"half \\ufffd a character"'],
    ['\ude00\ud83d', 'jsonb', '"\\ufffd\\ufffd"'],
    ['whole \ud83d\ude00', 'jsonb', '"whole \ud83d\ude00"'],
    ['\\u0000 in letters, \\ud800 too', 'jsonb', '"\\\\u0000 in letters, \\\\ud800 too"'],
  ])('of %j as %s', (value, cast, text) => {
    expect(sent(value, cast)).toBe(text)
  })

  it.each<[unknown, Cast]>([
    ['a\0b', 'text'],
    [['a\0b'], 'text[]'],
    [{ deep: ['\0'] }, 'jsonb'],
    [{ '\0': 1 }, 'jsonb'],
    ['\\\0', 'jsonb'],
  ])('refuses the NUL in %j', (value, cast) => {
    expect(() => sent(value, cast)).toThrow(QueryError)
  })

  it('follows own keys only', () => {
    const build = building()
    const paths = [['constructor'], ['a', 'constructor', 'name'], ['a', '__proto__'], ['a', 'length']]
    const parts = paths.map((path) => build.bind(variable(...path), 'text'))
    expect(valuesOf(parts, { a: {} })).toEqual([null, null, null, null])
  })

  it('of a literal with variables in it is put together at each execution', () => {
    const build = building()
    const items: readonly Source[] = [
      { kind: 'constant', value: 'a' },
      { kind: 'variable', path: ['b'] },
    ]
    const parts = [
      build.bind(new Leaf([], { kind: 'list', items }, null), 'text[]'),
      build.bind(new Leaf({}, { kind: 'object', fields: [['k', { kind: 'list', items }]] }, null), 'jsonb'),
    ]
    expect(valuesOf(parts, { b: 'x' })).toEqual(['{"a","x"}', '{"k":["a","x"]}'])
    expect(valuesOf(parts, { b: 'y' })).toEqual(['{"a","y"}', '{"k":["a","y"]}'])
  })
})

describe('a statement in the making', () => {
  it('writes names so that they stay names', () => {
    const build = building()
    expect(textOf(build.nameLiteral('title'))).toBe("'title'::text")
    expect(textOf(build.nameLiteral("it's"))).toBe("'it''s'::text")
    expect(textOf(build.nameLiteral("a\\' or 1=1 --"))).toBe("E'a\\\\'' or 1=1 --'::text")
    expect(() => build.nameLiteral('a\0')).toThrow(QueryError)
  })

  it('gives fresh aliases, also for hints that are none', () => {
    const build = building()
    expect(
      [build.newAlias('r'), build.newAlias('r'), build.newAlias('"; drop'), build.newAlias('')].map(textOf),
    ).toEqual(['r1', 'r2', 't1', 't2'])
  })

  it('stops at the first problem, or collects them, each once', () => {
    expect(() => building().reportProblem(PROBLEM)).toThrow(QueryError)
    const build = building(true)
    for (const range of [null, { start: 1, end: 2 }, { start: 1, end: 2 }]) build.reportProblem({ ...PROBLEM, range })
    expect(build.problems).toHaveLength(2)
  })
})
