/** Execution of plans: calls of the host, and the results after errors. */
import { describe, expect, it } from 'vitest'
import type { DataSchema } from '../../../../runtime/page/compiled.ts'
import {
  analyze,
  execute,
  planOperation,
  QueryError,
  type QueryHost,
  valueError,
} from '../../../../runtime/data/query/index.ts'
import type { ExecutionResult, RunOptions } from '../../../../runtime/data/query/host.ts'
import { planningCatalog } from '../../../../runtime/data/query/catalog.ts'
import type { SiteItem } from '../../../../runtime/data/query/site-facts.ts'
import { NO_ACCOUNTS, NO_SESSION } from './no-accounts.ts'

const DATA: DataSchema = {
  tables: [
    {
      name: 'book',
      file: 'app/schema/book.yml',
      properties: [{ name: 'title', type: 'string', default: null, belongsTo: null, options: null }],
    },
  ],
  user: [],
  profiles: [],
}

interface RecordedCall {
  readonly text: string
  readonly values: readonly unknown[]
  readonly options: RunOptions
}

/** Creates a host whose database returns prepared rows and records the calls. */
function hostWith(
  answer: (asked: RecordedCall, count: number) => unknown,
  pages: readonly SiteItem[] = [],
): { host: QueryHost; asked: RecordedCall[]; log: string[] } {
  const asked: RecordedCall[] = []
  const log: string[] = []
  const host: QueryHost = {
    catalog: planningCatalog(DATA),
    options: { requireTableForDelete: false },
    site: {
      pages: async () => pages,
      partials: async () => [],
      assets: async () => [],
      tables: async () => [],
      userSchema: () => [],
      policies: async () => [],
      layouts: async () => [],
      operations: async () => [],
      profileSchemas: async () => [],
      formsAndNotifications: async () => [],
      translations: async () => [],
      instance: () => ({ id: 1, name: 'Shop' }),
    },
    viewer: null,
    open: (text) => text,
    seal: (text) => text,
    fileUrl: () => null,
    accounts: { ...NO_ACCOUNTS, verifyPassword: noHashes },
    session: NO_SESSION,
    submitForm: null,
    effects: null,
    async run({ text, values }, options) {
      asked.push({ text, values, options })
      log.push('run')
      return [[await answer({ text, values, options }, asked.length)]]
    },
    async transaction(body) {
      log.push('begin')
      try {
        const done = await body(host)
        log.push('commit')
        return done
      } catch (error) {
        log.push('rollback')
        throw error
      }
    },
    announceChange: async (what) => void log.push(`touched ${what}`),
  }
  return { host, asked, log }
}

function noHashes(): never {
  throw valueError('No hashes today.')
}

function run(
  document: string,
  variables: Readonly<Record<string, unknown>>,
  host: QueryHost,
): Promise<ExecutionResult> {
  return execute(planOperation(document), variables, host)
}

const PAGE = { id: '1', slug: 'a', format: 'html', request_method: 'get' }

