/** Names that are misspelled at their declaration or use: the error is reported once, at the spelling that occurs nowhere else. */
import { describe, expect, it } from 'vitest'
import { diagnosticsOf } from '../../../support/compiler/change.ts'
import { type Files, PAGE } from '../../../support/compiler/check.ts'

const SHOW = 'app/views/pages/boats/show.liquid'
const QUERY = 'app/graphql/boats.graphql'
const TABLE = 'app/schema/boat.yml'
const LAYOUT = 'app/views/layouts/application.liquid'
const ASKED = 'app/graphql/asked.graphql'
const OFFER = 'app/lib/offer.liquid'
const BERTH = 'app/views/partials/berth.liquid'
const GUARD = 'app/views/partials/guard.liquid'
const EN = 'app/translations/en.yml'
const DE = 'app/translations/de.yml'
const KEEP = 'app/views/pages/keep.liquid'
const FORM = 'app/forms/boat.liquid'

const SITE: Files = {
  'app/config.yml': 'slug_exact_match: true\n',
  [TABLE]: 'name: boat\nproperties:\n  - name: title\n  - name: berths\n    type: integer\n',
  [QUERY]:
    'query boats($id: ID) {\n  records(per_page: 2, filter: { table: { value: "boat" }, id: { value: $id } }) {\n    results {\n      id\n      title: property(name: "title")\n      berths: property_int(name: "berths")\n    }\n  }\n}\n',
  [ASKED]:
    'query asked($berths: Int) {\n  records(\n    per_page: 1\n    filter: { table: { value: "boat" }, properties: [\n      { name: "berths", value_int: $berths }\n    ] }\n  ) {\n    total_entries\n  }\n}\n',
  [OFFER]:
    '{% doc %}\n  @param {number} nights\n{% enddoc %}\n{% liquid\n  assign sum = nights | times: 12\n  return { "total": sum, "nights": nights }\n%}',
  [EN]: 'en:\n  boats:\n    berth: Berth %{number}, %{wide}\n    title: Boats\n',
  [DE]: 'de:\n  boats:\n    berth: Platz %{number}, %{wide}\n    title: Boote\n',
  [BERTH]:
    '<li class="berth" id="berth">{{ \'boats.berth\' | t: number: number, wide: \'2\' }}{% if wide %}<b>wide</b>{% endif %}</li>',
  [GUARD]: '{% unless boat %}<p>None</p>{% endunless %}',
  [LAYOUT]: "<title>{% yield 'head', default: 'Boats' %}</title>\n{{ content_for_layout }}\n{% yield 'aside' %}",
  [SHOW]: `---
slug: boats/:number
metadata:
  title: Boats
---
{% content_for 'head' %}{{ context.page.metadata.title }}{% endcontent_for %}
{% content_for 'aside' %}{{ 'boats.title' | t }}{% endcontent_for %}
{% graphql g = 'boats', id: context.params.number %}
{% assign boat = g.records.results | first %}
{% include 'guard' %}
{{ boat.title }} {{ boat.berths }}
{% function offer = 'offer', nights: boat.berths %}{{ offer.total }} {{ offer.total | divided_by: offer.nights }}
<div class="wide">
  <ul>{% render 'berth', number: boat.berths, wide: true %}</ul>
  <p>{{ context.session.basket }}</p>
</div>
<h1>{{ boat.title }}</h1>
`,
  [PAGE]: `---
slug: boats/:number/berths
---
{% graphql g = 'boats', id: context.params.number %}
{% for boat in g.records.results %}
{{ boat.title }}{% render 'berth', number: boat.berths, wide: false %}
{% endfor %}
{% content_for 'head' %}{{ context.params.number }}{% endcontent_for %}
{% content_for 'aside' %}{{ 'boats.title' | t }}{% endcontent_for %}
{{ context.session.basket }}{% include_form 'boat' %}{% graphql a = 'asked', berths: 2 %}{{ a.records.total_entries }}
`,
  [KEEP]: "---\nslug: keep\nmethod: post\n---\n{% session basket = context.params.boat %}{% redirect_to '/boats/1' %}",
  [FORM]:
    '---\nname: boat\nresource: boat\nfields:\n  properties:\n    title:\n    berths:\n---\n{% form %}<input name="{{ form.fields.properties.title.name }}"><input name="{{ form.fields.properties.berths.name }}">{% endform %}',
}

type Row = readonly [what: string, file: string, from: string, to: string, told: string]

