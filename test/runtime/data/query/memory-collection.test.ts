import { describe, expect, it } from 'vitest'
import { type ItemFilters, itemPage } from '../../../../runtime/data/query/memory-collection.ts'
import type { DataSchema } from '../../../../runtime/page/compiled.ts'
import type { QueryHost } from '../../../../runtime/data/query/host.ts'
import { planningCatalog } from '../../../../runtime/data/query/catalog.ts'
import { execute, planOperation } from '../../../../runtime/data/query/index.ts'
import type { SiteFacts, SiteItem } from '../../../../runtime/data/query/site-facts.ts'
import { selectPages } from '../../../../runtime/data/query/site/pages.ts'
import { NO_ACCOUNTS, NO_SESSION } from './no-accounts.ts'

const FILTERS: ItemFilters = {
  slug: 'text',
  format: 'text',
  id: 'id',
  created_at: 'date',
  searchable: 'boolean',
  size: 'number',
  metadata: 'json',
  body: 'text',
  policy: { as: 'texts', key: 'policies' },
}

let read = 0
const ITEMS: readonly SiteItem[] = [
  {
    id: '10',
    slug: 'Alpha',
    format: 'html',
    created_at: '2020-01-01T00:00:00.000Z',
    searchable: true,
    size: 5,
    metadata: { tags: ['a', 'b'], rank: 2, title: 'Ärger', nested: { x: 1, y: 2 } },
    policies: ['admin', 'member'],
    body: async () => {
      read++
      return 'needle in hay'
    },
  },
  {
    id: '9',
    slug: 'beta',
    format: 'json',
    created_at: '2021-01-01T15:30:00.000Z',
    searchable: false,
    size: null,
    metadata: async () => ({ tags: [], rank: '10', draft: null, on: true }),
    policies: [],
    body: () => 'nothing',
  },
  {
    id: '100',
    slug: null,
    format: 'html',
    created_at: '2022-01-01T00:00:00.000Z',
    searchable: null,
    size: 50,
    metadata: {},
    policies: ['member'],
    body: () => null,
  },
]

async function ids(filter: unknown, sort?: unknown): Promise<unknown[]> {
  const page = await itemPage(ITEMS, { filter, sort }, FILTERS)
  return page.results.map((item) => item['id'])
}

