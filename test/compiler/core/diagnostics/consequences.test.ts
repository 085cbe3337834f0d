/** One error causes one message, in a larger site. There is a row for each rule that hides consequences of another error. */
import { describe, expect, it } from 'vitest'
import { BOAT, BOATS, CHANGE, EDIT, FIRST, MENU, RENAME, SHOW } from '../../../support/compiler/boat-site.ts'
import { diagnosticsOf } from '../../../support/compiler/change.ts'
import { type Files, PAGE } from '../../../support/compiler/check.ts'

const HARBOUR = 'app/views/pages/harbour.liquid'
const MOORING = 'app/views/pages/mooring.liquid'
const PIERS = 'app/views/pages/piers.liquid'
const TO_RENAME = 'app/views/pages/boats/to_rename.liquid'
const LAYOUT = 'app/views/layouts/application.liquid'
const QUAY = 'app/views/partials/quay.liquid'
const FRAME = 'app/views/partials/frame.liquid'
const BOARD = 'app/views/partials/board.liquid'
const SIGN = 'app/views/partials/sign.liquid'
const RENAMER = 'app/views/partials/renamer.liquid'
const BERTHS = 'app/graphql/berths.graphql'
const LIGHT = 'app/views/pages/piers/light.liquid'
const LANDINGS = 'app/schema/landings.yml'
const EN = 'app/translations/en/piers.yml'

/** A site with partials that pass on their arguments, content blocks, fragments and exports. */
const SITE: Files = {
  ...BOATS,
  'app/config.yml': 'slug_exact_match: true\nstring_interpolation: true\n',
  [LAYOUT]: "<html><body>{% yield 'side' %}{{ content_for_layout }}</body></html>",
  [HARBOUR]: `---
slug: harbour
---
{% assign dock = context.params.dock %}
{% assign pier = context.params.pier %}
{% include 'quay' %}
{% assign shown = { "pier": pier, "count": 3 } %}
{% export shown, namespace: 'harbour' %}
{{ context.exports.harbour.shown.count }}
{% graphql g = 'berths' %}
{% for boat in g.boats.results %}
  {% if boat.berths > 2 %}<i>{{ boat.title }}</i>{% endif %}
  {% render 'frame', boat: boat, size: 3 %}
  {% render 'board', size: 2 %}
{% endfor %}
{% content_for 'side' %}<b>{{ pier }}</b>{% endcontent_for %}
`,
  [QUAY]: '<i>{{ dock }}</i>',
  [FRAME]: `{% doc %}
  @param {object} boat
  @param {number} size
{% enddoc %}
{% render 'sign', boat: boat, size: size %}`,
  [BOARD]: "{% render 'tally', size: size %}",
  'app/views/partials/tally.liquid': `{% doc %}
  @param {number} size
{% enddoc %}
{{ size | plus: 1 }}{% if size > 2 %}many{% endif %}`,
  [SIGN]: `{% doc %}
  @param {object} boat
  @param {number} size
{% enddoc %}
{{ boat.title }} {{ size | plus: 1 }}`,
  [MOORING]: `---
slug: mooring
---
{% assign pier = context.params.pier %}
{% render 'flag', kind: pier %}
{% graphql g = 'berths' %}
{% for boat in g.boats.results %}{% render 'plate', boat: boat %}{% endfor %}
`,
  'app/views/partials/flag.liquid': '<b>{{ kind }}</b>',
  'app/views/partials/plate.liquid': '<i>{{ boat.title }}</i>',
  [PIERS]: '---\nslug: piers\n---\n<a href="/piers/1">one</a>',
  'app/views/pages/piers/show.liquid': `---
slug: piers/:pier_id
---
<a href="/piers">all</a> {{ 'piers.' | append: context.params.pier_id | t }}
{% graphql g = 'depths' %}
{% for pier in g.piers.results %}{{ pier.depth }}{% endfor %}`,
  'app/views/pages/boats/again.liquid': `---
slug: boats/again
method: post
authorization_policies:
  - signed_in
---
{% render 'renamer', id: context.params.id, title: 'x' %}`,
  [RENAMER]: "{% graphql done = 'rename', id: id, title: title %}{{ done.boat.id }}",
  [TO_RENAME]: `---
slug: boats/rename
---
<form action="/boats/rename" method="post"><input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}"></form>`,
  [BERTHS]: `query berths {
  boats: records(per_page: 20, filter: { table: { value: "boat" } }) {
    results { ...parts }
  }
}

fragment parts on Record {
  title: property(name: "title")
  berths: property_int(name: "berths")
}
`,
  [LANDINGS]: 'name: pier\nproperties:\n  - name: depth\n    type: integer\n  - name: lit\n    type: boolean\n',
  'app/graphql/light.graphql': `mutation light($id: ID!) {
  pier: record_update(id: $id, record: { table: "pier", properties: [{ name: "lit", value_boolean: true }] }) {
    id
  }
}
`,
  [LIGHT]: `---
slug: piers/light
method: post
authorization_policies:
  - signed_in
---
{% graphql done = 'light', id: context.params.id %}{{ done.pier.id }}`,
  'app/graphql/depths.graphql': `query depths {
  piers: records(per_page: 20, filter: { table: { value: "pier" } }) {
    results { depth: property_int(name: "depth") }
  }
}
`,
  [EN]: 'en:\n  piers:\n    north: North\n    south: South\n',
  'app/translations/de/piers.yml': 'de:\n  piers:\n    north: Nord\n    south: Süd\n',
  'app/emails/told.liquid': `---
name: told
to: a@example.com
from: b@example.com
subject: Told
layout: ''
---
<p>{{ form.properties.title }}</p>`,
  [EDIT]: `---
name: boat
resource: boat
email_notifications:
  - told
fields:
  properties:
    title:
      validation: { presence: true }
    berths:
      validation: { presence: true }
---
{% form %}
  <input name="{{ form.fields.properties.title.name }}">
  {% if form.fields.properties.berths.value > 3 %}many{% endif %}
{% endform %}`,
}

