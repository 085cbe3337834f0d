/** One error causes one message. Its consequences are not reported. */
import { describe, expect, it } from 'vitest'
import { diagnosticsOf } from '../../../support/compiler/change.ts'
import { type Files, PAGE } from '../../../support/compiler/check.ts'

const HARBOUR = 'app/views/pages/harbour.liquid'

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
  'app/views/partials/sign.liquid': '<b>{{ label }}</b><i>{{ tone }}</i>',
  'app/lib/first_of.liquid':
    '{% liquid\n  assign one = list | first\n  if one\n    return one\n  endif\n  return null\n%}',
  'app/forms/boat.liquid':
    '---\nname: boat\nresource: boat\nfields:\n  properties:\n    berths:\n      validation: { length: { maximum: 2 } }\n---\n{% form %}<input name="{{ form.fields.properties.berths.name }}">{% endform %}',
  [HARBOUR]: `---
slug: harbour/:id
---
{% assign tone = context.params.tone %}
<p class="wide">{{ context.params.id }}</p>
{% render 'sign', label: context.params.id, tone: tone %}
{% if context.params.page == '1' %}<b>{{ 'boats.title' | t }}</b>{% endif %}
{% graphql g = 'boats', berths: 3 %}
{% for boat in g.records.results %}{{ boat.title }}{% if forloop.last %}.{% endif %}{% endfor %}
{% function best = 'first_of', list: g.records.results %}{% if best %}{{ best.berths | plus: 1 }}{% endif %}
{% if g.records.total_entries > 3 %}{{ context.current_user.first_name }}{% endif %}
{% include_form 'boat' %}
{% background source_name: 'note', tone: tone %}{% log tone %}{% endbackground %}
<div><section>a</section></div>
`,
  'app/views/pages/boats/add.liquid': '---\nslug: boats\nmethod: post\n---\nadded',
  [PAGE]: `{{ 'boats.title' | t }}\n{% graphql g = 'boats', berths: 2 %}\n{% for boat in g.records.results %}\n{% render 'card', boat: boat %}\n{% endfor %}\n{% render 'pager', pages: g.records.total_entries %}\n<form action="/boats" method="post"><input type="hidden" name="authenticity_token" value="{{ context.authenticity_token }}"></form>`,
}

type Row = readonly [what: string, file: string, from: string, to: string, code: string, line: number]