describe('a query', () => {
  it('is one statement, whose answer is merged with what is in memory, in the order of the document', async () => {
    const { host, asked } = hostWith(() => ({ b: { results: [] }, a: { total_entries: 3 } }))
    const document = `query ($name: String!) {
      kind: __typename  ...Rest  b: records(per_page: 1) { results { id } }  __type(name: $name) { name ...Fields }
    }
    fragment Rest on RootQuery { instance { __typename name id } a: records(per_page: 2) { total_entries } ...Schema }
    fragment Schema on RootQuery { __schema { queryType { name } } }
    fragment Fields on __Type { kind }`
    const { data, errors } = await run(document, { name: 'Record' }, host)
    expect(errors).toBeUndefined()
    expect(JSON.stringify(data)).toBe(
      JSON.stringify({
        kind: 'RootQuery',
        instance: { __typename: 'Instance', name: 'Shop', id: '1' },
        a: { total_entries: 3 },
        __schema: { queryType: { name: 'RootQuery' } },
        b: { results: [] },
        __type: { name: 'Record', kind: 'OBJECT' },
      }),
    )
    expect(asked).toHaveLength(1)
  })

  it('asks the database for nothing where it needs no rows', async () => {
    const { host, asked } = hostWith(() => null)
    expect((await run('{ instance { name } }', {}, host)).data).toEqual({ instance: { name: 'Shop' } })
    expect(
      (
        await run(
          'query ($no: Boolean!) { records(per_page: 1) @include(if: $no) { results { id } } }',
          { no: false },
          host,
        )
      ).data,
    ).toEqual({})
    expect(asked).toEqual([])
  })

  it('may name its results as it likes', async () => {
    const { host } = hostWith(() => null)
    const { data } = await run('{ __proto__: instance { constructor: name } toString: __typename }', {}, host)
    expect(JSON.stringify(data)).toBe('{"__proto__":{"constructor":"Shop"},"toString":"RootQuery"}')
  })

  it.each([
    ['records(per_page: 1) { results { id } }', {}, 19, false],
    ['records(per_page: 1, options: {}) { results { id } }', {}, 19, false],
    ['records(per_page: 1, options: { timeout: 5 }) { results { id } }', {}, 5, false],
    ['records(per_page: 1, options: { timeout: 5000, read_replica: true }) { results { id } }', {}, 600, true],
    [
      'records(per_page: 1, options: { timeout: $t, read_replica: $r }) { results { id } }',
      { t: '7', r: 'true' },
      7,
      true,
    ],
    ['records(per_page: 1, options: { timeout: 0 }) { results { id } }', {}, 19, false],
    ['records(per_page: 1, options: $o) { results { id } }', { o: { read_replica: true, timeout: 3 } }, 3, true],
    [
      'a: records(per_page: 1, options: { timeout: 4, read_replica: true }) { results { id } } b: records(per_page: 1, options: { timeout: 30 }) { results { id } }',
      {},
      30,
      false,
    ],
    [
      'a: records(per_page: 1, options: { read_replica: true }) { results { id } } b: records(per_page: 1) { results { id } }',
      {},
      19,
      false,
    ],
  ])('%s runs with its options', async (fields, variables, timeout, replica) => {
    const { host, asked } = hostWith(() => ({}))
    await run(`query ($t: Int, $r: Boolean, $o: QueryOptionsInput) { ${fields} }`, variables, host)
    expect(asked[0]?.options).toEqual({ write: false, replica, timeout })
  })

  it('gives fields of the site the values of this execution, also with a kept statement', async () => {
    const pages = ['a', 'b', 'c'].map((slug, at) => ({ ...PAGE, id: String(at + 1), slug }))
    const { host } = hostWith(() => null, pages)
    const plan = planOperation(
      'query ($slug: String!, $more: [String!]) { admin_pages(filter: { slug: { value: $slug } }) { results { slug } } all: admin_pages(filter: { slug: { value_in: $more } }) { total_entries } }',
    )
    for (const slug of ['a', 'b', 'c', 'b']) {
      const { data } = await execute(plan, { slug, more: ['a', slug] }, host)
      expect(data).toEqual({
        admin_pages: { results: [{ slug }] },
        all: { total_entries: slug === 'a' ? 1 : 2 },
      })
    }
  })

  it('tells what is wrong by line, column and root field', async () => {
    const { host } = hostWith(() => {
      throw valueError('Too late', null, { hint: 'Ask for less.' })
    })
    const { data, errors } = await run('{\n  first: records(per_page: 1) { results { id } }\n}', {}, host)
    expect(data).toBeNull()
    expect(errors).toEqual([
      {
        message: 'Too late. Ask for less.',
        locations: [{ line: 2, column: 3 }],
        path: ['first'],
        extensions: { code: 'value' },
      },
    ])
  })

  it('lets through what nobody foresaw', async () => {
    const { host } = hostWith(() => {
      throw new Error('socket')
    })
    await expect(run('{ records(per_page: 1) { results { id } } }', {}, host)).rejects.toThrow('socket')
  })

  it('does not run with variables that do not fit', async () => {
    const { host, asked } = hostWith(() => ({}))
    const { data, errors } = await run(
      'query ($n: Int!) { records(per_page: $n) { results { id } } }',
      { n: 'many' },
      host,
    )
    expect(data).toBeNull()
    expect(errors?.[0]?.message).toContain('`$n`')
    expect(asked).toEqual([])
  })

  it.each([
    ['query ($n: Int) { records(per_page: $n) { results { id } } }', '`per_page` of `records`'],
    ['query ($n: String) { records(per_page: 1) { results { property(name: $n) } } }', '`name` of `property`'],
    [
      'query ($n: String) { records(per_page: 1, sort: [{ properties: [{ name: $n, order: ASC }] }]) { results { id } } }',
      '`name` of `PropertySort`',
    ],
  ])('%s needs its variable', async (document, words) => {
    const { host, asked } = hostWith(() => ({}))
    const { errors } = await run(document, { n: null }, host)
    expect(errors?.[0]?.message).toContain(words)
    expect(asked).toEqual([])
  })

  it('with more values than a statement can take is refused', async () => {
    const { host, asked } = hostWith(() => ({}))
    const or = Array.from({ length: 70_000 }, (_, at) => ({ id: { value: at } }))
    const document =
      'query ($or: [RecordsFilterInput!]) { records(per_page: 1, filter: { or: $or }) { results { id } } }'
    expect((await run(document, { or }, host)).errors?.[0]?.message).toContain('65535 separate values')
    expect(asked).toEqual([])
  })

  it('nested as deeply as the parser allows is answered or refused, never a crash', async () => {
    const { host } = hostWith(() => ({}))
    for (const depth of [500, 1_000, 2_000, 3_000, 4_000, 6_000, 9_000]) {
      const filter = `${'{ or: ['.repeat(depth)}{ id: { value: 1 } }${'] }'.repeat(depth)}`
      const document = `{ records(per_page: 1, filter: ${filter}) { results { id } } }`
      const told = await Promise.resolve()
        .then(() => run(document, {}, host))
        .catch((error: unknown) => error)
      if (told instanceof Error) expect(told).toBeInstanceOf(QueryError)
      expect(() => analyze(document, DATA)).not.toThrow()
    }
  })

  it('whose fragments multiply is refused', async () => {
    const field = 'related_record(table: "book", join_on_property: "id")'
    const fragments = Array.from(
      { length: 24 },
      (_, at) => `fragment F${at} on Record { a: ${field} { ...F${at + 1} } b: ${field} { ...F${at + 1} } }`,
    )
    const document = `{ records(per_page: 1) { results { ...F0 } } } ${fragments.join(' ')} fragment F24 on Record { id }`
    const { host } = hostWith(() => ({}))
    expect((await run(document, {}, host)).errors?.[0]?.message).toContain('more than 20000 fields')
    expect(analyze(document, DATA).problems[0]?.message).toContain('more than 20000 fields')
  })
})

