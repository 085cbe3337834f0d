/** Related rows: by ids and properties, through lists on either side, nested, limited, as filters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type QueryDatabase, openQueryDatabase, type Data, property, table } from './run-query.ts'

describe('related rows', () => {
  let database: QueryDatabase
  let authors: readonly string[] = []
  let books: readonly string[] = []

  beforeAll(async () => {
    database = await openQueryDatabase({
      tables: [
        table('author', { name: 'string', rank: 'integer', book_names: 'array', keys: 'array' }),
        table('book', {
          name: 'string',
          author_id: 'string',
          author_number: 'integer',
          authors: 'array',
          year: 'integer',
        }),
        table('review', { name: 'string', book_id: 'string' }),
      ],
      user: [property('name_of_pet', 'string')],
      profiles: [],
    })
    authors = await database.insert('author', [
      { properties: { name: 'A', rank: 2 }, external_id: 'ext-a', user_id: '900' },
      { properties: { name: 'B', rank: 1, book_names: ['b2', 'b3'] }, external_id: '' },
      { properties: { name: 'C' }, deleted_at: '2021-01-01T00:00:00Z' },
    ])
    const [a, b, c] = authors
    books = await database.insert('book', [
      { properties: { name: 'b1', author_id: a, author_number: Number(a), authors: [a, b], year: 2001 } },
      { properties: { name: 'b2', author_id: b, author_number: Number(b), authors: [], year: 1999 } },
      { properties: { name: 'b3', author_id: a, authors: ['x', '99999999999999999999', b], year: 2010 } },
      { properties: { name: 'b4', author_id: c, year: 2020 } },
      { properties: { name: 'b5', author_id: "1' or true" } },
      { properties: { name: 'b6', author_id: '' } },
      { properties: { name: 'b7', author_id: a, year: 1950 }, deleted_at: '2021-01-01T00:00:00Z' },
    ])
    await database.insert('review', [
      { properties: { name: 'r1', book_id: books[0] } },
      { properties: { name: 'r2', book_id: books[0] } },
      { properties: { name: 'r3', book_id: books[1] } },
    ])
    await database.run(
      `insert into ingot.users (id, email, slug, name, external_id, properties) values
       (900, 'Ann@Example.com', 'ann', 'Ann', 'ext-a', '{"name_of_pet": "Rex"}'), (901, 'bob@example.com', 'bob', 'Bob', null, '{}')`,
    )
    await database.run(`update ingot.users set deleted_at = now() where id = 901`)
  })
  afterAll(() => database.close())

  const name = 'name: property(name: "name")'

  /** Returns rows of a table with their related rows, as in `b1:A b2:B`. */
  async function related(
    tableName: string,
    field: string,
    variables: Readonly<Record<string, unknown>> = {},
    head = '',
  ): Promise<string> {
    const document = `${head}{ records(per_page: 50, filter: { table: { value: "${tableName}" } }) { results { ${name} to: ${field} } } }`
    const { records } = await database.ask(document, variables)
    return records.results.map((row: Data) => `${row['name']}:${describeValue(row['to'])}`).join(' ')
  }

  function describeValue(to: unknown): string {
    if (to === null) return '-'
    return Array.isArray(to) ? to.map((row: Data) => row['name']).join('+') : (to as Data)['name']
  }

  const one = (args: string) => `related_record(table: "author", ${args}) { ${name} }`
  const latest = (tableName: string, foreign: string, sort: string) =>
    `related_record(table: "${tableName}", join_on_property: "id", foreign_property: "${foreign}", sort: ${sort}) { ${name} }`
  const many = (args: string) => `related_records(table: "book", ${args}) { ${name} }`

  it.each([
    ['book', one('join_on_property: "author_id"'), 'b1:A b2:B b3:A b4:- b5:- b6:-'],
    ['book', one('join_on_property: "author_id", foreign_property: "id"'), 'b1:A b2:B b3:A b4:- b5:- b6:-'],
    ['book', one('join_on_property: "author_number"'), 'b1:A b2:B b3:- b4:- b5:- b6:-'],
    ['book', one('join_on_property: "authors"'), 'b1:A b2:- b3:B b4:- b5:- b6:-'],
    // A single row is the last one of the sort; rows with equal keys are in the order of their ids.
    ['book', one('join_on_property: "authors", sort: [{ id: { order: ASC } }]'), 'b1:B b2:- b3:B b4:- b5:- b6:-'],
    ['book', one('join_on_property: "authors", sort: [{ id: { order: DESC } }]'), 'b1:A b2:- b3:B b4:- b5:- b6:-'],
    [
      'author',
      latest('book', 'author_id', '[{ properties: [{ name: "year", order: ASC }] }, { created_at: { order: ASC } }]'),
      'A:b3 B:b2',
    ],
    ['author', latest('book', 'author_id', '[{ properties: [{ name: "year", order: DESC }] }]'), 'A:b1 B:b2'],
    ['book', latest('review', 'book_id', '[{ table_id: { order: ASC } }]'), 'b1:r2 b2:r3 b3:- b4:- b5:- b6:-'],
    ['book', latest('review', 'book_id', '[]'), 'b1:r1 b2:r3 b3:- b4:- b5:- b6:-'],
    [
      'book',
      one('join_on_property: "authors", filter: { properties: [{ name: "rank", value: "1" }] }'),
      'b1:B b2:- b3:B b4:- b5:- b6:-',
    ],
    ['book', one('join_on_property: "name", foreign_property: "book_names"'), 'b1:- b2:B b3:B b4:- b5:- b6:-'],
    [
      'book',
      one('join_on_property: "author_id", filter: { deleted_at: { exists: true } }'),
      'b1:- b2:- b3:- b4:C b5:- b6:-',
    ],
    ['author', many('join_on_property: "id", foreign_property: "author_id"'), 'A:b1+b3 B:b2'],
    [
      'author',
      many(
        'join_on_property: "id", foreign_property: "author_id", sort: [{ properties: [{ name: "year", order: DESC }] }]',
      ),
      'A:b3+b1 B:b2',
    ],
    ['author', many('join_on_property: "id", foreign_property: "author_id", limit: 1'), 'A:b1 B:b2'],
    ['author', many('join_on_property: "id", foreign_property: "author_id", limit: 0'), 'A: B:'],
    ['author', many('join_on_property: "id", foreign_property: "author_id", limit: -7'), 'A: B:'],
    ['author', many('join_on_property: "id", foreign_property: "author_number"'), 'A:b1 B:b2'],
    ['author', many('join_on_property: "id", foreign_property: "authors"'), 'A:b1 B:b1+b3'],
    ['author', many('join_on_property: "book_names", foreign_property: "name"'), 'A: B:b2+b3'],
    ['author', many('join_on_property: "book_names", foreign_property: "authors"'), 'A: B:'],
    ['author', many('join_on_property: "external_id", foreign_property: "author_id"'), 'A: B:'],
    ['author', many('join_on_property: "keys", foreign_property: "id"'), 'A: B:'],
    ['author', `related_user { ${'name'} }`, 'A:Ann B:-'],
    ['author', `user { ${'name'} }`, 'A:Ann B:-'],
    ['author', `related_user(join_on_property: "external_id", foreign_property: "external_id") { name }`, 'A:Ann B:-'],
    ['author', `related_users(join_on_property: "user_id", foreign_property: "id") { name }`, 'A:Ann B:'],
    [
      'author',
      `related_users(join_on_property: "user_id", foreign_property: "id", filter: { email: { value: "ANN@example.COM" } }) { name }`,
      'A:Ann B:',
    ],
    [
      'author',
      `related_model(model_schema_name: "book", join_on_property: "id", foreign_property: "author_id") { ${name} }`,
      'A:b1 B:b2',
    ],
    [
      'review',
      `related_records(table: ["book", "author"], join_on_property: "book_id", foreign_property: "id") { ${name} }`,
      'r1:b1 r2:b1 r3:b2',
    ],
  ])('%s %s', async (tableName, field, expected) => {
    expect(await related(tableName, field)).toBe(expected)
  })

  it('nest to any depth, each with its own conditions', async () => {
    const document = `{ records(per_page: 9, filter: { table: { value: "author" } }) { results { ${name}
      books: related_records(table: "book", join_on_property: "id", foreign_property: "author_id", sort: [{ id: { order: DESC } }]) {
        ${name}
        reviews: related_records(table: "review", join_on_property: "id", foreign_property: "book_id") {
          ${name}
          back: related_record(table: "book", join_on_property: "book_id") { author: related_record(table: "author", join_on_property: "author_id") { ${name} user { email } } }
        }
      } } } }`
    const { records } = await database.ask(document)
    expect(records.results[0]).toEqual({
      name: 'A',
      books: [
        { name: 'b3', reviews: [] },
        {
          name: 'b1',
          reviews: ['r1', 'r2'].map((of) => ({
            name: of,
            back: { author: { name: 'A', user: { email: 'Ann@Example.com' } } },
          })),
        },
      ],
    })
  })

  it('are joined by what a variable names, if it is declared', async () => {
    const head = 'query ($own: String!, $foreign: String!, $table: [String]!) '
    const field = `related_records(table: $table, join_on_property: $own, foreign_property: $foreign) { ${name} }`
    expect(await related('author', field, { own: 'id', foreign: 'author_id', table: ['book'] }, head)).toBe(
      'A:b1+b3 B:b2',
    )
    expect(await related('author', field, { own: 'id', foreign: 'authors', table: ['book'] }, head)).toBe(
      'A:b1 B:b1+b3',
    )
    await expect(
      related('author', field, { own: "id' or '1", foreign: 'authors', table: ['book'] }, head),
    ).rejects.toThrow('no property')
    await expect(related('author', field, { own: 'id', foreign: 'x', table: ['book'] }, head)).rejects.toThrow(
      'Table `book` has no property `x`',
    )
    await expect(related('author', field, { own: 'id', foreign: 'authors', table: ['nook'] }, head)).rejects.toThrow(
      'no table `nook`',
    )
  })

  it('of rows of no known table are joined by whatever they hold', async () => {
    const document = `{ records(per_page: 50) { results { ${name} to: related_records(table: "author", join_on_property: "authors", foreign_property: "id") { ${name} } } } }`
    const { records } = await database.ask(document)
    const found = records.results.filter((row: Data) => row['to'].length > 0)
    expect(found.map((row: Data) => `${row['name']}:${describeValue(row['to'])}`).join(' ')).toBe('b1:A+B b3:B')
  })

  it.each([
    [
      'author',
      'related_records: [{ join: { foreign_property: "author_id" }, filter: { table: { value: "book" } } }]',
      'AB',
    ],
    [
      'author',
      'related_records: [{ join: { foreign_property: "author_id" }, filter: { table: { value: "book" }, properties: [{ name: "year", range: { gt: "2005" } }] } }]',
      'A',
    ],
    [
      'author',
      'related_records: [{ join: { foreign_property: "authors" }, filter: { table: { value: "book" }, properties: [{ name: "name", value: "b3" }] } }]',
      'B',
    ],
    [
      'book',
      'related_records: [{ join: { join_on_property: "author_id", foreign_property: "id" }, filter: { table: { value: "author" }, properties: [{ name: "name", value: "A" }] } }]',
      'b1b3',
    ],
    [
      'book',
      'related_records: [{ join: { join_on_property: "author_id", foreign_property: "id" }, filter: { table: { value: "author" }, related_users: [{ join: { join_on_property: "user_id", foreign_property: "id" }, filter: { email: { value: "ann@example.com" } } }] } }]',
      'b1b3',
    ],
    [
      'author',
      'related_users: [{ join: { join_on_property: "user_id", foreign_property: "id" }, filter: { properties: [{ name: "name_of_pet", contains: "re" }] } }]',
      'A',
    ],
    [
      'book',
      'or: [{ properties: [{ name: "name", value: "b2" }] }, { related_records: [{ join: { foreign_property: "book_id" }, filter: { table: { value: "review" }, properties: [{ name: "name", value: "r1" }] } }] }]',
      'b1b2',
    ],
    ['author', 'related_records: [{ join: { foreign_property: "author_id" }, filter: {} }]', 'AB'],
  ])('filter %s by %s', async (tableName, filter, expected) => {
    const document = `{ records(per_page: 50, filter: { table: { value: "${tableName}" }, ${filter} }) { results { ${name} } } }`
    const { records } = await database.ask(document)
    expect(describeValue(records.results).replaceAll('+', '')).toBe(expected)
  })

  it('need a join in a filter', async () => {
    const document = `{ records(per_page: 1, filter: { table: { value: "author" }, related_users: [{ filter: { id: { value: 1 } } }] }) { total_entries } }`
    expect((await database.complaints(document))[0]).toMatch('requires `join`')
  })
})

