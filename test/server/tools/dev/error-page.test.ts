/** The error page of `ingot dev` with the variables of templates. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { type Product, product } from '../../../support/product.ts'

let ingot: Product
let database: TestDatabase
let url = ''

beforeAll(async () => {
  ingot = product()
  database = await testDatabase()
  const site = ingot.folder({
    'app/views/pages/index.liquid': 'home',
    'app/views/pages/broken.liquid':
      "{% assign items = 'a,b' | split: ',' %}{% for item in items %}{% render 'card', item: item, by: context.params.by %}{% endfor %}",
    'app/views/pages/nested.liquid':
      '{% parse_json cart %}{"owner": {"name": "Ann", "password": "pw-1"}, "items": [{"card_number": "4-1", "size": 2}]}{% endparse_json %}{% assign pw = context.params.password %}{% for i in (7..8) %}{% graphql g = "ids" %}{{ 10 | divided_by: context.params.by }}{{ i }}{{ pw }}{{ cart | json }}{% endfor %}',
    'app/graphql/ids.graphql': 'query { records(per_page: 3) { results { id } } }',
    'app/views/partials/card.liquid':
      "{% assign password = 'pw-9' %}{% assign doubled = item | append: item %}{{ 10 | divided_by: by }}{{ doubled }}{{ password }}",
  })
  const server = await ingot.serve(['dev', site], { env: { DATABASE_URL: database.url } })
  url = server.url
  await vi.waitFor(async () => expect(await (await fetch(url)).text()).toContain('home'), { timeout: 60_000 })
})

afterAll(async () => {
  await ingot?.clean()
  await database?.close()
})

test('has the variables where the page failed and those of the caller, and no passwords', async () => {
  const text = await (await fetch(`${url}/broken?by=0&token=abc`)).text()
  expect(text).toContain('divided by 0')
  const shown = shownIn(text)
  expect(shown).toMatchObject({ doubled: '"aa"', item: '"a"', token: '[masked]', items: '["a","b"]' })
  expect(shown['password']).toBe('[masked]')
})

const shownIn = (text: string): Readonly<Record<string, string>> => {
  const rows = [...text.matchAll(/<tr><td class="short"><code>(.*?)<\/code><\/td><td><code>(.*?)<\/code>/g)]
  return Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value.replaceAll('&#34;', '"')]))
}

test('masks secrets inside of values, and wherever they are, and shows only variables of the template', async () => {
  const shown = shownIn(await (await fetch(`${url}/nested?by=0&password=pass-word-1`)).text())
  expect(shown).toMatchObject({
    cart: '{"owner":{"name":"Ann","password":"[masked]"},"items":[{"card_number":"[masked]","size":2}]}',
    pw: '[masked]',
    password: '[masked]',
    i: '7',
  })
  expect(Object.keys(shown)).not.toContain('loop')
})

test('has the queries before the fault and the recorded request, in which the second render is not', async () => {
  const text = await (await fetch(`${url}/nested?by=0`)).text()
  expect(text).toMatch(
    /<h2>Queries so far<\/h2><table><tr><td><code>ids<\/code><p class="place">app\/views\/pages\/nested.liquid:1 .*?<\/td><td class="short">[\d.]+ ms<\/td><td>0 rows<\/td><\/tr><\/table>/,
  )
  const link = /href="(\/_ingot\/requests\/request\?id=[^"]+)"/.exec(text)?.[1] ?? ''
  const record = await vi.waitFor(async () => {
    const page = await fetch(url + link)
    expect(page.status).toBe(200)
    return page.text()
  })
  expect(record.match(/<strong>ids<\/strong>/g)?.length).toBe(1)
})

test('has no values for other machines', async () => {
  const text = await (await fetch(`${url}/broken?by=0`, { headers: { 'x-forwarded-for': '10.0.0.1' } })).text()
  expect(text).toContain('divided by 0')
  expect(text).not.toContain('doubled</code></td>')
})