const CASES: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['no filter', null, ['9', '10', '100']],
  ['a filter of nothing', { slug: null, or: [{}], metadata: [] }, ['9', '10', '100']],
  ['value', { slug: { value: 'Alpha' } }, ['10']],
  ['value is exact', { slug: { value: 'alpha' } }, []],
  ['exact', { slug: { exact: 'beta' } }, ['9']],
  ['empty text is missing text', { slug: { value: '' } }, ['100']],
  ['null is dropped', { slug: { value: null, contains: 'ALPH' } }, ['10']],
  ['contains ignores case', { slug: { contains: 'ALPH' } }, ['10']],
  ['contains with case', { slug: { contains: 'ALPH', case_sensitive: true } }, []],
  ['case_sensitive alone is no condition', { slug: { case_sensitive: true } }, ['9', '10', '100']],
  ['starts_with', { slug: { starts_with: 'be' } }, ['9']],
  ['ends_with', { slug: { ends_with: 'A' } }, ['9', '10']],
  ['value_in', { slug: { value_in: ['beta', 'Alpha'] } }, ['9', '10']],
  ['value_in of nothing', { slug: { value_in: [] } }, []],
  ['not_value passes missing text', { slug: { not_value: 'beta' } }, ['10', '100']],
  ['not_contains leaves out missing text', { slug: { not_contains: 'alp' } }, ['9']],
  ['not_ends_with leaves out missing text', { slug: { not_ends_with: 'x' } }, ['9', '10']],
  ['not_value_in', { slug: { not_value_in: ['beta', ''] } }, ['10']],
  ['an enum', { format: { not_value: 'html' } }, ['9']],
  ['id', { id: { value: 9 } }, ['9']],
  ['ids', { id: { value_in: ['9', '100'], not_value_in: ['100'] } }, ['9']],
  ['range of ids compares numbers', { id: { range: { gt: '9', lte: '100' } } }, ['10', '100']],
  ['an id that is none', { id: { range: { gt: 'x' } } }, []],
  ['date', { created_at: { gte: '2021-01-01' } }, ['9', '100']],
  ['date up to a day', { created_at: { lte: '2021-01-01' } }, ['9', '10']],
  ['date before a day', { created_at: { lt: '2021-01-01' } }, ['10']],
  ['date behind a day', { created_at: { gt: '2021-01-01' } }, ['100']],
  ['date by epoch', { created_at: { value: '1577836800' } }, ['10']],
  ['date that is none', { created_at: { lt: 'soon' } }, []],
  ['date exists', { created_at: { exists: false } }, []],
  ['boolean', { searchable: { value: true } }, ['10']],
  ['boolean not', { searchable: { not_value: true } }, ['9', '100']],
  ['boolean null', { searchable: { is_null: true } }, ['100']],
  ['range of numbers as text', { size: { gt: '5' } }, ['100']],
  ['a blank bound is none', { size: { gt: '', lte: '5' } }, ['10']],
  ['blank bounds alone', { size: { gt: ' ' } }, ['9', '10', '100']],
  ['number', { size: { value: 5 } }, ['10']],
  ['keys are joined with AND', { format: { value: 'html' }, searchable: { value: true } }, ['10']],
  ['or', { or: [{ slug: { value: 'beta' } }, { size: { gt: '40' } }] }, ['9', '100']],
  ['or with a dropped element', { or: [{ slug: { value: 'beta' } }, { size: { gt: null } }] }, ['9']],
  [
    'or beside another key',
    { format: { value: 'html' }, or: [{ slug: { value: 'beta' } }, { id: { value: '10' } }] },
    ['10'],
  ],
  ['texts: one matches', { policy: { value: 'member' } }, ['10', '100']],
  ['texts: not_value', { policy: { not_value: 'admin' } }, ['9', '100']],
  ['texts: value_in', { policy: { value_in: ['admin', 'guest'] } }, ['10']],
  ['has_key', { metadata: [{ has_key: 'tags' }] }, ['9', '10']],
  ['has_key excluded', { metadata: [{ has_key: 'tags', exclude: true }] }, ['100']],
  ['a key with null is there', { metadata: [{ has_key: 'draft' }] }, ['9']],
  ['prototype keys are no keys', { metadata: [{ has_key: 'constructor' }] }, []],
  ['contains JSON', { metadata: [{ contains: '{"tags":["b"]}' }] }, ['10']],
  ['contains nested JSON', { metadata: [{ contains: '{"nested":{"y":2}}' }] }, ['10']],
  ['contains text: a key', { metadata: [{ contains: 'draft' }] }, ['9']],
  ['contains text: a value', { metadata: [{ contains: 'Ärger' }] }, ['10']],
  ['contains text: a member of a list', { metadata: [{ contains: 'b' }] }, ['10']],
  ['attribute value: a member of a list', { metadata: [{ attribute: { key: 'tags', value: 'b' } }] }, ['10']],
  ['attribute not_value: no member', { metadata: [{ attribute: { key: 'tags', not_value: 'b' } }] }, ['9', '100']],
  ['attribute value', { metadata: [{ attribute: { key: 'rank', value: '2' } }] }, ['10']],
  ['attribute of any type', { metadata: [{ attribute: { key: 'rank', value: 10 } }] }, ['9']],
  ['attribute not_value', { metadata: [{ attribute: { key: 'rank', not_value: '2' } }] }, ['9', '100']],
  ['attribute exists', { metadata: [{ attribute: { key: 'draft', exists: true } }] }, []],
  ['attribute boolean', { metadata: [{ attribute: { key: 'on', value_boolean: true } }] }, ['9']],
  ['attribute list', { metadata: [{ attribute: { key: 'tags', array_contains: ['a', 'b'] } }] }, ['10']],
  ['attribute list overlaps', { metadata: [{ attribute: { key: 'tags', array_overlaps: ['x', 'b'] } }] }, ['10']],
  ['attribute list not', { metadata: [{ attribute: { key: 'tags', not_array_overlaps: ['b'] } }] }, ['9', '100']],
  ['attribute contains', { metadata: [{ attribute: { key: 'title', contains: 'ÄRG' } }] }, ['10']],
  [
    'attributes are joined with AND',
    {
      metadata: [
        {
          attributes: [
            { key: 'rank', value_int: 2 },
            { key: 'title', exists: true },
          ],
        },
      ],
    },
    ['10'],
  ],
  ['conditions on metadata are joined with AND', { metadata: [{ has_key: 'tags' }, { has_key: 'on' }] }, ['9']],
  ['a function is called', { body: { contains: 'needle' } }, ['10']],
]