describe('rows in memory', () => {
  it('are null as far up as their types say', async () => {
    const { host } = hostWith(() => null, [PAGE, { ...PAGE, slug: null }])
    const inner = await run('{ admin_pages { total_entries results { id slug } } instance { id } }', {}, host)
    expect(inner.data).toEqual({ admin_pages: { total_entries: 2, results: null }, instance: { id: '1' } })
    expect(inner.errors).toMatchObject([
      { path: ['admin_pages', 'results', 1, 'slug'], locations: [{ line: 1, column: 44 }] },
    ])
    const whole = hostWith(() => null)
    const nothing: QueryHost = { ...whole.host, site: { ...whole.host.site, instance: () => ({}) } }
    const outer = await run('{ admin_current_instance { id } __typename }', {}, nothing)
    expect(outer.data).toBeNull()
    expect(outer.errors).toMatchObject([{ path: ['admin_current_instance', 'id'] }])
  })

  it('are computed only where they are selected', async () => {
    let read = 0
    const page = { ...PAGE, content: async () => `text ${++read}` }
    const { host } = hostWith(() => null, [page])
    await run('{ admin_pages { results { slug } } }', {}, host)
    expect(read).toBe(0)
    expect((await run('{ admin_pages { results { content } } }', {}, host)).data).toEqual({
      admin_pages: { results: [{ content: 'text 1' }] },
    })
  })
})

