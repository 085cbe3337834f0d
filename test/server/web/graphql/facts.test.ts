/** The results of `admin_*` queries about the compiled site. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Setting } from '../../../../runtime/page/site.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { folder, liveAssets, page, site } from '../../../support/server/site.ts'
import { property, type Served, serve } from './served.ts'

const metadata = (value: Readonly<Record<string, unknown>>): Setting => ({ kind: 'plain', value })

let database: TestDatabase
let served: Served
let root: string

beforeAll(async () => {
  database = await testDatabase()
  root = folder({
    'app/views/pages/index.liquid': '---\nslug: /\nmetadata:\n  a: 1\n---\n<h1>{{ "x" }}</h1>\n',
    'app/views/pages/about.md.liquid': '---\nlayout: ""\n---\n# About --- us\n---\n',
    'app/views/pages/empty.liquid': '---\n---\nbody',
    'app/views/partials/hooks/one.liquid': '---\nmetadata:\n  priority: 5\n---\none',
    'app/lib/events/two.liquid': 'two',
    'app/assets/images/logo.svg': '<svg/>',
  })
  mkdirSync(join(root, '.ingot'))
  // The queries return the text that was built, not the text that is being edited.
  writeFileSync(
    join(root, '.ingot/sources.json'),
    JSON.stringify({ 'app/lib/events/two.liquid': 'two as it was built' }),
  )
  const compiled = site(
    [
      page('/', {
        file: 'app/views/pages/index.liquid',
        metadata: metadata({ a: 1, tags: ['x'] }),
        layout: 'application',
      }),
      // The same page with another address.
      page('index', { file: 'app/views/pages/index.liquid' }),
      page('about', {
        file: 'app/views/pages/about.md.liquid',
        markdown: true,
        searchable: true,
        metadata: {
          kind: 'map',
          entries: { title: { kind: 'liquid', render: (r) => `on ${String(r.context['environment'])}` } },
        },
        policies: ['members'],
        staticCache: 60,
        redirect: { target: { kind: 'plain', value: '/x' }, code: 301 },
        responseHeaders: { kind: 'plain', value: '{"X-A": "b"}' },
      }),
      page('empty', { file: 'app/views/pages/empty.liquid', method: 'post', format: 'json' }),
    ],
    {
      policies: {
        members: {
          file: 'app/authorization_policies/members.liquid',
          name: 'members',
          render: () => 'true',
          redirectTo: { kind: 'plain', value: '/login' },
          flashAlert: null,
          status: 403,
        },
      },
      partialFiles: [
        { file: 'app/lib/events/two.liquid', name: 'events/two', format: null, metadata: metadata({}) },
        {
          file: 'app/views/partials/hooks/one.liquid',
          name: 'hooks/one',
          format: 'html',
          metadata: metadata({ priority: 5 }),
        },
        {
          file: 'modules/core/public/lib/hooks/three.liquid',
          name: 'modules/core/hooks/three',
          format: null,
          metadata: metadata({ priority: 9, nested: { deep: [1, 2] } }),
        },
      ],
      assets: liveAssets({ 'images/logo.svg': 'app/assets/images/logo.svg', 'gone.bin': 'app/assets/gone.bin' }),
      data: {
        tables: [
          {
            name: 'item',
            file: 'app/schema/item.yml',
            properties: [
              property('title', 'string'),
              property('size', 'integer', { default: 5 }),
              property('owner', 'string', { belongsTo: 'user', metadata: { label: 'Owner' } }),
            ],
            metadata: { editable: true },
          },
          { name: 'modules/shop/order', file: 'modules/shop/public/schema/order.yml', properties: [] },
        ],
        user: [property('nickname', 'string')],
        profiles: [],
      },
    },
  )
  served = await serve(compiled, database.sql, { root })
})
afterAll(async () => {
  await served.close()
  await database.close()
})

async function data(query: string): Promise<Record<string, unknown>> {
  const { json } = await served.ask(query)
  expect(json.errors).toBe(undefined)
  return json.data as Record<string, unknown>
}

describe('partials', () => {
  test('are found by their path, as modules look for hooks', async () => {
    const found = await data(`{
      ends: admin_liquid_partials(filter: { path: { ends_with: "/two" } }) { total_entries results { path metadata body } }
      starts: admin_liquid_partials(filter: { path: { starts_with: "modules/core/" } }) { results { path metadata physical_file_path } }
      contains: admin_liquid_partials(filter: { path: { contains: "hooks/" } }) { results { path } }
      meta: admin_liquid_partials(filter: { metadata: { has_key: "priority" } }) { results { path } }
    }`)
    expect(found).toEqual({
      ends: { total_entries: 1, results: [{ path: 'events/two', metadata: {}, body: 'two as it was built' }] },
      starts: {
        results: [
          {
            path: 'modules/core/hooks/three',
            metadata: { priority: 9, nested: { deep: [1, 2] } },
            physical_file_path: 'modules/core/public/lib/hooks/three.liquid',
          },
        ],
      },
      contains: { results: [{ path: 'hooks/one' }, { path: 'modules/core/hooks/three' }] },
      meta: { results: [{ path: 'hooks/one' }, { path: 'modules/core/hooks/three' }] },
    })
  })

  test('come in the order of their paths where no other is asked for', async () => {
    const found = await data(`{
      all: admin_liquid_partials(per_page: 50) { results { path } }
      second: admin_liquid_partials(per_page: 2, page: 2) { results { path } }
      back: admin_liquid_partials(per_page: 50, sort: [{ path: { order: DESC } }]) { results { path } }
    }`)
    const paths = (name: string): string[] =>
      (found[name] as { results: { path: string }[] }).results.map(({ path }) => path)
    expect(paths('all').length).toBe(3)
    expect(paths('all')).toEqual(paths('all').toSorted())
    expect(paths('second')).toEqual(paths('all').slice(2))
    expect(paths('back')).toEqual(paths('all').toReversed())
  })

  test('have ids that stay, and the time of their file', async () => {
    const ask = (): Promise<Record<string, unknown>> =>
      data('{ admin_liquid_partials(filter: { path: { value: "hooks/one" } }) { results { id updated_at format } } }')
    const [first, again] = [await ask(), await ask()]
    expect(first).toEqual(again)
    const updated_at = statSync(join(root, 'app/views/partials/hooks/one.liquid')).mtime.toISOString()
    expect(first).toMatchObject({
      admin_liquid_partials: { results: [{ id: expect.stringMatching(/^\d+$/), updated_at, format: 'html' }] },
    })
  })
})

describe('pages', () => {
  test('tell what they are', async () => {
    const found = await data(`{ admin_pages(sort: [{ slug: { order: ASC } }]) { total_entries results {
      slug format request_method handler: handler layout content html_content metadata redirect_to redirect_code static_cache_expire
      response_headers authorization_policies { name redirect_to http_status } physical_file_path
    } } }`)
    const { results, total_entries } = found['admin_pages'] as {
      results: Record<string, unknown>[]
      total_entries: number
    }
    expect(total_entries).toBe(3)
    const bySlug = new Map(results.map((each) => [each['slug'], each]))
    expect(bySlug.get('/')).toMatchObject({
      format: 'html',
      request_method: 'get',
      layout: 'application',
      content: '<h1>{{ "x" }}</h1>\n',
      html_content: '<h1>{{ "x" }}</h1>\n',
      metadata: { a: 1, tags: ['x'] },
      redirect_to: null,
      authorization_policies: [],
    })
    expect(bySlug.get('about')).toMatchObject({
      content: '# About --- us\n---\n',
      html_content: expect.stringContaining('<h1>About --- us</h1>'),
      metadata: { title: 'on production' },
      redirect_to: '/x',
      redirect_code: 301,
      static_cache_expire: 60,
      response_headers: { 'X-A': 'b' },
      authorization_policies: [{ name: 'members', redirect_to: '/login', http_status: expect.anything() }],
    })
    expect(bySlug.get('empty')).toMatchObject({ content: 'body', request_method: 'post', format: 'json' })
  })

  test('are found by slug, metadata and text', async () => {
    const found = await data(`{
      slug: pages(filter: { slug: { value: "about" } }) { results { slug } }
      other: pages(filter: { slug: { value: "index" } }) { results { slug } }
      meta: admin_pages(filter: { metadata: [{ has_key: "tags" }] }) { results { slug } }
      text: admin_pages(filter: { content: { contains: "about ---" } }) { results { slug } }
      quiet: admin_pages(filter: { content: { contains: "h1" }, slug: { value: "/" } }) { results { slug } }
    }`)
    expect(found).toEqual({
      slug: { results: [{ slug: 'about' }] },
      other: { results: [] },
      meta: { results: [{ slug: '/' }] },
      text: { results: [{ slug: 'about' }] },
      // Only searchable pages have stored text.
      quiet: { results: [] },
    })
  })
})

describe('the rest', () => {
  test('assets with type and size', async () => {
    const found = await data('{ admin_assets { results { name url content_type file_size } } }')
    expect((found['admin_assets'] as Record<string, unknown>)['results']).toEqual(
      expect.arrayContaining([
        {
          name: 'images/logo.svg',
          url: '/assets/images/logo.svg?updated=aa17',
          content_type: 'image/svg+xml',
          file_size: 6,
        },
        {
          name: 'gone.bin',
          url: '/assets/gone.bin?updated=aa17',
          content_type: 'application/octet-stream',
          file_size: 6,
        },
      ]),
    )
  })

  test('tables with their properties, and their living rows counted', async () => {
    for (let i = 0; i < 3; i++) await served.ask('mutation { record_create(record: { table: "item" }) { id } }')
    await served.ask('mutation { records_delete_all(table: "item", filter: { id: { value_in: [] } }) { count } }')
    const found = await data(
      '{ admin_tables { results { name records_count_rc properties { name attribute_type default_value belongs_to target_type } } } }',
    )
    expect((found['admin_tables'] as Record<string, unknown>)['results']).toEqual(
      expect.arrayContaining([
        {
          name: 'item',
          records_count_rc: 3,
          properties: [
            { name: 'owner', attribute_type: 'string', default_value: null, belongs_to: 'user', target_type: 'Table' },
            { name: 'size', attribute_type: 'integer', default_value: '5', belongs_to: null, target_type: 'Table' },
            { name: 'title', attribute_type: 'string', default_value: null, belongs_to: null, target_type: 'Table' },
          ],
        },
        { name: 'modules/shop/order', records_count_rc: 0, properties: [] },
      ]),
    )
  })

  test('tables by their metadata, as programs that edit any table ask for them', async () => {
    const query = `{ admin_tables(filter: { metadata: { attribute: { key: "editable", value_boolean: true } } }) {
      results { name metadata properties { name metadata } }
    } }`
    expect(await data(query)).toEqual({
      admin_tables: {
        results: [
          {
            name: 'item',
            metadata: { editable: true },
            properties: [
              { name: 'owner', metadata: { label: 'Owner' } },
              { name: 'size', metadata: {} },
              { name: 'title', metadata: {} },
            ],
          },
        ],
      },
    })
  })

  test('users’ properties, and the instance', async () => {
    expect(await data('{ admin_user_schema { properties { name attribute_type } } instance { id name } }')).toEqual({
      admin_user_schema: { properties: [{ name: 'nickname', attribute_type: 'string' }] },
      instance: { id: '1', name: expect.any(String) },
    })
  })
})
