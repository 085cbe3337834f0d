/** One error causes one message: for block ends, calls, queries, translations and HTML, and for the consequences of errors in them. */
import { describe, expect, it } from 'vitest'
import {
  BOATS as SITE,
  BOAT,
  CARD,
  CHANGE,
  DE,
  EN,
  FIRST,
  LIST,
  MENU,
  QUERY,
  RENAME,
  SHOW,
} from '../../../support/compiler/boat-site.ts'
import { applyFix, diagnosticsOf, fixFor } from '../../../support/compiler/change.ts'
import { type Files, PAGE } from '../../../support/compiler/check.ts'

type Row = readonly [what: string, file: string, from: string, to: string, code: string, line: number]

const ROWS: readonly Row[] = [
  // Ends of blocks.
  ['an end of the block around', PAGE, '<hr>{% endunless %}', '<hr>{% endfor %}', 'mismatched-end', 4],
  ['an end of the block around, on a line of its own', PAGE, '  {% endif %}', '  {% endfor %}', 'mismatched-end', 8],
  ['an end whose first letter is another one', PAGE, '{% endif %}', '{% rndif %}', 'mismatched-end', 8],
  ['a tag in another order of its letters', PAGE, '{% if boat', '{% fi boat', 'unknown-tag', 6],
  ['a block that something of its line stands in', PAGE, '  {% render', '  {% if boat %}{% render', 'unclosed-tag', 5],
  ['an end too many before a branch', SHOW, '404 %}', '404 %}{% endif %}', 'mismatched-end', 6],
  [
    'a loop without its end around a query',
    PAGE,
    "{% render 'menu'",
    "{% for n in (1..2) %}{% graphql h = 'boats' %}{{ h }}{% render 'menu'",
    'unclosed-tag',
    10,
  ],
  // Calls.
  ['an argument without its name', SHOW, 'boat: boat,', 'boat,', 'missing-argument', 8],
  ['an argument whose name stands in quotes', SHOW, 'boat: boat,', "'boat': boat,", 'missing-argument', 8],
  [
    'an argument without its name for a partial that declares none',
    PAGE,
    "label: 'Home'",
    "'Home'",
    'stray-markup',
    10,
  ],
  ['two commas between arguments', SHOW, 'boat: boat, tone', 'boat: boat,, tone', 'stray-markup', 8],
  ['two commas behind a name', PAGE, "'menu', label", "'menu', , label", 'stray-markup', 10],
  ['two commas before the arguments of a query', PAGE, "'boats' %}", "'boats',, id: '1' %}", 'stray-markup', 1],
  ['two commas of a cycle', PAGE, '<hr>', "{% cycle 'a',, 'b' %}", 'stray-markup', 4],
  ['two commas of a loop', PAGE, 'results %}', 'results limit: 3,, offset: 1 %}', 'stray-markup', 3],
  [
    'two commas between arguments of a filter',
    SHOW,
    'boat.berths }} {{',
    "boat.berths }} {{ 'a, b,, c' | replace: ',,',, ',' }} {{",
    'filter-name-syntax',
    9,
  ],
  [
    'two commas in a list',
    PAGE,
    '{% for boat',
    '{% assign all = [1,, 2] %}{{ all | join }}{% for boat',
    'assign-syntax',
    3,
  ],
  [
    'a condition that stands there already',
    SHOW,
    '{% else %}',
    '{% elsif boat == nil %}x{% else %}',
    'constant-condition',
    7,
  ],
  // Data.
  [
    'a change in a loop of a page that is looked at',
    PAGE,
    "  {% render 'card'",
    "  {% graphql done = 'rename', id: boat.id, title: 'x' %}{{ done.boat.id }}\n  {% render 'card'",
    'change-on-get',
    5,
  ],
  [
    'a change behind a redirect in a loop',
    PAGE,
    "  {% render 'card'",
    "  {% redirect_to '/' %}{% graphql done = 'rename', id: boat.id, title: 'x' %}{{ done.boat.id }}\n  {% render 'card'",
    'effect-after-redirect',
    5,
  ],
  ['a mutation that is called a query', RENAME, 'mutation', 'query', 'graphql-invalid', 1],
  ['a query that is called a mutation', QUERY, 'query boats', 'mutation boats', 'graphql-invalid', 1],
  ['a value where an object with one is taken', QUERY, 'id: { value: $id }', 'id: $id', 'query-variable-type', 2],
  ['a key of an object by another name', RENAME, 'name: "title"', 'key: "title"', 'graphql-invalid', 2],
  ['an alias that nothing reads', QUERY, 'title: property', 'tilte: property', 'unknown-field', 6],
  ['a list that a function gives for one element', FIRST, ' | first', '', 'list-as-object', 3],
  [
    'a result that is read before it is asked for',
    SHOW,
    '{% if boat == nil',
    '{{ boat.title }}{% if boat == nil',
    'nil-result',
    5,
  ],
  [
    'a part of what was set to nothing',
    PAGE,
    '{% for boat',
    '{% assign none = nil %}{{ none.title }}{% for boat',
    'no-parts',
    3,
  ],
  [
    'a write into what nothing sets',
    PAGE,
    '{% for boat',
    "{% assign none['a'] = 1 %}{{ none }}{% for boat",
    'invalid-write-target',
    3,
  ],
  [
    'a tag that is old and has another mistake',
    PAGE,
    '{% for boat',
    '{% assign h = {} %}{% hash_assign h.b = 2 %}{{ h }}{% for boat',
    'invalid-hash-assign-target',
    3,
  ],
  [
    'a comma behind the last entry of JSON',
    PAGE,
    '{% for boat',
    '{% parse_json h %}{ "a": 1, }{% endparse_json %}{{ h.a }}{% for boat',
    'invalid-json',
    3,
  ],
  ['a division by zero', SHOW, 'boat.berths }}', 'boat.berths }}{{ 3 | divided_by: 0 }}', 'filter-argument-type', 9],
  [
    'a list that is split',
    PAGE,
    '{% for boat',
    "{{ g.boats.results | split: ',' | first }}{% for boat",
    'filter-argument-type',
    3,
  ],
  ['a table whose properties have another name', BOAT, 'properties:', 'fields:', 'unknown-setting', 2],
  ['a text without quotes', PAGE, '{% for boat', '{% log hello world %}{% for boat', 'undefined-variable', 3],
  ['a block of another language', PAGE, '{% for boat', '{% while wide %}{% endwhile %}{% for boat', 'unknown-tag', 3],
  ['a second status that is none', SHOW, '404 %}', '404 %}{% response_status 999 %}', 'tag-argument-value', 6],
  ['a filter in a loop', PAGE, 'in g.boats.results', "in g.boats.results | sort: 'title'", 'invalid-loop-arguments', 3],
  // Translations.
  ['a place in two braces', EN, '%{price}', '{{ price }}', 'unused-translation-argument', 4],
  ['a place without its sign', EN, '%{price}', '{price}', 'unused-translation-argument', 4],
  ['a place with spaces', EN, '%{price}', '%{ price }', 'unused-translation-argument', 4],
  ['a place of one form of a number', EN, "'%{count} nights'", "'{count} nights'", 'unused-translation-argument', 7],
  ['a place of another language', DE, '%{price}', '{price}', 'unused-translation-argument', 4],
  [
    'a place of a number in another language',
    DE,
    "'%{count} Nacht'",
    "'{{ count }} Nacht'",
    'unused-translation-argument',
    6,
  ],
  // HTML.
  ['a second quote behind a value', SHOW, '"button"', '"button""', 'unclosed-attribute', 12],
  ['two kinds of quotes around a value', SHOW, '"button"', '"button\'', 'unclosed-attribute', 12],
  ['an end tag with a space', SHOW, '</section>', '< /section>', 'spaced-end-tag', 13],
  ['a start tag that is misspelt', SHOW, '<section', '<sectino', 'unclosed-html', 11],
  ['an end tag that is misspelt', SHOW, '</section>', '</sectino>', 'unclosed-html', 13],
  [
    'an end tag of few letters that is misspelt',
    SHOW,
    '</a>\n</section>',
    '</a><div>\n</dvi></section>',
    'unclosed-html',
    13,
  ],
  [
    'a start tag of few letters that is misspelt',
    SHOW,
    '</a>\n</section>',
    '</a><dvi>\n</div></section>',
    'unclosed-html',
    12,
  ],
  ['a value as PHP prints it', SHOW, "{{ 'boats.title' | t }}", '<?php echo $title; ?>', 'foreign-markup', 12],
  // Documentation.
  ['a parameter by another word', CARD, '@param {object}', '@parm {object}', 'unread-doc-param', 2],
  ['a parameter by a longer word', CARD, '@param {string}', '@argument {string}', 'unread-doc-param', 3],
  ['a parameter whose type has no braces', CARD, '@param {string}', '@param string', 'unread-doc-param', 3],
  // Consequences of an error.
  ['a type that is none, of a property that is written', BOAT, 'type: integer', 'type: intger', 'setting-refused', 6],
  ['an entry of a list without its dash', BOAT, '  - name: berths', '    name: berths', 'duplicate-yaml-key', 5],
  ['a dash that is missing at the place of one', BOAT, '  - name: berths', '  name: berths', 'yaml-syntax', 5],
  [
    'entries of a list without their dashes',
    BOAT,
    '  - name: title\n    type: string\n  - name: berths\n    type: integer',
    '  name: title\n  type: string\n  name: berths\n  type: integer',
    'setting-refused',
    2,
  ],
  ['a name without its dash', CHANGE, '  - signed_in', '  - signed_in\n  grown_up', 'yaml-syntax', 6],
  ['a first name without its dash', CHANGE, '  - signed_in', '  signed_in\n  - grown_up', 'missing-policy', 5],
  ['a place that is never closed', EN, '%{price}', '%{price', 'unclosed-placeholder', 4],
  ['a brace that is missing behind a text', SHOW, '| t }}</a>', '| t }</a>', 'unclosed-delimiter', 12],
  [
    'braces that are missing behind a text',
    SHOW,
    "'boats.title' | t }}",
    "'boats.title' | t",
    'unclosed-delimiter',
    12,
  ],
  [
    'a condition behind else, before another one',
    SHOW,
    '{% else %}',
    '{% else if boat.title %}x{% else %}',
    'else-if',
    7,
  ],
  [
    'a filter that lacks its argument',
    PAGE,
    '{% for boat',
    '{% assign n = g.boats.total_entries | plus %}{% if n > 1 %}x{% endif %}{% for boat',
    'filter-arity',
    3,
  ],
  ['settings that begin with two dashes', CHANGE, '---\nslug', '--\nslug', 'front-matter-unread', 1],
  [
    'a variable that a block is not given',
    PAGE,
    '{% for boat',
    "{% assign tone = 'a' %}{% background source_name: 'n' %}{% log tone %}{% endbackground %}{% for boat",
    'unpassed-variable',
    3,
  ],
  [
    'a call without what was set for it',
    PAGE,
    '{% for boat',
    "{% assign one = g.boats.results | first %}{% render 'card' %}{% for boat",
    'missing-argument',
    3,
  ],
  [
    'two answers around a change',
    PAGE,
    '{% for boat',
    "{% redirect_to '/' %}{% graphql done = 'rename', id: '1', title: 'x' %}{{ done.boat.id }}{% redirect_to '/' %}{% for boat",
    'effect-after-redirect',
    3,
  ],
  [
    'a form that goes nowhere',
    PAGE,
    '{% for boat',
    '<form action="/nowhere" method="post"></form>{% for boat',
    'missing-page',
    3,
  ],
  [
    'a quote behind a backslash',
    SHOW,
    "'boats.title' | t",
    String.raw`'boats.ti\'tle' | t`,
    'unsupported-string-escape',
    12,
  ],
  ['a query without its equals sign', PAGE, "graphql g = 'boats'", "graphql g 'boats'", 'unclosed-tag', 1],
  [
    'a list that is handed on as one element',
    PAGE,
    '{% for boat',
    "{% assign one = g.boats.results %}{% render 'card', boat: one %}{{ one.title }}{% for boat",
    'list-as-object',
    3,
  ],
  ['a page under the address of another one', LIST, 'boats/list', 'boats/:id', 'duplicate-route', 2],
  [
    'a brace that a layout lacks',
    'app/views/layouts/application.liquid',
    'layout }}',
    'layout }',
    'unclosed-delimiter',
    1,
  ],
  ['a tag without its brace', PAGE, '{% graphql', '% graphql', 'foreign-markup', 1],
  ['a text without its first quote', PAGE, "'Home'", "Home'", 'stray-markup', 10],
  ['a translation that is there twice', EN, '    nights:', '    price: From\n    nights:', 'duplicate-yaml-key', 5],
  ['an end too many in a loop', PAGE, '</i>', '</i>{% endif %}', 'mismatched-end', 7],
  ['an end of another language', PAGE, '{% endfor %}', '{% done %}', 'mismatched-end', 9],
  [
    'a choice of another language',
    PAGE,
    '{% for boat',
    "{% switch context.language %}{% when 'a' %}x{% endswitch %}{% for boat",
    'unknown-tag',
    3,
  ],
  [
    'an end too many behind another one',
    PAGE,
    '<hr>{% endunless %}',
    '<hr>{% endunless %}{% endif %}',
    'mismatched-end',
    4,
  ],
  [
    'a choice of another language with its own words',
    PAGE,
    '{% for boat',
    "{% switch context.language %}{% case 'a' %}x{% endswitch %}{% for boat",
    'unknown-tag',
    3,
  ],
  [
    'a list in round brackets',
    PAGE,
    '{% for boat',
    "{% assign x = ('a', 'b') %}{{ x[0] }}{% for boat",
    'parentheses-in-condition',
    3,
  ],
  [
    'a write of a partial into what nothing sets',
    MENU,
    '<nav>',
    "{% assign pier['a'] = 1 %}{{ pier }}<nav>",
    'invalid-write-target',
    1,
  ],
  ['a text in backticks', PAGE, '{% for boat', '{% assign x = `a` %}{{ x }}{% for boat', 'several-assign-values', 3],
  ['a change whose page lost its method', CHANGE, 'method: post\n', '', 'change-on-get', 6],
  [
    'a query that is not there, in a loop',
    PAGE,
    "  {% render 'card'",
    "  {% graphql h = 'boat' %}{{ h }}{% render 'card'",
    'missing-query',
    5,
  ],
  ['a partial whose quote is missing', SHOW, "'card', boat", "card', boat", 'stray-markup', 8],
  ['a variable of another type', QUERY, '$id: ID', '$id: Int', 'query-variable-type', 1],
  [
    'a key of a setting that is misspelt',
    'app/forms/boat.liquid',
    'resource: boat',
    'resourc: boat',
    'missing-setting',
    3,
  ],
]

