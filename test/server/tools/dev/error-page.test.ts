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
  const rows = [...text.matchAll(/<tr><td><code>(.*?)<\/code><\/td><td><code>(.*?)<\/code>/g)]
  const shown = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]))
  expect(shown).toMatchObject({ doubled: '&#34;aa&#34;', item: '&#34;a&#34;', token: '[masked]' })
  expect(shown['items']).toBe('[&#34;a&#34;,&#34;b&#34;]')
  expect(shown['password']).toBe('[masked]')
})

test('has no values for other machines', async () => {
  const text = await (await fetch(`${url}/broken?by=0`, { headers: { 'x-forwarded-for': '10.0.0.1' } })).text()
  expect(text).toContain('divided by 0')
  expect(text).not.toContain('doubled</code></td>')
})
