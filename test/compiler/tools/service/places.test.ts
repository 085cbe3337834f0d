/**
 * The places where an author types, and what is offered there. `‸` marks the place. A place without expected names offers nothing, on
 * purpose: any name may be written there, or a new one.
 */
import { expect, test } from 'vitest'
import { complete } from '../../../../compiler/tools/service/answers/complete.ts'
import { type Files, folderOf, opened } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'
const QUERY = 'app/graphql/dishes.graphql'
const TABLE = 'app/schema/dish.yml'
const FORM = 'app/forms/dish.liquid'
const LOCALE = 'app/translations/de.yml'
const EMAIL = 'app/emails/hello.liquid'
const CARD = 'app/views/partials/card.liquid'

const SITE: Files = {
  [PAGE]: 'x\n',
  [CARD]:
    '{% doc %}\n  One dish.\n  @param {string} title - what it is called\n  @param {number} [price] - in cents\n{% enddoc %}\n<b>{{ title }}</b>{{ price }}\n',
  'app/lib/queries/find.liquid': '{% doc %}\n  @param {string} id - of the dish\n{% enddoc %}\n{% return id %}\n',
  [TABLE]: 'name: dish\nproperties:\n  - name: title\n    type: string\n  - name: price\n    type: integer\n',
  'app/schema/order.yml': 'name: order\nproperties:\n  - name: note\n    type: string\n',
  [QUERY]:
    'query dishes($page: Int!) {\n  records(page: $page, per_page: 20, filter: { table: { value: "dish" } }) { results { id title: property(name: "title") } }\n}\n',
  [FORM]: '---\nname: dish\nresource: dish\nfields:\n  properties:\n    title:\n---\nx\n',
  'app/translations/en.yml': 'en:\n  greeting:\n    hello: Hello\n    bye: Bye\n',
  [LOCALE]: 'de:\n  greeting:\n    hello: Hallo\n',
  'app/assets/logo.svg': '<svg/>',
  'app/config.yml': 'theme_search_paths:\n  - theme/dark\n',
  'app/views/partials/theme/dark/tile.liquid': 'x\n',
  'app/views/layouts/plain.liquid': '{{ content_for_layout }}\n',
  'app/authorization_policies/signed_in.liquid': '---\nname: signed_in\n---\ntrue\n',
  'app/views/pages/menu.liquid': '---\nslug: menu/today\n---\nx\n',
  [EMAIL]: '---\nname: hello\nto: a@example.com\nfrom: b@example.com\nsubject: Hi\n---\nx\n',
}

const FOUND = "{% graphql found = 'dishes', page: 1 %}"
const LOOP = `${FOUND}{% for dish in found.records.results %}`

/** The name of the place, its file, the text, and names that are offered there; null if nothing is. */
type Place = readonly [what: string, path: string, marked: string, offered: readonly string[] | null]