describe('records that belong to a user or a profile', () => {
  let database: QueryDatabase

  beforeAll(async () => {
    database = await openQueryDatabase({
      tables: [table('note', { name: 'string', rank: 'integer' }), table('task', { name: 'string' })],
      user: [],
      profiles: [{ name: 'author', file: 'app/user_profile_schemas/author.yml', properties: [] }],
    })
    await database.run(
      `insert into ingot.users (id, email, slug) values (900, 'a@example.com', 'a'), (901, 'b@example.com', 'b')`,
    )
    await database.run(
      `insert into ingot.profiles (id, user_id, profile_type) values (900, 900, 'author'), (77, 901, 'author')`,
    )
    await database.insert('note', [
      { properties: { name: 'n1', rank: 2 }, user_id: '901' },
      { properties: { name: 'n2', rank: 1 } },
      { properties: { name: 'of a profile', rank: 3 } },
      { properties: { name: 'n3', rank: 10 } },
      { properties: { name: 'of nothing' } },
      { properties: { name: 'deleted' }, deleted_at: '2021-01-01T00:00:00Z' },
    ])
    await database.insert('task', [{ properties: { name: 't1' } }])
    const owned = (names: string, type: string, id: number) =>
      database.run(
        `update ingot.records set customizable_type = '${type}', customizable_id = ${id} where properties->>'name' in (${names})`,
      )
    await owned(`'n1', 'n2', 'n3', 't1', 'deleted'`, 'User', 900)
    // The profile has the same id as the user.
    await owned(`'of a profile'`, 'UserProfile', 900)
  })
  afterAll(() => database.close())

  const FIELDS = 'customizable_type name: property(name: "name")'

  async function ofUsers(args: string): Promise<readonly string[]> {
    const { users } = await database.ask(
      `{ users(per_page: 5, sort: [{ id: { order: ASC } }]) { results { id owned: customizations${args} { ${FIELDS} } } } }`,
    )
    return users.results.map(({ id, owned }: Data) => `${id}: ${owned.map((row: Data) => row['name']).join(' ')}`)
  }

  it('are those of the user, by table and creator', async () => {
    expect(await ofUsers('')).toEqual(['900: n1 n2 n3 t1', '901: '])
    expect(await ofUsers('(name: "note")')).toEqual(['900: n1 n2 n3', '901: '])
    expect(await ofUsers('(name: "note", user_id: 901)')).toEqual(['900: n1', '901: '])
    expect(await ofUsers('(user_id: 900)')).toEqual(['900: ', '901: '])
  })

  it('are those of the profile, by property, and sorted', async () => {
    await database.run(
      `update ingot.records set customizable_type = 'UserProfile' where properties->>'name' in ('n1', 'n2', 'n3')`,
    )
    const ofProfiles = async (args: string): Promise<readonly string[]> => {
      const { users } = await database.ask(
        `{ users(per_page: 5, filter: { id: { value: 900 } }) { results { profiles { owned: customizations${args} { ${FIELDS} } } } } }`,
      )
      return users.results[0].profiles[0].owned.map((row: Data) => row['name'])
    }
    expect(await ofProfiles('')).toEqual(['n1', 'n2', 'of a profile', 'n3'])
    expect(await ofProfiles('(name: "note", sort: [{ property: "rank", order: "desc" }])')).toEqual([
      'n3',
      'of a profile',
      'n1',
      'n2',
    ])
    expect(await ofProfiles('(sort: [{ field: "id", order: "desc" }])')).toEqual(['n3', 'of a profile', 'n2', 'n1'])
    expect(await ofProfiles('(name: "note", properties: [{ name: "rank", range: { gte: "3" } }])')).toEqual([
      'of a profile',
      'n3',
    ])
    expect(await ofProfiles('(name: "task")')).toEqual([])
  })

  it('are read with an index', async () => {
    await database.run(
      `insert into ingot.records (table_id, properties) select (select id from ingot.tables where name = 'task'), '{}' from generate_series(1, 20000)`,
    )
    await database.run('analyze ingot.records')
    const plan = await database.explain('{ users(per_page: 5) { results { customizations(name: "note") { id } } } }')
    expect(plan).toContain('records_customizable')
    expect(plan).not.toMatch(/Seq Scan on records/)
  })
})