type Row = readonly [what: string, file: string, from: string, to: string, told: string]

const ROWS: readonly Row[] = [
  // Names.
  [
    'a variable that only an `else if` reads',
    SHOW,
    '{% if boat == nil %}\n  {% response_status 404 %}\n{% else %}',
    '{% assign far = context.params.far %}{% if boat == nil %}\n  {% response_status 404 %}\n{% else if far %}',
    `else-if ${SHOW} 7`,
  ],
  [
    'a function that returns nothing of what it finds',
    FIRST,
    '  if boat\n    return boat\n  endif\n  return null\n',
    '',
    `function-without-return ${SHOW} 4`,
  ],
  ['a variable that an included partial reads by another name', QUAY, 'dock', 'dokc', `undefined-variable ${QUAY} 1`],
  [
    'a variable that is set by another name for an included partial',
    HARBOUR,
    'assign dock',
    'assign dokc',
    `unused-assign ${HARBOUR} 4`,
  ],
  ['an export by another name', HARBOUR, 'export shown', 'export shwon', `undefined-variable ${HARBOUR} 8`],
  [
    'a variable without a value, which is set by another name',
    PAGE,
    '{% for boat',
    '{% assign lead = nil %}{% assign leda = g.boats.results | first %}{{ lead.title }}{% for boat',
    `unused-assign ${PAGE} 3`,
  ],
  [
    'a variable whose call has an equals sign',
    SHOW,
    "{% if boat == nil %}\n  {% response_status 404 %}\n{% else %}\n  {% render 'card', boat: boat, tone: 'wide'",
    "{% assign hue = context.params.hue %}{% if boat == nil %}\n  {% response_status 404 %}\n{% else %}\n  {% render 'card', boat: boat, tone = hue",
    `stray-markup ${SHOW} 8`,
  ],
  // Calls.
  ['a value as another language prints it', MENU, '{{ label }}', '<%= label %>', `foreign-markup ${MENU} 1`],
  ['the name of a tag twice', PAGE, "{% render 'menu'", "{% render render 'menu'", `dynamic-render-name ${PAGE} 10`],
  ['a text for an object, which is handed on', HARBOUR, 'boat: boat', "boat: 'boat'", `argument-type ${HARBOUR} 13`],
  ['a text for a number, which is counted with', HARBOUR, 'size: 2', "size: 'two'", `argument-type ${BOARD} 1`],
  [
    'a key before an argument',
    SHOW,
    "boat: boat, tone: 'wide'",
    "boat: boat: tone: 'wide'",
    `nested-argument ${SHOW} 8`,
  ],
  ['a call that goes on into the next line', HARBOUR, 'size: 3 %}', 'size: 3', `unclosed-delimiter ${HARBOUR} 13`],
  ['a query whose quote is missing', CHANGE, "'rename', id", "'rename, id", `missing-query ${CHANGE} 7`],
  ['a query of a partial that is not given a variable', RENAMER, ', title: title', '', `missing-variable ${RENAMER} 1`],
  [
    'a filter without its argument, whose result is asked for',
    PAGE,
    '{% for boat',
    '{% assign n = g.boats.total_entries | divided_by %}{% if n %}x{% endif %}{% for boat',
    `filter-arity ${PAGE} 3`,
  ],
  [
    'a list that is handed on by the name of one element',
    MOORING,
    '{% for boat in g.boats.results %}',
    '{% assign boat = g.boats.results %}{{ boat.title }}{% for n in (1..2) %}',
    `list-as-object ${MOORING} 7`,
  ],
  ['a name with a value in it', MOORING, "render 'flag'", "render 'flag-{{ pier }}'", `missing-partial ${MOORING} 5`],
  ['a query that is called as a function', LIGHT, 'graphql done', 'function done', `missing-partial ${LIGHT} 7`],
  // Blocks and delimiters.
  [
    'a condition that cannot be read, of a block without an end',
    MOORING,
    '{% graphql g',
    '{% if pier "{{ pier }}-hint" %}{% graphql g',
    `broken-interpolation ${MOORING} 6`,
  ],
  [
    'a block of plain text in a loop',
    PAGE,
    '  {% if boat.berths',
    '  {% raw %}{% if boat.berths',
    `unclosed-tag ${PAGE} 6`,
  ],
  [
    'a branch in the place of a block',
    HARBOUR,
    "{% content_for 'side' %}<b>",
    '{% else %}<b>',
    `stray-branch ${HARBOUR} 16`,
  ],
  [
    'two ends in the wrong order',
    PAGE,
    '  {% endif %}\n{% endfor %}',
    '  {% endfor %}\n{% endif %}',
    `mismatched-end ${PAGE} 8`,
  ],
  ['an end of another language', PAGE, '{% endfor %}', '{% wend %}', `unknown-tag ${PAGE} 9`],
  [
    'an output and a tag without their ends',
    PAGE,
    '    <i>{{ boat.title }}</i>\n  {% endif %}',
    '    <i>{{ boat.title }</i>\n  {% endif',
    `unclosed-delimiter ${PAGE} 7`,
  ],
  [
    'an output that goes on over the end of an element',
    PAGE,
    '<i>{{ boat.title }}</i>',
    '<div>{{ boat.title\n</div>\n<p>{{ boat.title }}</p>',
    `unclosed-delimiter ${PAGE} 7`,
  ],
  [
    'a filter with a comma, whose end is missing',
    SHOW,
    "{{ 'boats.title' | t }}",
    "{{ 'boats.title' | t, {{ boat.title }}",
    `unclosed-delimiter ${SHOW} 12`,
  ],
  ['a layout whose tag is never closed', LAYOUT, "{% yield 'side' %}", "{{ 'side' ", `unclosed-delimiter ${LAYOUT} 1`],
  // Pages.
  [
    'settings of a page with a block of content',
    HARBOUR,
    'slug: harbour',
    "slug: 'harbour",
    `yaml-syntax ${HARBOUR} 2`,
  ],
  [
    'a page under the address of another one, which is linked',
    PIERS,
    'slug: piers',
    'slug: harbour',
    `duplicate-route ${PIERS} 2`,
  ],
  [
    'a page without its method beside one that has none',
    CHANGE,
    'method: post\n',
    '',
    `duplicate-route ${TO_RENAME} 2`,
  ],
  [
    'policies by another key',
    CHANGE,
    'authorization_policies',
    'authorisation_policies',
    `unknown-setting ${CHANGE} 4`,
  ],
  // Data, forms and translations.
  [
    'a variable of another type than its values',
    RENAME,
    '$title: String!',
    '$title: Int!',
    `query-variable-type ${RENAME} 1`,
  ],
  ['a list of which nothing is selected', BERTHS, 'results { ...parts }', 'results', `graphql-invalid ${BERTHS} 3`],
  ['a table whose properties cannot be read', LANDINGS, 'properties:', 'properties', `yaml-syntax ${LANDINGS} 2`],
  ['a table whose name cannot be read', LANDINGS, 'name: pier', 'name pier', `yaml-syntax ${LANDINGS} 1`],
  ['a type under another key', BOAT, 'type: integer', 'tpye: integer', `unknown-setting ${BOAT} 6`],
  ['a property by another name', BOAT, 'name: berths', 'name: breths', `unknown-form-field ${BOAT} 5`],
  ['a form whose fields have another key', EDIT, 'fields:', 'fieldss:', `unknown-setting ${EDIT} 6`],
  ['translations that cannot be read', EN, '    north: North', '    north North', `yaml-syntax ${EN} 3`],
]

const findErrors = (files: Files) => diagnosticsOf(files).filter(({ severity }) => severity !== 'info')

describe('what follows from a mistake is not told', () => {
  it('and nothing of a site without one', () => expect(findErrors(SITE)).toEqual([]))

  it.each(ROWS)('%s', (_what, file, from, to, expected) => {
    const text = SITE[file] ?? ''
    expect(text).toContain(from)
    const files = { ...SITE, [file]: text.replace(from, () => to) }
    const told = findErrors(files).map(({ code, span }) => {
      return `${code} ${span.file} ${(files[span.file] ?? '').slice(0, span.start).split('\n').length}`
    })
    expect(told).toEqual([expected])
  })
})
