/** The search in the contents of pages: it finds what searchable pages print, including the data that they read. */
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccounts } from '../../../../server/web/accounts/accounts.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import { type GraphqlProcess, openGraphql } from '../../../../server/web/graphql/process.ts'
import { bodyText } from '../../../support/built-site.ts'
import { applyData, type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'
import { ADMIN, SECRET } from './served.ts'

const SEARCHABLE = 'searchable: true'
const page = (settings: string, body: string): string => `---\n${settings}\n---\n${body}`
const COUNTED = `{% graphql c %}mutation { record_create(record: { table: "item", properties: [{ name: "title", value: "made" }] }) { id } }{% endgraphql %}`

const FILES: Readonly<Record<string, string>> = {
  'app/config.yml': 'liquid_raise_mode: false\n',
  'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n',
  'app/authorization_policies/nobody.liquid': '---\nname: nobody\n---\nfalse',
  'app/graphql/items.graphql':
    '{ records(per_page: 5, filter: { table: { value: "item" } }) { results { title: property(name: "title") } } }',
  'app/graphql/search.graphql':
    'query ($words: String) { pages(per_page: 50, sort: { slug: { order: ASC } }, filter: { content: { contains: $words } }) { results { slug html_content } } }',
  'app/views/layouts/application.liquid': 'framed {{ content_for_layout }}',
  'app/views/pages/guide.liquid': page(`${SEARCHABLE}\nconverter: markdown`, '# Sharpening {{ 1 | plus: 41 }}\n'),
  'app/views/pages/listing.liquid': page(
    SEARCHABLE,
    '{% graphql g = "items" %}<p>{{ g.records.results[0].title }}</p>',
  ),
  'app/views/pages/quiet.liquid': 'Sharpening {{ 1 | plus: 41 }}',
  'app/views/pages/guarded.liquid': page(`${SEARCHABLE}\nauthorization_policies:\n  - nobody`, `guarded ${COUNTED}`),
  'app/views/pages/act.liquid': page(`${SEARCHABLE}\nmethod: post`, `acting ${COUNTED}`),
  // The page runs a search itself.
  'app/views/pages/find.liquid': page(
    SEARCHABLE,
    '{% graphql g = "search", words: context.params.q %}{% for p in g.pages.results %}[{{ p.slug }}]{% endfor %}',
  ),
  'app/views/pages/shown.liquid': page(
    '',
    '{% graphql g = "search", words: context.params.q %}{% for p in g.pages.results %}{{ p.slug }}={% print p.html_content %};{% endfor %}',
  ),
}

let database: TestDatabase
let built: LiquidSite
let graphql: GraphqlProcess
let app: App

beforeAll(async () => {
  database = await testDatabase()
  built = await liquidSite(FILES)
  const { sql } = database
  const logger = pino({ level: 'silent' })
  const ids = await applyData(sql, built.loaded.site.data)
  graphql = await openGraphql({ sql, replica: null, secret: SECRET, apiToken: ADMIN, logger })
  const accounts = createAccounts({ statements: graphql.statements, secret: SECRET })
  const facts = { environment: 'production', version: '0.1.0', constants: graphql.constants.all, logger } as const
  app = createApp(built.loaded, { ...facts, graphql, accounts }, ids)
  await sql`insert into ingot.records (table_id, properties) values (${ids.get('item') ?? 0}, '{"title": "Block plane"}')`
})
afterAll(async () => {
  await graphql.close()
  await database.close()
  built.close()
})

async function shown(words: string): Promise<string> {
  const reply = await app.handler(request(`/shown?q=${encodeURIComponent(words)}`))
  return (await bodyText(reply)).replace(/^framed /, '').trim()
}

it('finds searchable pages by what they print, as HTML, with their data and without their layout', async () => {
  expect(await shown('sharpening 42')).toBe('guide=<h1>Sharpening 42</h1>\n;')
  expect(await shown('block plane</p>')).toBe('listing=<p>Block plane</p>;')
  expect(await shown('framed')).toBe('')
  expect(await shown('| plus')).toBe('')
})

it('prints no page that could do something or that a policy guards', async () => {
  expect(await shown('guarded {% graphql')).toMatch(/^guarded=/)
  expect(await shown('acting {% graphql')).toMatch(/^act=/)
  expect(await database.sql`select count(*)::int as n from ingot.records`).toEqual([{ n: 1 }])
})

it('goes on beside a page that searches itself, and many at a time', async () => {
  const all = await Promise.all(['[find]', '[guide]', 'sharpening 42'].map(shown))
  expect(all).toEqual([
    expect.stringMatching(/^find=/),
    expect.stringMatching(/^find=/),
    'guide=<h1>Sharpening 42</h1>\n;',
  ])
})