describe('mutations', () => {
  const TWO = `mutation ($id: ID!) {
    first: constant_set(name: "a", value: "b") { name }
    second: record_delete(id: $id) { id }
    __typename
  }`

  it('run in order, in one transaction, each as one statement', async () => {
    const { host, asked, log } = hostWith(({ text }) =>
      text.includes('constants') ? { name: 'a' } : { row: { id: '5' }, why: null },
    )
    const { data, errors } = await run(TWO, { id: 5 }, host)
    expect(errors).toBeUndefined()
    expect(JSON.stringify(data)).toBe('{"first":{"name":"a"},"second":{"id":"5"},"__typename":"RootMutation"}')
    expect(log).toEqual(['begin', 'run', 'touched constants', 'run', 'commit'])
    for (const { options } of asked) expect(options).toMatchObject({ write: true, replica: false })
  })

  it('share the time of their operation', async () => {
    const { host, asked } = hostWith(async ({ text }) => {
      await new Promise((done) => setTimeout(done, 30))
      return text.includes('constants') ? { name: 'a' } : { row: { id: '5' }, why: null }
    })
    await run(TWO, { id: 5 }, host)
    const [first, second] = asked.map(({ options }) => options.timeout)
    expect(first).toBeLessThanOrEqual(19)
    expect(second).toBeLessThan((first ?? 0) - 0.02)
  })

  it('are all undone when one fails', async () => {
    const { host, log } = hostWith(({ text }) => {
      if (text.includes('constants')) return { name: 'a' }
      throw valueError('No such row.')
    })
    const { data, errors } = await run(TWO, { id: 5 }, host)
    expect(data).toBeNull()
    expect(errors).toEqual([
      { message: 'No such row.', locations: [{ line: 3, column: 5 }], path: ['second'], extensions: { code: 'value' } },
    ])
    expect(log.at(-1)).toBe('rollback')
  })

  it('are undone by what fails behind their statement', async () => {
    const late = hostWith(() => ({ row: { a: { id: '5', password: null } }, why: null }))
    const document = 'mutation { user_delete(id: 5) { a: authenticate { password(password: "x") } } }'
    const { errors } = await run(document, {}, late.host)
    expect(errors?.[0]?.message).toContain('No hashes today')
    expect(late.log).toEqual(['begin', 'run', 'rollback'])
  })

  it('are in as many transactions as acts on the session leave', async () => {
    const { host, log } = hostWith(({ text }) =>
      text.includes('constants') ? { name: 'a' } : { row: { id: '5' }, why: null },
    )
    const acts = { ...host, session: { ...NO_SESSION, signOut: async () => void log.push('out') } }
    const document = `mutation { a: constant_set(name: "a", value: "b") { name } b: record_delete(id: 1) { id }
      c: user_session_destroy d: user_session_destroy e: record_delete(id: 2) { id } }`
    const { data } = await run(document, {}, acts)
    expect(JSON.stringify(data)).toBe('{"a":{"name":"a"},"b":{"id":"5"},"c":{},"d":{},"e":{"id":"5"}}')
    expect(log).toEqual(['begin', 'run', 'touched constants', 'run', 'commit', 'out', 'out', 'begin', 'run', 'commit'])
  })
})

describe('an analysis', () => {
  it('says what a document takes, also where it does not hold', () => {
    const found = analyze('mutation Save($id: ID!, $n: [String!] = ["a"]) { record_delet(id: $id) { id } }', DATA)
    expect(found).toMatchObject({ kind: 'mutation', name: 'Save', result: null })
    expect(found.variables).toMatchObject([
      { name: 'id', type: 'ID!', required: true },
      { name: 'n', type: '[String!]', required: false },
    ])
    expect(found.problems[0]).toMatchObject({ code: 'invalid', hint: expect.stringContaining('record_delete') })
  })

  it('never throws', () => {
    const bad = [
      '',
      '{',
      '"',
      '#',
      '{ a }',
      'type A { b: C }',
      'subscription { a }',
      '{ ...F }',
      `{ a(b: ${'['.repeat(9_000)}) }`,
    ]
    const nested = `{ records(per_page: 1) { results { ${'related_record(table: "book", join_on_property: "id") { '.repeat(2_000)} id ${'}'.repeat(2_000)} } } }`
    for (const document of [...bad, nested, 'query A { __typename } query B { __typename }']) {
      expect(analyze(document, DATA).problems.length).toBeGreaterThan(0)
    }
  })

  it('takes what variables may leave out as null', () => {
    const document = `query ($a: Boolean!) { records(per_page: 1) { results { id @skip(if: $a) created_at ...F @include(if: $a) } } }
      fragment F on Record { created_at updated_at }`
    const types = JSON.stringify(analyze(document, DATA).result, (_key, value: unknown) =>
      value instanceof Map ? Object.fromEntries(value) : value,
    )
    expect(types).toContain('"created_at":{"kind":"scalar","name":"Date"}')
    expect(types).toContain('"updated_at":{"kind":"nullable","inner":{"kind":"scalar","name":"Date"}}')
  })
})