const PLACES: readonly Place[] = [
  // ---- front matter
  ['a key of a page', PAGE, '---\nslu‸\n---\n', ['slug', 'layout']],
  ['the value of `layout`', PAGE, '---\nlayout: ‸\n---\n', ['plain']],
  ['the value of `layout` in quotes', PAGE, '---\nlayout: "pl‸"\n---\n', ['plain']],
  ['the value of `method`', PAGE, '---\nmethod: ‸\n---\n', ['get', 'post']],
  ['the value of `format`', PAGE, '---\nformat: ‸\n---\n', ['json', 'html']],
  ['a flag', PAGE, '---\nsearchable: ‸\n---\n', ['true', 'false']],
  ['an item of `authorization_policies`', PAGE, '---\nauthorization_policies:\n  - ‸\n---\n', ['signed_in']],
  ['an item in brackets', PAGE, '---\nauthorization_policies: [‸]\n---\n', ['signed_in']],
  ['the second item in brackets', PAGE, '---\nauthorization_policies: [signed_in, ‸]\n---\n', ['signed_in']],
  ['an address, which is new', PAGE, '---\nslug: ‸\n---\n', null],
  ['the value of `redirect_to` of a page', PAGE, '---\nredirect_to: ‸\n---\n', ['/menu/today']],
  ['a key of an email', EMAIL, '---\nname: hello\nsub‸\n---\n', ['subject', 'to']],
  ['the layout of an email', EMAIL, '---\nlayout: ‸\n---\n', ['plain']],
  // ---- forms
  ['a key of a form', FORM, '---\nname: dish\nreso‸\n---\n', ['resource', 'fields']],
  ['the resource of a form', FORM, '---\nresource: ‸\n---\n', ['dish', 'order', 'User']],
  ['a group of the fields', FORM, '---\nresource: dish\nfields:\n  ‸\n---\n', ['properties']],
  ['a property of a form', FORM, '---\nresource: dish\nfields:\n  properties:\n    ‸\n---\n', ['title', 'price']],
  [
    'a property of a nested table',
    FORM,
    '---\nresource: dish\nfields:\n  customizations:\n    order:\n      properties:\n        ‸\n---\n',
    ['note'],
  ],
  ['a nested table', FORM, '---\nresource: dish\nfields:\n  customizations:\n    ‸\n---\n', ['order']],
  ['a key of a field', FORM, '---\nresource: dish\nfields:\n  properties:\n    title:\n      ‸\n---\n', ['validation']],
  [
    'a validation',
    FORM,
    '---\nresource: dish\nfields:\n  properties:\n    title:\n      validation:\n        ‸\n---\n',
    ['presence', 'length'],
  ],
  ['a notification of a form', FORM, '---\nemail_notifications:\n  - ‸\n---\n', ['hello']],
  ['the owner of a resource', FORM, '---\nresource_owner: ‸\n---\n', ['anyone', 'self']],
  ['the name of a form, which is new', FORM, '---\nname: ‸\n---\n', null],
  // ---- tables and translations
  ['a key of a table', TABLE, 'name: dish\n‸', ['properties']],
  ['a key of a property', TABLE, 'name: dish\nproperties:\n  - na‸', ['name', 'type']],
  ['a second key of a property', TABLE, 'name: dish\nproperties:\n  - name: title\n    ‸', ['type', 'default_value']],
  ['a property without indentation', TABLE, 'name: dish\nproperties:\n- name: title\n  ‸', ['type']],
  ['the type of a property', TABLE, 'name: dish\nproperties:\n  - name: title\n    type: ‸', ['string', 'upload']],
  [
    'the table that a property belongs to',
    TABLE,
    'name: dish\nproperties:\n  - name: order_id\n    belongs_to: ‸',
    ['order'],
  ],
  [
    'a key of the options of an upload',
    TABLE,
    'name: dish\nproperties:\n  - name: picture\n    type: upload\n    options:\n      ‸',
    ['acl'],
  ],
  ['the name of a property, which is new', TABLE, 'name: dish\nproperties:\n  - name: ‸', null],
  ['a key that another language has', LOCALE, 'de:\n  greeting:\n    ‸', ['hello', 'bye']],
  ['a group that another language has', LOCALE, 'de:\n  ‸', ['greeting']],
  ['a key beside others, which are not offered again', LOCALE, 'de:\n  greeting:\n    hello: Hallo\n    ‸\n', ['bye']],
  ['a translation, which is new', LOCALE, 'de:\n  greeting:\n    hello: ‸', null],
  // ---- tags and outputs
  ['a tag', PAGE, '{% ass‸ %}', ['assign']],
  ['a line of `liquid`', PAGE, '{% liquid\n  ren‸\n%}', ['render']],
  ['an end of a block in lines', PAGE, '{% liquid\n  if true\n  ‸\n%}', ['endif', 'else']],
  ['a branch of `case`', PAGE, '{% case context.language %}{% ‸ %}', ['when', 'endcase']],
  ['an output', PAGE, '{% assign soup = 1 %}{{ ‸ }}', ['soup', 'context']],
  ['a filter', PAGE, "{{ 'a' | ‸ }}", ['upcase']],
  ['a filter in a line', PAGE, "{% liquid\n  assign a = 'x' | ‸\n%}", ['upcase']],
  ['an argument of a filter', PAGE, '{% assign soup = 1 %}{{ 1 | plus: ‸ }}', ['soup']],
  ['a named argument of a filter', PAGE, "{{ 'greeting.hello' | t: ‸ }}", ['default:', 'locale:']],
  ['a part of a value', PAGE, `${LOOP}{{ dish.‸ }}{% endfor %}`, ['id', 'title']],
  ['a key in brackets', PAGE, `${LOOP}{{ dish['‸'] }}{% endfor %}`, ['id', 'title']],
  ['a key in brackets without a quote', PAGE, `${LOOP}{{ dish[‸] }}{% endfor %}`, ['dish']],
  ['the key of `map`', PAGE, `${FOUND}{{ found.records.results | map: '‸' }}`, ['id', 'title']],
  ['the key of `where`', PAGE, `${FOUND}{% assign a = found.records.results | where: '‸', 'x' %}`, ['id', 'title']],
  [
    'the key of `sort` in a line',
    PAGE,
    `${FOUND}{% liquid\n  assign a = found.records.results | sort: '‸'\n%}`,
    ['id', 'title'],
  ],
  ['the value of `assign`', PAGE, '{% assign soup = 1 %}{% assign x = ‸ %}', ['soup', 'context']],
  ['the name of `assign`, which is new', PAGE, '{% assign soup = 1 %}{% assign ‸ %}', null],
  ['the name of a loop, which is new', PAGE, '{% for ‸ %}{% endfor %}', null],
  ['the list of a loop', PAGE, `${FOUND}{% for x in ‸ %}{% endfor %}`, ['found']],
  [
    'the options of a loop',
    PAGE,
    `${FOUND}{% for x in found.records.results ‸ %}{% endfor %}`,
    ['limit:', 'offset:', 'reversed'],
  ],
  ['a condition', PAGE, '{% assign soup = 1 %}{% if ‸ %}{% endif %}', ['soup', 'context']],
  ['the second operand of a condition', PAGE, '{% assign soup = 1 %}{% if soup == ‸ %}{% endif %}', ['soup', 'blank']],
  ['the value of `when`', PAGE, '{% assign soup = 1 %}{% case soup %}{% when ‸ %}{% endcase %}', ['soup']],
  ['the name of `capture`, which is new', PAGE, '{% capture ‸ %}{% endcapture %}', null],
  // ---- calls
  ['a partial', PAGE, "{% render '‸' %}", ['card']],
  ['a partial in lines', PAGE, "{% liquid\n  render '‸'\n%}", ['card']],
  ['a partial of a theme', PAGE, "{% theme_render_rc '‸' %}", ['tile']],
  ['a function', PAGE, "{% function x = '‸' %}", ['queries/find']],
  ['the result of `function`, which is new', PAGE, '{% function ‸ %}', null],
  ['a job', PAGE, "{% background job = '‸' %}", ['queries/find']],
  ['an argument of a function', PAGE, "{% function x = 'queries/find', ‸ %}", ['id:']],
  ['the value of an argument', PAGE, "{% assign soup = 1 %}{% render 'card', title: ‸ %}", ['soup']],
  ['a query', PAGE, "{% graphql x = '‸' %}", ['dishes']],
  ['a variable of a query', PAGE, "{% graphql x = 'dishes', ‸ %}", ['page:']],
  ['a form', PAGE, "{% include_form '‸' %}", ['dish']],
  ['a page', PAGE, "{% redirect_to '‸' %}", ['/menu/today']],
  ['the key of `cache`, which is any text', PAGE, "{% cache '‸' %}{% endcache %}", null],
  ['a translation key', PAGE, "{{ 'greeting.‸' | t }}", ['greeting.hello']],
  ['a translation key without a filter yet, which may be any text', PAGE, "{{ 'gree‸' }}", null],
  ['an asset', PAGE, "{{ 'lo‸' | asset_url }}", ['logo.svg']],
  ['a type of a parameter', CARD, '{% doc %}\n  @param {‸} title - x\n{% enddoc %}\n', ['string', 'number']],
  ['a tag of `doc`', CARD, '{% doc %}\n  @‸\n{% enddoc %}\n', ['@param']],
  // ---- HTML
  ['an address', PAGE, '<a href="/‸">', ['/menu/today']],
  ['the address of a form', PAGE, '<form action="/‸">', ['/menu/today']],
  ['a text of a page', PAGE, 'Hello ‸', null],
  // ---- queries
  ['a field', QUERY, 'query x { records(per_page: 20) { ‸ } }', ['results']],
  ['an argument', QUERY, 'query x { records(‸) { total_entries } }', ['per_page', 'filter']],
  [
    'a table',
    QUERY,
    'query x { records(per_page: 20, filter: { table: { value: "‸" } }) { total_entries } }',
    ['dish', 'order'],
  ],
  [
    'a property of a table',
    QUERY,
    'query x { records(per_page: 20, filter: { table: { value: "dish" } }) { results { property(name: "‸") } } }',
    ['title', 'price'],
  ],
  [
    'a variable',
    QUERY,
    'query x($page: Int!, $name: String) { records(page: $‸) { total_entries } }',
    ['$page', '$name'],
  ],
  ['the type of a variable', QUERY, 'query x($page: ‸) { records(page: $page) { total_entries } }', ['Int', 'String']],
  [
    'a fragment',
    QUERY,
    'query x { records(per_page: 20) { results { ...‸ } } }\nfragment fields on Record { id }\n',
    ['fields'],
  ],
  ['a kind of operation', QUERY, '‸', ['query', 'mutation']],
]

test.each(PLACES)('%s', async (_what, path, marked, offered) => {
  const { workspace } = await opened(folderOf(SITE))
  const offset = marked.indexOf('‸')
  workspace.edit(path, marked.replace('‸', ''))
  const labels = complete(workspace, path, offset).suggestions.map(({ label }) => label)
  if (offered === null) expect(labels).toEqual([])
  else expect(labels).toEqual(expect.arrayContaining([...offered]))
})

test('keys that a file of translations has are not offered again', async () => {
  const { workspace } = await opened(folderOf(SITE))
  const text = 'de:\n  greeting:\n    hello: Hallo\n    \n'
  workspace.edit(LOCALE, text)
  expect(complete(workspace, LOCALE, text.length - 1).suggestions.map(({ label }) => label)).toEqual(['bye'])
})