describe('items in memory', () => {
  it.each(CASES)('%s', async (_name, filter, expected) => {
    expect(await ids(filter)).toEqual(expected)
  })

  it('are read only where a filter asks', async () => {
    read = 0
    await ids({ slug: { value: 'Alpha' } })
    expect(read).toBe(0)
    await ids({ slug: { value: 'beta' }, body: { contains: 'x' } })
    expect(read).toBe(0)
    await ids({ body: { contains: 'needle' } })
    expect(read).toBe(1)
  })

  it.each([
    [[{ slug: { order: 'ASC' } }], ['10', '9', '100']],
    [[{ slug: { order: 'DESC' } }], ['100', '9', '10']],
    [
      [{ format: { order: 'ASC' } }, { created_at: { order: 'DESC' } }],
      ['100', '10', '9'],
    ],
    [[{ slug: { order: 'ASC', order_by_values: ['beta', 'Alpha'] } }], ['9', '10', '100']],
    [[{ metadata: [{ name: 'rank', order: 'DESC' }] }], ['100', '9', '10']],
    [[], ['9', '10', '100']],
  ])('sort by %j', async (sort, expected) => {
    expect(await ids(null, sort)).toEqual(expected)
  })

  it.each([
    [
      { page: 1, per_page: 2 },
      { results: 2, total_pages: 2, has_next_page: true, has_previous_page: false, current_page: 1 },
    ],
    [
      { page: 2, per_page: 2 },
      { results: 1, total_pages: 2, has_next_page: false, has_previous_page: true, current_page: 2 },
    ],
    [
      { page: 9, per_page: 2 },
      { results: 0, total_pages: 2, has_next_page: false, has_previous_page: true, current_page: 9 },
    ],
    [
      { page: -1, per_page: 2 },
      { results: 2, total_pages: 2, has_next_page: true, has_previous_page: false, current_page: 1 },
    ],
    [
      { page: 1, per_page: 0 },
      { results: 0, total_pages: 0, has_next_page: false, has_previous_page: false, current_page: 1 },
    ],
  ])('page %j', async (args, expected) => {
    const page = await itemPage(ITEMS, args, FILTERS)
    expect(page).toMatchObject({ ...expected, results: { length: expected.results }, total_entries: 3 })
  })
})

describe('old arguments of pages', () => {
  const none = async (): Promise<readonly SiteItem[]> => []
  const site: SiteFacts = {
    pages: async () => ITEMS,
    partials: none,
    assets: none,
    tables: none,
    policies: none,
    layouts: none,
    operations: none,
    profileSchemas: none,
    formsAndNotifications: none,
    userSchema: () => [],
    translations: none,
    instance: () => ({}),
  }
  const found = async (args: Readonly<Record<string, unknown>>): Promise<unknown[]> =>
    (await selectPages(args, site)).results.map((item) => item['id'])

  it.each([
    [{ has_key: 'tags' }, ['9', '10']],
    [{ has_key: 'tags', exclude: true }, ['100']],
    [{ name: 'rank', value: '2' }, ['10']],
    [{ name: 'rank' }, ['9', '10']],
    [{ name: 'rank', value: '2', exclude: true }, ['9', '100']],
    [{ metadata: '{"on":true}' }, ['9']],
    [{ has_key: 'tags', filter: { slug: { value: 'beta' } } }, ['9']],
    [{ has_key: 'tags', filter: { metadata: [{ has_key: 'on' }] } }, ['9']],
    [{ exclude: true }, ['9', '10', '100']],
  ])('%j', async (args, expected) => {
    expect(await found(args)).toEqual(expected)
  })
})