/** Further errors of some rows, which are reported after the first one is fixed. */
const BEHIND: Readonly<Record<string, readonly string[]>> = {
  'a tag that is old and has another mistake': ['deprecated-tag'],
  'a translation that is there twice': ['unused-translation-argument'],
  'a query that is not there, in a loop': ['nested-query'],
}

const findErrors = (files: Files) => diagnosticsOf(files).filter(({ severity }) => severity !== 'info')

/** Returns a site with an error and its diagnostics, for both tests. */
function withMistake([, file, from, to]: Row): { readonly files: Files; readonly told: ReturnType<typeof findErrors> } {
  const key = `${file}\n${from}\n${to}`
  const files = { ...SITE, [file]: (SITE[file] ?? '').replace(from, to) }
  const known = mistakes.get(key) ?? { files, told: findErrors(files) }
  mistakes.set(key, known)
  return known
}
const mistakes = new Map<string, ReturnType<typeof withMistake>>()

describe('a mistake is told once, where it is', () => {
  it('and nothing of a site without one', () => expect(findErrors(SITE)).toEqual([]))

  it.each(ROWS)('%s', (...row) => {
    const [, file, from, , code, line] = row
    expect(SITE[file]).toContain(from)
    const { files, told: all } = withMistake(row)
    const told = all.map((each) => {
      const lines = (files[each.span.file] ?? '').slice(0, each.span.start).split('\n').length
      return `${each.code} ${each.span.file === file ? lines : `elsewhere: ${each.span.file}`}`
    })
    expect(told).toEqual([`${code} ${line}`])
  })

  it.each(ROWS)('and its change, where it is sure, leaves nothing of it: %s', (...row) => {
    const [what] = row
    const { files, told } = withMistake(row)
    const [first] = told
    const fix = first?.change?.safe === true ? fixFor(first, files) : null
    if (fix !== null) expect(findErrors(applyFix(files, fix)).map(({ code }) => code)).toEqual(BEHIND[what] ?? [])
  })
})
