/** Results of rows: columns and properties in every form, of every type, for every stored value. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type QueryDatabase, openQueryDatabase, type Data, table } from './run-query.ts'

const MANY = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`p${at}`, 'integer'] as const))

describe('a row', () => {
  let database: QueryDatabase

  beforeAll(async () => {
    database = await openQueryDatabase({
      tables: [
        table('all', {
          s: 'string',
          i: 'integer',
          f: 'float',
          d: 'decimal',
          b: 'boolean',
          t: 'datetime',
          a: 'array',
          u: 'upload',
          g: 'geojson',
          'o\'brien \\ "x"': 'string',
          'slash/name': 'string',
        }),
        table('wide', MANY),
      ],
      user: [],
      profiles: [],
    })
    await database.insert('all', [
      {
        properties: {
          s: '{"deep": [1, 2]}',
          i: 42,
          f: 1.5,
          d: 12.5,
          b: true,
          t: '2020-03-15T14:28:48.153Z',
          a: ['x', 'y'],
          u: {
            path: 'uploads/a.png',
            file_name: 'a.png',
            extension: 'png',
            versions: { small: { path: 'uploads/s.png' }, big: 'uploads/b.png' },
          },
          g: { type: 'Point', coordinates: [1, 2] },
          'o\'brien \\ "x"': 'quoted',
          'slash/name': 'slashed',
          removed: 'not shown',
        },
        created_at: '2020-03-15T14:28:48.153Z',
        external_id: 'E',
        user_id: '12',
      },
      // Values that Ingot never writes.
      { properties: { s: 5, i: 'forty', f: [1], d: null, b: 'no', t: 7, a: 'single', u: 'plain.png', g: 'text' } },
      { properties: {} },
    ])
    await database.run(
      `update ingot.records set properties = '{"i": 1e400, "f": 1e400, "d": 1e400, "s": "1e400"}' where id = (select max(id) from ingot.records)`,
    )
    await database.insert('wide', [{ properties: { p0: 1, p119: 119 } }])
  })
  afterAll(() => database.close())

  async function rows(
    fields: string,
    variables: Readonly<Record<string, unknown>> = {},
    head = '',
  ): Promise<readonly Data[]> {
    const { records } = await database.ask(
      `${head}{ records(per_page: 9, filter: { table: { value: "all" } }) { results { ${fields} } } }`,
      variables,
    )
    return records.results
  }

  it('shows its columns', async () => {
    const [first] = await rows(
      '__typename id table table_id user_id external_id created_at updated_at deleted_at model_schema_name model_schema_id',
    )
    const id = `${database.catalog.tableId('all')}`
    expect(first).toMatchObject({
      __typename: 'Record',
      id: expect.stringMatching(/^\d+$/),
      table: 'all',
      table_id: id,
      user_id: '12',
      external_id: 'E',
      created_at: '2020-03-15T14:28:48.153Z',
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      deleted_at: null,
      model_schema_name: 'all',
      model_schema_id: id,
    })
    expect(Object.keys(first!)[1]).toBe('id')
  })

  const FORMS: readonly (readonly [field: string, name: string, shown: readonly unknown[]])[] = [
    ['property', 's', ['{"deep": [1, 2]}', '5', '1e400']],
    ['property', 'i', ['42', 'forty', expect.stringMatching(/^1(?:0{400}|e\+?400)$/)]],
    ['property', 'b', ['true', 'no', null]],
    ['property', 't', ['2020-03-15T14:28:48.153Z', '7', null]],
    ['property', 'a', ['["x", "y"]', 'single', null]],
    ['property_int', 'i', [42, null, expect.anything()]],
    ['property_int', 's', [null, 5, null]],
    ['property_int', 'f', [1, null, expect.anything()]],
    ['property_int', 'd', [12, null, null]],
    ['property_int', 'b', [null, null, null]],
    ['property_float', 'f', [1.5, null, expect.anything()]],
    ['property_float', 'd', [12.5, null, null]],
    ['property_float', 'i', [42, null, expect.anything()]],
    ['property_boolean', 'b', [true, false, false]],
    ['property_boolean', 's', [false, false, false]],
    // A single value, written by another release of the site, is read as a list with one item. A row that is older than the property has no
    // value.
    ['property_array', 'a', [['x', 'y'], ['single'], []]],
    ['property_array', 's', [['{"deep": [1, 2]}'], ['5'], ['1e400']]],
    ['property_json', 's', [{ deep: [1, 2] }, 5, expect.anything()]],
    ['property_json', 'g', [{ type: 'Point', coordinates: [1, 2] }, 'text', null]],
    ['property_json', 'a', [['x', 'y'], 'single', null]],
    ['property_object', 's', [{ deep: [1, 2] }, null, null]],
    ['property_object', 'g', [{ type: 'Point', coordinates: [1, 2] }, null, null]],
  ]
  it.each(FORMS)('shows %s of %s', async (field, name, shown) => {
    const found = await rows(`v: ${field}(name: "${name}")`)
    expect(found.map((row) => row['v'])).toEqual(shown)
    const varied = await rows(`v: ${field}(name: $name)`, { name }, 'query ($name: String!) ')
    expect(varied.map((row) => row['v'])).toEqual(shown)
  })

  it('shows names with every sign', async () => {
    const name = `o'brien \\ "x"`
    const [first] = await rows(`v: property(name: ${JSON.stringify(name)}) w: property(name: "slash/name")`)
    expect(first).toEqual({ v: 'quoted', w: 'slashed' })
    const sorted = await database.ask(
      `query ($n: String!) { records(per_page: 9, filter: { table: { value: "all" }, properties: [{ name: $n, value: "quoted" }] }, sort: [{ properties: [{ name: $n, order: DESC }] }]) { total_entries results { properties(select: [{ name: $n, attribute_type: string }]) } } }`,
      { n: name },
    )
    expect(sorted['records']).toEqual({ total_entries: 1, results: [{ properties: { [name]: 'quoted' } }] })
  })

  it('shows all declared properties, and those alone', async () => {
    const [first, second] = await rows('properties')
    expect(first!['properties']).not.toHaveProperty('removed')
    expect(first!['properties']).toMatchObject({
      i: 42,
      b: true,
      a: ['x', 'y'],
      g: { type: 'Point' },
      'slash/name': 'slashed',
    })
    expect(second!['properties']).toMatchObject({ s: 5, i: 'forty', d: null, 'slash/name': null })
  })

  it('shows selected properties as the selected types', async () => {
    const select = ['string', 'int', 'float', 'boolean', 'array', 'json', 'object']
    for (const type of select) {
      const [first] = await rows(`properties(select: [{ name: "i", attribute_type: ${type} }])`)
      expect(first!['properties'], type).toEqual({
        i: { string: '42', int: 42, float: 42, boolean: false, array: ['42'], json: 42, object: null }[type],
      })
    }
  })

  it('shows uploads', async () => {
    const upload = 'url extension file_name all: versions some: versions(names: ["small", "other"])'
    const [first, second, third] = await rows(
      `u: property_upload(name: "u", expires_in: 60) { ${upload} } s: property_upload(name: "u") { __typename url }`,
    )
    expect(first).toEqual({
      u: {
        url: '/files/uploads/a.png?for=60',
        extension: 'png',
        file_name: 'a.png',
        all: { small: '/files/uploads/s.png?for=60', big: '/files/uploads/b.png?for=60' },
        some: { small: '/files/uploads/s.png?for=60' },
      },
      s: { __typename: 'PropertyUpload', url: '/files/uploads/a.png' },
    })
    expect(second!['s'].url).toBe('/files/plain.png')
    expect(third!['s']).toBe(null)
  })

  it('shows more than a function of PostgreSQL takes', async () => {
    const fields = Array.from({ length: 120 }, (_, at) => `f${at}: property_int(name: "p${at}")`).join(' ')
    const { records } = await database.ask(
      `{ records(per_page: 1, filter: { table: { value: "wide" } }) { results { properties ${fields} } } }`,
    )
    const [row] = records.results
    expect(Object.keys(row)).toHaveLength(121)
    expect(Object.keys(row)[5]).toBe('f4')
    expect(row).toMatchObject({ f0: 1, f1: null, f119: 119, properties: { p0: 1, p1: null, p119: 119 } })
    expect(Object.keys(row.properties)).toHaveLength(120)
  })

  it('does not show what a declaration held that is gone', async () => {
    const { records } = await database.ask(
      '{ records(per_page: 1, filter: { table: { value: "all" } }) { results { property(name: "removed") properties } } }',
    )
    expect(records.results[0].property).toBeNull()
    expect(records.results[0].properties).not.toHaveProperty('removed')
  })

  it('has the same properties, whether the query names its table, several tables or none', async () => {
    const rows = async (filter: string): Promise<readonly Data[]> =>
      (await database.ask(`{ records(per_page: 100${filter}) { results { id table properties } } }`)).records.results
    const all = await rows('')
    const tables = [...new Set(all.map((row) => row['table']))]
    expect(tables.length).toBeGreaterThan(1)
    for (const name of tables)
      expect(all.filter((row) => row['table'] === name)).toEqual(
        await rows(`, filter: { table: { value: "${name}" } }`),
      )
    const several = await rows(`, filter: { table: { value_in: ${JSON.stringify(tables)} } }`)
    for (const row of several) expect(row).toMatchObject(all.find(({ id }) => id === row['id']) ?? {})
  })

  it('of no known table shows what is stored', async () => {
    const { records } = await database.ask(
      '{ records(per_page: 1) { results { table property(name: "removed") i: property_int(name: "i") } } }',
    )
    expect(records.results).toEqual([{ table: 'all', property: 'not shown', i: 42 }])
  })
})
