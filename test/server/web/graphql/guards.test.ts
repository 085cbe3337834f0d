/** Guards: partials that end the page that includes them. No query after a guard reaches the database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { type Served, serve } from './served.ts'

const made = (title: string) => `{% graphql made = 'items/create', title: '${title}' %}`

/** The pages, by name, with markup around the guard. The guard ends a page if the parameter `who` is missing. */
const PAGES: Readonly<Record<string, string>> = {
  plain: `top {% include 'guards/page' %}${made('behind')} bottom`,
  'by-name': `top {% assign guard = 'guards/' | append: 'page' %}{% include guard %}${made('behind')} bottom`,
  blocks: `top {% if context.params.id != 'x' %}{% case 1 %}{% when 1 %}{% try %}{% include 'guards/page' %}${made('try')}{% catch %}${made('catch')}{% endtry %}${made('case')}{% endcase %}${made('if')}{% endif %}${made('behind')} bottom`,
  kept: `top {% capture text %}{% include 'guards/page' %}${made('capture')}{% endcapture %}${made('behind')} bottom`,
  moved: `top {% content_for 'side' %}{% include 'guards/page' %}${made('content')}{% endcontent_for %}${made('behind')} bottom`,
  cached: `top {% cache context.params.id %}{% include 'guards/page' %}${made('cache')}{% endcache %}${made('behind')} bottom`,
  transaction: `top {% transaction %}${made('before')}{% include 'guards/page' %}${made('transaction')}{% endtransaction %}${made('behind')} bottom`,
  each: `top {% assign items = '1,2' | split: ',' %}{% include 'guards/page' for items as item %}${made('behind')} bottom`,
  loop: `top {% for n in (1..3) %}{% include 'guards/page' %}${made('turn')}{% endfor %}${made('behind the loop')} bottom`,
  called: `top {% function done = 'act' %}{{ done | default: 'refused' }}${made('page')} bottom`,
  rendered: `top {% render 'guards/page' %}${made('page')} bottom`,
  forbidden: `top {% include 'guards/forbidden' %}${made('behind')} bottom`,
  early: `top {% include 'guards/early' %}${made('page')} bottom`,
}

const PARTIALS: Readonly<Record<string, string>> = {
  // The guard is nested three files deep, and each of the files has code after its include.
  'guards/page': `{% assign who = context.params.who %}{% include 'guards/known' %}${made('page guard')}in`,
  'guards/known': `{% unless who == 'admin' %}{% include 'guards/refuse', to: '/sign-in' %}${made('known')}{% endunless %}{% assign ok = true %}{{ ok }}`,
  'guards/refuse': `{% if to %}{% redirect_to to %}{% break %}${made('refuse')}{% endif %}${made('refused')}`,
  'guards/forbidden': `{% include 'guards/ends' %}${made('forbidden')}`,
  'guards/ends': `{% if context.params.who == blank %}none{% continue %}{% endif %}${made('ends')}`,
  'guards/early': `{% if context.params.who == blank %}early{% return %}{% endif %}${made('early')}`,
}

const FILES: Readonly<Record<string, string>> = {
  'app/config.yml': 'liquid_raise_mode: true\n',
  'app/schema/item.yml': 'name: item\nproperties:\n  - name: title\n',
  'app/graphql/items/create.graphql': `mutation($title: String!) { record_create(record: { table: "item", properties: [{ name: "title", value: $title }] }) { id } }`,
  'app/views/layouts/application.liquid': `<main>{{ content_for_layout }}</main>${made('layout')}`,
  'app/lib/act.liquid': `{% include 'guards/page' %}${made('act')}{% return 'done' %}`,
  ...Object.fromEntries(Object.entries(PAGES).map(([name, text]) => [`app/views/pages/${name}.liquid`, text])),
  ...Object.fromEntries(Object.entries(PARTIALS).map(([name, text]) => [`app/views/partials/${name}.liquid`, text])),
}

let database: TestDatabase
let site: LiquidSite
let served: Served

beforeAll(async () => {
  database = await testDatabase()
  site = await liquidSite(FILES)
  served = await serve(site.loaded.site, database.sql)
})
afterAll(async () => {
  await served.close()
  site.close()
  await database.close()
})
/** Requests a page. Returns its redirect target or its text, and the titles of the created records. */
async function visit(path: string): Promise<{ to: string | null; text: string; made: readonly string[] }> {
  await database.sql`delete from ingot.records`
  const answer = await fetch(`${served.url}/${path}`, { redirect: 'manual' })
  const rows = await database.sql<{ title: string }[]>`
    select properties ->> 'title' as title from ingot.records order by id`
  return {
    to: answer.headers.get('location'),
    text: answer.status === 200 ? (await answer.text()).replace(/\s+/g, ' ') : '',
    made: rows.map(({ title }) => title),
  }
}

describe('behind a guard that ends the page', () => {
  it.each([
    ['plain', []],
    ['by-name', []],
    ['blocks', []],
    ['kept', []],
    ['moved', []],
    ['cached', []],
    ['transaction', ['before']],
    ['each', []],
  ])('no mutation runs: %s', async (name, before) => {
    const { to, made } = await visit(`${name}?id=${name}`)
    expect(to).toBe('/sign-in')
    expect(made).toEqual(before)
  })

  it('no mutation runs, what was printed stays, and the layout is around it', async () => {
    expect(await visit('forbidden')).toEqual({ to: null, text: '<main>top none</main>', made: ['layout'] })
  })

  it('all mutations run where it lets the visitor in', async () => {
    expect(await visit('plain?who=admin')).toEqual({
      to: null,
      text: '<main>top truein bottom</main>',
      made: ['page guard', 'behind', 'layout'],
    })
  })

  it('what stands behind the loop that it ended runs', async () => {
    expect((await visit('loop')).made).toEqual(['behind the loop'])
  })

  it('a function ends, or a rendered partial, and the page goes on', async () => {
    expect((await visit('called')).made).toEqual(['page'])
    expect((await visit('called?who=admin')).made).toEqual(['page guard', 'act', 'page', 'layout'])
    expect((await visit('rendered')).made).toEqual(['page'])
  })
})

describe('behind an included partial that returned', () => {
  it('the page goes on', async () => {
    expect(await visit('early')).toEqual({ to: null, text: '<main>top early bottom</main>', made: ['page', 'layout'] })
  })
})