const ROWS: readonly Row[] = [
  ['a property of a table', TABLE, 'name: berths', 'name: berhts', `unknown-form-field ${TABLE} 4`],
  ['an alias of a query', QUERY, 'berths: property', 'berhts: property', `unknown-field ${QUERY} 6`],
  ['a field where it is read', SHOW, '{{ boat.berths', '{{ boat.berhts', `unknown-field ${SHOW} 11`],
  ['a key of what a function returns', OFFER, '"total"', '"totla"', `unknown-property ${OFFER} 6`],
  ['a key where it is read', SHOW, 'offer.total', 'offer.totla', `unknown-property ${SHOW} 12`],
  ['a documented parameter', OFFER, '} nights', '} nihgts', `missing-doc-param ${OFFER} 2`],
  ['a part of a route', SHOW, ':number', ':nubmer', `unknown-parameter ${SHOW} 2`],
  ['a parameter where it is read', SHOW, 'params.number', 'params.nubmer', `unknown-parameter ${SHOW} 8`],
  ['a field of the session', KEEP, 'session basket', 'session bsaket', `unwritten-value ${KEEP} 5`],
  ['a variable of a query', QUERY, 'boats($id', 'boats($idd', `graphql-invalid ${QUERY} 1`],
  ['a key of another type', ASKED, 'value_int', 'value_float', `query-variable-type ${ASKED} 5`],
  ['a type of a variable', ASKED, '$berths: Int', '$berths: String', `query-variable-type ${ASKED} 1`],
  ['a place in one language', EN, '%{wide}', '%{wdie}', `unmatched-placeholder ${EN} 3`],
  ['a place in the other language', DE, '%{wide}', '%{wid}', `unmatched-placeholder ${DE} 3`],
  ['a key of the other language', DE, 'title:', 'titel:', `unmatched-translation ${DE} 4`],
  ['a block that is printed', LAYOUT, "'head'", "'haed'", `yield-without-content ${LAYOUT} 1`],
  ['a block that is filled', SHOW, "'head'", "'haed'", `content-without-yield ${SHOW} 6`],
  [
    'the page in a layout',
    LAYOUT,
    '{{ content_for_layout',
    '{{ contnet_for_layout',
    `missing-content-for-layout ${LAYOUT} 2`,
  ],
  [
    'the page in a layout, without a brace',
    LAYOUT,
    '{{ content',
    '{ content',
    `missing-content-for-layout ${LAYOUT} 2`,
  ],
  ['a name that a partial is given', BERTH, 'if wide', 'if wdie', `undefined-variable ${BERTH} 1`],
  ['a name that an include shares', GUARD, 'unless boat', 'unless bot', `undefined-variable ${GUARD} 1`],
  ['a part of the page', SHOW, 'page.metadata', 'page.metdata', `misspelt-field ${SHOW} 6`],
  ['a key of the metadata', SHOW, 'metadata.title', 'metadata.titel', `misspelt-field ${SHOW} 6`],
  ['a quote before another attribute', BERTH, '"berth" id', '"berth id', `unclosed-attribute ${BERTH} 1`],
  ['a tag that an output follows', SHOW, '<h1>', '<h1', `unclosed-start-tag ${SHOW} 17`],
  ['an element, by its lines', SHOW, '<ul>', '<div>\n  <ul>', `unclosed-html ${SHOW} 14`],
]

const findErrors = (files: Files) => diagnosticsOf(files).filter(({ severity }) => severity !== 'info')

describe('a name that is misspelt on one side is told there', () => {
  it('and nothing of a site without one', () => expect(findErrors(SITE)).toEqual([]))

  it.each(ROWS)('%s', (_what, file, from, to, expected) => {
    const text = SITE[file] ?? ''
    expect(text).toContain(from)
    const files = { ...SITE, [file]: text.replace(from, to) }
    const told = findErrors(files).map(({ code, span }) => {
      const lines = (files[span.file] ?? '').slice(0, span.start).split('\n').length
      return `${code} ${span.file} ${lines}`
    })
    expect(told).toEqual([expected])
  })

  it('and not at a table whose property a query misspells together with its alias', () => {
    const query =
      'query { records(per_page: 1, filter: { table: { value: "book" } }) { results { titel: property(name: "titel") } } }'
    const files = {
      'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n',
      'app/graphql/books.graphql': query,
      [SHOW]: "{% graphql g = 'books' %}{{ g.records }}",
    }
    expect(findErrors(files).map(({ code, span }) => [code, span.file])).toEqual([
      ['unknown-table-property', 'app/graphql/books.graphql'],
    ])
  })
})
