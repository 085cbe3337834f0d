/** One mistake, one message: what follows from it is not told as well. */
import { describe, expect, it } from 'vitest'
import { diagnosticsOf } from './change-support.ts'
import { type Files, PAGE } from './check-support.ts'

const SITE: Files = {
  'app/config.yml': 'slug_exact_match: true\n',
  'app/schema/boat.yml': 'name: boat\nproperties:\n  - name: title\n  - name: berths\n    type: integer\n',
  'app/graphql/boats.graphql': `query boats($id: ID, $berths: Int) {
  records(
    per_page: 20
    filter: {
      table: { value: "boat" }
      id: { value: $id }
      properties: [{ name: "berths", value_int: $berths }]
    }
  ) {
    total_entries
    results { id title: property(name: "title") berths: property_int(name: "berths") }
  }
}
`,
  'app/translations/en.yml': 'en:\n  boats:\n    title: Boats\n    night:\n      one: night\n      other: nights\n',
  'app/translations/de.yml': 'de:\n  boats:\n    title: Boote\n    night:\n      one: Nacht\n      other: Nächte\n',
  'app/views/partials/pager.liquid': '{% if pages > 1 %}{% for n in (1..pages) %}{{ n }}{% endfor %}{% endif %}',
  'app/views/partials/card.liquid': '{% doc %}\n  @param {object} boat\n{% enddoc %}\n<b>{{ boat.title }}</b>',
  'app/views/pages/boats/show.liquid':
    "---\nslug: boats/:id\n---\n{% graphql g = 'boats', id: context.params.id %}\n{% assign boat = g.records.results | first %}\n{{ boat.title }} {{ boat.berths }}\n{% render 'card', boat: boat %}\n{{ 'boats.night' | t: count: 2 }}",
  'app/views/pages/boats/add.liquid': '---\nslug: boats\nmethod: post\n---\nadded',
  [PAGE]: `{{ 'boats.title' | t }}\n{% graphql g = 'boats', berths: 2 %}\n{% for boat in g.records.results %}\n{% render 'card', boat: boat %}\n{% endfor %}\n{% render 'pager', pages: g.records.total_entries %}\n<form action="/boats" method="post"><input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}"></form>`,
}

type Row = readonly [what: string, file: string, from: string, to: string, code: string, line: number]

const SHOW = 'app/views/pages/boats/show.liquid'
const QUERY = 'app/graphql/boats.graphql'

const ROWS: readonly Row[] = [
  ['an end tag that is misspelt', PAGE, 'endfor', 'enfor', 'mismatched-end', 5],
  ['an end tag with two letters swapped', 'app/views/partials/pager.liquid', 'endif', 'enidf', 'mismatched-end', 1],
  ['an end tag whose brace is missing', PAGE, '{% endfor %}', '{% endfor %', 'unclosed-delimiter', 5],
  [
    'an end of documentation whose sign is missing',
    'app/views/partials/card.liquid',
    'enddoc %}',
    'enddoc }',
    'unclosed-delimiter',
    3,
  ],
  ['a bracket that is never closed', QUERY, '$berths }]', '$berths }', 'graphql-syntax', 7],
  ['a brace that is never closed', QUERY, '"boat" }', '"boat"', 'graphql-syntax', 8],
  ['a property that its table calls otherwise', 'app/schema/boat.yml', 'title', 'titel', 'unknown-table-property', 1],
  ['properties that a table calls otherwise', 'app/schema/boat.yml', 'properties', 'propertees', 'unknown-setting', 2],
  ['a field that a query calls otherwise', QUERY, 'title: property', 'titel: property', 'unknown-field', 1],
  ['a list of which one element is meant', SHOW, ' | first', '', 'list-as-object', 5],
  ['a method that is none', 'app/views/pages/boats/add.liquid', 'post', 'psot', 'setting-value', 3],
  ['a key for the method that is none', 'app/views/pages/boats/add.liquid', 'method', 'metod', 'unknown-setting', 3],
  ['settings that never end', 'app/views/pages/boats/add.liquid', '---\nadded', '\nadded', 'front-matter-unclosed', 1],
  ['a key that one language spells otherwise', 'app/translations/en.yml', 'title', 'titel', 'unmatched-translation', 3],
  ['a form of a number that is misspelt', 'app/translations/de.yml', 'one', 'oen', 'unmatched-translation', 5],
  ['a locale that is none', 'app/translations/de.yml', 'de:', 'dee:', 'translation-locale', 1],
  ['a line that is indented by one too many', 'app/translations/de.yml', '    night:', '     night:', 'yaml-syntax', 4],
  ['a part of the route that the page calls otherwise', SHOW, 'boats/:id', 'boats/:ids', 'unknown-parameter', 4],
  [
    'a name that the callers of a partial call otherwise',
    'app/views/partials/pager.liquid',
    'if pages',
    'if pags',
    'undefined-variable',
    1,
  ],
  ['a name of a query whose quote is missing', SHOW, "'boats', id", "'boats, id", 'unclosed-string', 4],
  ['a number in the place of a text', PAGE, 'berths: 2', "berths: 'x'", 'variable-type', 2],
]

const found = (files: Files) => diagnosticsOf(files).filter(({ severity }) => severity !== 'info')

describe('a mistake is told once, where it is', () => {
  it('and nothing of a site without one', () => expect(found(SITE)).toEqual([]))

  it.each(ROWS)('%s', (_what, file, from, to, code, line) => {
    const text = SITE[file] ?? ''
    expect(text).toContain(from)
    const files = { ...SITE, [file]: text.replace(from, to) }
    const told = found(files).map((each) => {
      const lines = (files[each.span.file] ?? '').slice(0, each.span.start).split('\n').length
      return `${each.code} ${each.span.file === file ? lines : 'elsewhere'}`
    })
    const elsewhere = code === 'unknown-table-property' || code === 'unknown-field'
    expect(told).toEqual([`${code} ${elsewhere ? 'elsewhere' : line}`])
  })
})
