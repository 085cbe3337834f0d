/** Templates cannot change values that outlive a request: each page is requested twice and answers the same. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bodyText } from '../../../support/built-site.ts'
import { type ServedFiles, servedFiles } from '../../../support/served-files.ts'

/** A value and a change of it. Each page prints the value before and after the change. */
const PAGES: Readonly<Record<string, string>> = {
  'a map of translations': `{% assign v = 'menu' | t %}{% print v %}{% assign same = v | hash_add_key: 'new', 1 %}{% assign v.list << 'c' %}{% assign gone = v | hash_delete_key: 'name' %}{% print v %}`,
  'a list of translations': `{% assign v = 'menu.list' | t %}{% print v %}{% assign v << 'c' %}{% print v %}`,
  'a translation with a count': `{% assign v = 'menu' | t: count: 2 %}{% print v %}{% assign v.more = 1 %}{% print v %}`,
  'a literal': `{% assign v = { "a": [1], "b": { "c": 1 } } %}{% print v %}{% assign same = v.b | hash_add_key: 'd', 1 %}{% assign v.a << 2 %}{% print v %}`,
  'a list written in a loop': `{% assign list = [{ "a": 1 }, { "a": 2 }] %}{% for v in list %}{% print v %}{% assign same = v | hash_add_key: 'b', 1 %}{% print v %}{% endfor %}`,
  'metadata of the page': `{% assign v = context.page.metadata %}{% print v %}{% assign same = v | hash_add_key: 'new', 1 %}{% assign v.tags << 'c' %}{% assign v.deep.er = 2 %}{% print v %}`,
  'an argument that is a literal': `{% function v = 'grown', of: { "a": 1 } %}{% print v %}{% function again = 'grown', of: { "a": 1 } %}{% print again %}`,
  'a constant': `{% assign v = context.constants %}{% print v.KEY %}{% assign v.KEY = 'other' %}{% print v.KEY %}`,
  'the site itself': `{% assign v = context.instance %}{% print v.name %}{% assign v.name = 'other' %}{% print v.name %}`,
  'the modules': `{% assign v = context.modules %}{% print v.shop.name %}{% assign v.shop.name = 'other' %}{% print v.shop.name %}`,
  'the time zones': `{% assign v = context.globals.time_zones %}{% print v.us_zones | size %}{% assign v.us_zones = 'none' %}{% print v.us_zones %}`,
  'a list of nothing': `{% assign v = nothing | sort %}{% print v %}{% assign v << 1 %}{% print v %}{% assign w = nothing | array_flatten %}{% assign w << 1 %}{% print w %}`,
  'what a query of the site says': `{% graphql g %}query { admin_liquid_partials(per_page: 1) { results { path metadata } } }{% endgraphql %}{% assign v = g.admin_liquid_partials.results.first %}{% print v %}{% assign v.metadata.more = 1 %}{% assign v.path = 'other' %}{% print v %}`,
  'a form': `{% include_form 'dish' %}`,
}

const slugs = Object.keys(PAGES)

const FILES = {
  'app/translations/en.yml': 'en:\n  menu:\n    name: Menu\n    list: [a, b]\n    one: { n: 1 }\n    other: { n: 2 }\n',
  'app/lib/grown.liquid': `{% assign same = of | hash_add_key: 'more', 1 %}{% return of %}`,
  'app/views/partials/card.liquid': '---\nmetadata:\n  kind: card\n---\ncard',
  'modules/shop/public/views/partials/cart.liquid': 'cart',
  'app/schema/dish.yml':
    'name: dish\nproperties:\n  - name: photo\n    type: upload\n    options: { versions: [{ name: small, output: { format: webp } }] }\n  - name: title\n',
  'app/forms/dish.liquid': `---
name: dish
resource: dish
resource_owner: anyone
metadata:
  steps: [one]
fields:
  properties:
    photo:
      property_options: { versions: { small: 1 } }
    title:
      validation: { inclusion: { in: [a, b] } }
---
{%- assign fields = form.fields.properties -%}
{% print form.metadata %}{% print fields.title.validation.rules %}{% print fields.photo.property_options %}
{%- assign form.metadata.steps << 'two' -%}
{%- assign same = fields.title.validation.rules.inclusion | hash_add_key: 'message', 'no' -%}
{%- assign fields.title.validation.rules.inclusion.in << 'c' -%}
{%- assign same = fields.photo.property_options | hash_add_key: 'more', 1 -%}
{% print form.metadata %}{% print fields.title.validation.rules %}{% print fields.photo.property_options %}`,
  ...Object.fromEntries(
    slugs.map((name, at) => [
      `app/views/pages/p${at}.liquid`,
      `---\nslug: p${at}\nlayout: ''\nmetadata:\n  tags: [a, b]\n  deep: { er: 1 }\n---\n${PAGES[name]}`,
    ]),
  ),
}

let site: ServedFiles

beforeAll(async () => {
  const beside = { 'modules/shop/pos-module.json': JSON.stringify({ name: 'The shop', machine_name: 'shop' }) }
  site = await servedFiles(FILES, { constants: { KEY: 'hush' }, additionalFiles: beside })
})
afterAll(() => site?.close())

it.each(slugs)('%s', async (name) => {
  const url = `/p${slugs.indexOf(name)}`
  const first = bodyText(await site.get(url))
  expect(site.loggedProblems).toEqual([])
  expect(first).not.toContain('Error')
  expect(bodyText(await site.get(url))).toBe(first)
})

it('a page sees what it has written', async () => {
  const seen = async (name: string) => bodyText(await site.get(`/p${slugs.indexOf(name)}`))
  expect(await seen('a map of translations')).toContain('"list":["a","b","c"],"one":{"n":1},"other":{"n":2},"new":1}')
  expect(await seen('metadata of the page')).toContain('{"tags":["a","b","c"],"deep":{"er":2},"new":1}')
  expect(await seen('an argument that is a literal')).toBe('{"a":1,"more":1}{"a":1,"more":1}')
  expect(await seen('a form')).toContain('"in":["a","b","c"],"message":"no"')
})