const SHOW = 'app/views/pages/boats/show.liquid'
const CARD = 'app/views/partials/card.liquid'
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
  ['a property that its table calls otherwise', 'app/schema/boat.yml', 'title', 'titel', 'unknown-table-property', 3],
  ['properties that a table calls otherwise', 'app/schema/boat.yml', 'properties', 'propertees', 'unknown-setting', 2],
  ['a field that a query calls otherwise', QUERY, 'title: property', 'titel: property', 'unknown-field', 11],
  ['a list of which one element is meant', SHOW, ' | first', '', 'list-as-object', 5],
  ['a method that is none', 'app/views/pages/boats/add.liquid', 'post', 'psot', 'setting-value', 3],
  ['a key for the method that is none', 'app/views/pages/boats/add.liquid', 'method', 'metod', 'unknown-setting', 3],
  ['settings that never end', 'app/views/pages/boats/add.liquid', '---\nadded', '\nadded', 'front-matter-unclosed', 1],
  ['a key that one language spells otherwise', 'app/translations/en.yml', 'title', 'titel', 'unmatched-translation', 3],
  ['a form of a number that is misspelt', 'app/translations/de.yml', 'one', 'oen', 'unmatched-translation', 5],
  ['a locale that is none', 'app/translations/de.yml', 'de:', 'dee:', 'translation-locale', 1],
  ['a line that is indented by one too many', 'app/translations/de.yml', '    night:', '     night:', 'yaml-syntax', 4],
  ['a part of the route that the page calls otherwise', SHOW, 'boats/:id', 'boats/:ids', 'unknown-parameter', 2],
  [
    'a name that the callers of a partial call otherwise',
    'app/views/partials/pager.liquid',
    'if pages',
    'if pags',
    'undefined-variable',
    1,
  ],
  ['a name of a query whose quote is missing', SHOW, "'boats', id", "'boats, id", 'unclosed-string', 4],
  ['a comma that is missing between arguments', HARBOUR, 'id, tone: tone %}', 'id tone: tone %}', 'missing-comma', 6],
  ['a comma that is missing behind a name', HARBOUR, "'sign', ", "'sign' ", 'missing-comma', 6],
  ['an argument without its colon', HARBOUR, 'tone: tone %}\n{% if', 'tone tone %}\n{% if', 'stray-markup', 6],
  ['an argument with an equals sign', HARBOUR, 'berths: 3', 'berths=3', 'stray-markup', 8],
  ['a name whose first quote is missing', HARBOUR, "'first_of'", "first_of'", 'stray-markup', 10],
  ['a name without quotes', HARBOUR, "= 'boats'", '= boats/all', 'stray-markup', 8],
  ['a value of an attribute without its second quote', HARBOUR, '"wide">', '"wide>', 'unclosed-attribute', 5],
  ['an end tag of another element', HARBOUR, '</section>', '</div>', 'unclosed-html', 14],
  ['ends of two elements in the wrong order', HARBOUR, '</section></div>', '</div></section>', 'unclosed-html', 14],
  ['an end tag without its slash', HARBOUR, '</section>', '<section>', 'unclosed-html', 14],
  ['a tag without its end', HARBOUR, '"wide">', '"wide"', 'unclosed-start-tag', 5],
  [
    'a bracket in a line that is never closed',
    'app/lib/first_of.liquid',
    'assign one = list | first',
    'assign one = [list',
    'assign-syntax',
    2,
  ],
  ['a branch without the end of the block in it', PAGE, '{% for boat', '{% if boat %}{% for boat', 'unclosed-tag', 3],
  [
    'a second `else`',
    'app/lib/first_of.liquid',
    '    return one\n',
    '  else\n    return one\n  else\n',
    'unreachable-code',
    6,
  ],
  [
    'a form that misspells what it has',
    'app/forms/boat.liquid',
    '{% form %}',
    '{% form %}{{ frm.id }}',
    'undefined-variable',
    9,
  ],
  [
    'a constant of another language',
    'app/views/partials/sign.liquid',
    '{{ label }}',
    '{{ label | default: None }}',
    'undefined-variable',
    1,
  ],
  ['a brace that is missing before a value', HARBOUR, '{{ boat.title', '{ boat.title', 'foreign-markup', 9],
  ['a brace that is missing before a text', HARBOUR, "{{ 'boats", "{ 'boats", 'foreign-markup', 7],
  ['a parameter that is compared with a number', HARBOUR, "== '1'", '== 1', 'impossible-comparison', 7],
  ['a parameter that is ordered with a number', HARBOUR, "== '1'", '> 1', 'impossible-order', 7],
  ['a number that is ordered with a text', HARBOUR, '> 3', "> '3'", 'impossible-order', 11],
  ['a loop over a number', HARBOUR, 'in g.records.results', 'in g.records.total_entries', 'tag-argument-type', 9],
  [
    'a filter of texts for a list',
    HARBOUR,
    '{% for',
    '{{ g.records.results | upcase }}{% for',
    'filter-argument-type',
    9,
  ],
  ['a sum with a text', HARBOUR, 'best.berths |', "'apples' |", 'filter-argument-type', 10],
  ['a misspelt field of the user', HARBOUR, 'first_name', 'first_nmae', 'unknown-property', 11],
  ['a misspelt field of a loop in a condition', HARBOUR, 'forloop.last', 'forloop.lst', 'unknown-property', 9],
  ['a block that is not given a variable', HARBOUR, "'note', tone: tone", "'note'", 'unpassed-variable', 13],
  ['a misspelt option of a rule', 'app/forms/boat.liquid', 'maximum', 'maxmum', 'unknown-validation-option', 7],
  ['a block in lines that never ends', 'app/lib/first_of.liquid', '  endif\n', '', 'unclosed-tag', 3],
  ['a bracket of arguments that is never closed', QUERY, '(name: "title")', '(name: "title"', 'graphql-syntax', 11],
  ['a variable that nothing uses', QUERY, '($id', '($word: String, $id', 'unused-variable', 1],
  ['a parameter that its documentation spells otherwise', CARD, '} boat', '} baot', 'missing-doc-param', 2],
  ['a value of another type for a documented parameter', SHOW, 'boat: boat', "boat: 'x'", 'argument-type', 7],
  ['a quote of a translation that is never closed', 'app/translations/en.yml', ': Boats', ': "Boats', 'yaml-syntax', 3],
  ['a colon of a translation that is missing', 'app/translations/en.yml', 'one: night', 'one night', 'yaml-syntax', 5],
  ['a partial that calls itself', CARD, '<b>', "{% render 'card', boat: boat %}<b>", 'recursive-partial', 4],
  ['a number in the place of a text', PAGE, 'berths: 2', "berths: 'x'", 'variable-type', 2],
]

const findErrors = (files: Files) => diagnosticsOf(files).filter(({ severity }) => severity !== 'info')

describe('a mistake is told once, where it is', () => {
  it('and nothing of a site without one', () => expect(findErrors(SITE)).toEqual([]))

  it.each(ROWS)('%s', (_what, file, from, to, code, line) => {
    const text = SITE[file] ?? ''
    expect(text).toContain(from)
    const files = { ...SITE, [file]: text.replace(from, to) }
    const told = findErrors(files).map((each) => {
      const lines = (files[each.span.file] ?? '').slice(0, each.span.start).split('\n').length
      return `${each.code} ${each.span.file === file ? lines : 'elsewhere'}`
    })
    expect(told).toEqual([`${code} ${line}`])
  })
})
