/** Responses to requests about a position. `‸` marks it in a text. */
import { expect, test } from 'vitest'
import { complete } from '../../../../compiler/tools/service/answers/complete.ts'
import { hoverAt } from '../../../../compiler/tools/service/answers/hover.ts'
import type { Workspace } from '../../../../compiler/tools/service/workspace.ts'
import { type Files, folderOf, opened } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'
const SITE: Files = {
  [PAGE]: 'x\n',
  'app/views/partials/card.liquid':
    '{% doc %}\n  One dish.\n  @param {string} title - what it is called\n  @param {number} [price] - in cents\n{% enddoc %}\n<b>{{ title }}</b>{{ price }}\n',
  'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: title\n    type: string\n',
  'app/graphql/dishes.graphql':
    'query dishes($page: Int!) {\n  records(page: $page, per_page: 20, filter: { table: { value: "dish" } }) { results { id title: property(name: "title") } }\n}\n',
  'app/translations/en.yml': 'en:\n  hello: Hello\n',
  'app/assets/logo.svg': '<svg/>',
  'app/views/layouts/plain.liquid': '{{ content_for_layout }}\n',
  'app/authorization_policies/signed_in.liquid': '---\nname: signed_in\n---\ntrue\n',
  'app/views/pages/menu.liquid': '---\nslug: menu/today\n---\nx\n',
}

async function at(marked: string, path = PAGE): Promise<{ workspace: Workspace; path: string; offset: number }> {
  const offset = marked.indexOf('‸')
  const { workspace } = await opened(folderOf(SITE))
  workspace.edit(path, marked.replace('‸', ''))
  return { workspace, path, offset }
}

async function labels(marked: string, path = PAGE): Promise<readonly string[]> {
  const { workspace, offset } = await at(marked, path)
  return complete(workspace, path, offset).suggestions.map(({ label }) => label)
}

const FOUND = "{% graphql found = 'dishes', page: 1 %}"

test.each([
  ['tags', '{% ass‸ %}', ['assign', 'graphql', 'render']],
  ['the end of what is open', '{% if true %}{% ‸ %}', ['endif', 'else', 'elsif']],
  ['tags in lines', '{% liquid\n  ren‸\n%}', ['render', 'assign']],
  ['filters', "{{ 'a' | up‸ }}", ['upcase', 'append']],
  ['filters of an output that nothing ends', "{{ 'a' | up‸", ['upcase', 'append']],
  ['variables', "{% assign soup = 'Tea' %}{{ so‸ }}", ['soup', 'context']],
  [
    'names of a loop',
    `${FOUND}{% for dish in found.records.results %}{{ di‸ }}{% endfor %}`,
    ['dish', 'forloop', 'found'],
  ],
  ['what a query gives', `${FOUND}{{ found.‸ }}`, ['records', 'errors']],
  ['fields of its rows', `${FOUND}{% for dish in found.records.results %}{{ dish.‸ }}{% endfor %}`, ['id', 'title']],
  ['fields behind what nothing ends', `${FOUND}{% for dish in found.records.results %}{{ dish.‸`, ['id', 'title']],
  ['context', '{{ context.‸ }}', ['params', 'current_user', 'location']],
  ['partials', "{% render '‸' %}", ['card']],
  ['partials without a closing quote', "{% render 'ca‸", ['card']],
  ['arguments', "{% render 'card', ‸ %}", ['title:', 'price:']],
  ['queries', "{% graphql x = '‸' %}", ['dishes']],
  ['variables of a query', "{% graphql x = 'dishes', ‸ %}", ['page:']],
  ['translations', "{{ 'he‸' | t }}", ['hello']],
  ['assets', "{{ 'lo‸' | asset_url }}", ['logo.svg']],
  ['addresses', '<a href="/‸">', ['/menu/today']],
  ['keys of front matter', '---\nslu‸\n---\n', ['slug', 'layout', 'authorization_policies']],
  ['layouts', '---\nlayout: ‸\n---\n', ['plain']],
  ['policies', '---\nauthorization_policies:\n  - ‸\n---\n', ['signed_in']],
  ['values of a setting', '---\nmethod: ‸\n---\n', ['get', 'post']],
])('completes %s', async (_what, marked, expected) => {
  expect(await labels(marked)).toEqual(expect.arrayContaining(expected))
})

test.each([
  ['fields', 'query x { records(per_page: 20) { ‸ } }', ['results', 'total_entries']],
  ['arguments', 'query x { records(‸) { total_entries } }', ['per_page', 'filter', 'sort']],
  ['parts of an argument', 'query x { records(per_page: 20, filter: { ‸ } }', ['table', 'properties']],
  ['parts of the items of a list', 'query x { records(sort: [{ ‸', ['properties', 'id']],
  ['words of an enumeration', 'query x { records(sort: [{ id: { order: ‸', ['ASC', 'DESC']],
  ['what a mutation has', 'mutation x { ‸ }', ['record_create']],
  ['tables', 'query x { records(per_page: 20, filter: { table: { value: "‸" } }) { total_entries } }', ['dish']],
  [
    'properties',
    'query x { records(per_page: 20, filter: { table: { value: "dish" } }) { results { property(name: "‸") } } }',
    ['title'],
  ],
])('completes %s in a query', async (_what, marked, expected) => {
  expect(await labels(marked, 'app/graphql/dishes.graphql')).toEqual(expect.arrayContaining(expected))
})

test('an argument that is given is not offered again', async () => {
  expect(await labels("{% render 'card', title: 'x', ‸ %}")).not.toContain('title:')
})

test.each([
  ['a variable', "{% assign soup = 'Tea' %}{{ so‸up }}", 'soup: text'],
  ['what has fields', `${FOUND}{{ fou‸nd.records }}`, 'found: hash { records'],
  ['a field', `${FOUND}{% for dish in found.records.results %}{{ dish.ti‸tle }}{% endfor %}`, 'title: text'],
  ['a filter', "{{ 'a' | upc‸ase }}", '| upcase'],
  ['a tag', '{% assi‸gn a = 1 %}', 'Sets a variable'],
  ['a partial', "{% render 'ca‸rd', title: 'x' %}", '`title`: '],
  ['a query', "{% graphql x = 'dis‸hes', page: 1 %}", 'reads records'],
  ['a translation', "{{ 'hel‸lo' | t }}", 'en: Hello'],
  ['a setting', '---\nlay‸out: plain\n---\n', '`layout`: '],
])('says what %s is', async (_what, marked, expected) => {
  const { workspace, path, offset } = await at(marked)
  expect(hoverAt(workspace, path, offset)?.text).toContain(expected)
})