describe('fields of the site', () => {
  const at = { created_at: '2020-01-01T00:00:00.000Z', updated_at: '2020-01-01T00:00:00.000Z' }
  const items = (list: readonly SiteItem[]) => async (): Promise<readonly SiteItem[]> =>
    list.map((item, index) => ({ id: `${index + 1}`, ...at, ...item }))
  const site: SiteFacts = {
    pages: items([
      {
        slug: 'a',
        format: 'html',
        metadata: () => ({ tags: ['x'] }),
        content: async () => '{{ template }}',
        searched: async () => 'body of a',
        policies: ['admin'],
        authorization_policies: () => [{ id: '1', name: 'admin', content: '', ...at }],
      },
      { slug: 'b', format: 'json', metadata: {}, content: () => 'body of b', searched: async () => null, policies: [] },
    ]),
    partials: items([
      { path: 'lib/hooks/one', body: () => 'x' },
      { path: 'modules/core/hooks/two', body: () => 'y' },
    ]),
    assets: items([
      { name: 'app.js', url: '/assets/app.js', file_size: 10 },
      { name: 'big.png', url: '/assets/big.png', file_size: 5_000_000 },
    ]),
    tables: items([
      {
        name: 'post',
        parameterized_name: 'post',
        properties: [{ id: '1', name: 'title', attribute_type: 'string', target_id: '1', target_type: 'Table', ...at }],
        records_count_rc: async () => 3,
      },
    ]),
    policies: items([]),
    layouts: items([{ path: 'application', body: () => 'z' }]),
    operations: items([{ name: 'notes/one', query_string: '{ a }' }]),
    profileSchemas: items([]),
    formsAndNotifications: async (kind) =>
      items([{ name: kind, to: 'x', resource: 'User', resource_owner: 'self', request_type: 'GET' }])(),
    userSchema: () => [{ id: '1', name: 'roles', attribute_type: 'array', target_id: '1', target_type: 'User', ...at }],
    translations: items([{ key: 'a.b', locale: 'en', value: 'c' }]),
    instance: () => ({ id: '1', name: 'demo', feature_flags: {}, ...at }),
  }
  const data: DataSchema = { tables: [], user: [], profiles: [] }
  const refuse = (): never => {
    throw new Error('The database is not asked.')
  }
  const host: QueryHost = {
    catalog: planningCatalog(data),
    options: { requireTableForDelete: false },
    site,
    viewer: null,
    open: refuse,
    seal: refuse,
    fileUrl: refuse,
    accounts: NO_ACCOUNTS,
    session: NO_SESSION,
    submitForm: null,
    effects: null,
    run: refuse,
    transaction: refuse,
    announceChange: refuse,
  }

  it.each([
    [
      'admin_pages(filter: { content: { contains: "OF A" } }) { total_entries results { slug metadata authorization_policies { name } } }',
      {
        total_entries: 1,
        results: [{ slug: 'a', metadata: { tags: ['x'] }, authorization_policies: [{ name: 'admin' }] }],
      },
    ],
    [
      'pages(filter: { authorization_policies: { value: "admin" } }) { results { slug } }',
      { results: [{ slug: 'a' }] },
    ],
    [
      'admin_pages(has_key: "tags", exclude: true) { results { slug content } }',
      { results: [{ slug: 'b', content: 'body of b' }] },
    ],
    [
      'admin_pages(sort: { slug: { order: DESC } }, per_page: 1) { has_next_page results { slug format } }',
      { has_next_page: true, results: [{ slug: 'b', format: 'json' }] },
    ],
    [
      'admin_liquid_partials(filter: { path: { ends_with: "hooks/two" } }) { results { path body } }',
      { results: [{ path: 'modules/core/hooks/two', body: 'y' }] },
    ],
    ['admin_assets(filter: { file_size: { gt: "1000" } }) { results { name } }', { results: [{ name: 'big.png' }] }],
    [
      'admin_tables { results { name records_count_rc properties { name attribute_type } } }',
      { results: [{ name: 'post', records_count_rc: 3, properties: [{ name: 'title', attribute_type: 'string' }] }] },
    ],
    ['admin_forms(filter: { resource: { value: "User" } }) { results { name } }', { results: [{ name: 'forms' }] }],
    ['admin_sms_notifications { results { name to } }', { results: [{ name: 'smses', to: 'x' }] }],
    [
      'admin_liquid_layouts(filter: { body: { contains: "z" } }) { results { path } }',
      { results: [{ path: 'application' }] },
    ],
    ['admin_graphql { results { name query_string } }', { results: [{ name: 'notes/one', query_string: '{ a }' }] }],
    ['handlers(per_page: 3) { per_page results { id } }', { per_page: 3, results: [] }],
    ['admin_user_schema { properties { name } }', { properties: [{ name: 'roles' }] }],
    ['instance { name }', { name: 'demo' }],
    ['admin_current_instance { name feature_flags }', { name: 'demo', feature_flags: {} }],
  ])('%s', async (field, expected) => {
    const { data, errors } = await execute(planOperation(`query { r: ${field} }`), {}, host)
    expect(errors).toBeUndefined()
    expect(data).toEqual({ r: expected })
  })
})
