/** Errors of users with habits from other languages. Each error is reported once, at its line, with a change that compiles. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: markup of other languages
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import type { QuickFix } from '../../../../compiler/core/diagnostics/quick-fix.ts'
import type { Span } from '../../../../compiler/core/source/span.ts'
import { applyFix, diagnosticsOf, fixFor, formatProblems } from '../../../support/compiler/change.ts'
import { type Files, PAGE } from '../../../support/compiler/check.ts'

const SITE: Files = {
  'app/schema/dish.yml':
    'name: dish\nproperties:\n  - name: name\n  - name: price\n    type: integer\n  - name: since\n    type: integer\n',
  'app/graphql/dishes.graphql':
    'query dishes($id: ID, $page: Int = 1) {\n  records(per_page: 20, page: $page, filter: { table: { value: "dish" }, id: { value: $id } }) {\n    total_entries\n    results { id name: property(name: "name") price: property_int(name: "price") }\n  }\n}\n',
  'app/views/partials/card.liquid': '{% doc %}\n  @param {string} title\n{% enddoc %}<b>{{ title }}</b>',
  'app/lib/sum.liquid': '{% return 1 %}',
  'app/views/partials/note.liquid': '<i>note</i>',
  'app/views/pages/about.liquid':
    "{% graphql d = 'dishes' %}{% for x in d.records.results %}{{ x.name }}{{ x.price }}{% endfor %}{{ d.records.total_entries }}{% render 'card', title: 'a' %}{% render 'note' %}{% function s = 'sum' %}{{ s }}",
}

const QUERY_OF_PAGE = "query { records(per_page: 1, filter: { table: { value: 'dish' } }) { total_entries } }"

type Row = readonly [name: string, page: string, line: number]

const ROWS: readonly Row[] = [
  ['a tag in the braces of an output', 'a\n{{ if context.params.a }}b{% endif %}', 2],
  ['a condition behind else', '{% if context.params.a %}1\n{% else if context.params.b %}2{% endif %}', 2],
  ['elseif', '{% if context.params.a %}1\n{% elseif context.params.b %}2{% endif %}', 2],
  ['elif', '{% if context.params.a %}1\n{% elif context.params.b %}2{% endif %}', 2],
  ['&&', '\n{% if context.params.a && context.params.b %}2{% endif %}', 2],
  ['||', '\n{% if context.params.a || context.params.b %}2{% endif %}', 2],
  ['!', '\n{% if !context.params.a %}2{% endif %}', 2],
  ['not', '\n{% if not context.params.a %}2{% else %}3{% endif %}', 2],
  ['one equals sign', '\n{% if context.params.a = "x" %}2{% endif %}', 2],
  ['===', '\n{% if context.params.a === "x" %}2{% endif %}', 2],
  ['end if', '{% if context.params.a %}1\n{% end if %}', 2],
  ['end', '{% if context.params.a %}1\n{% end %}', 2],
  ['fi', '{% if context.params.a %}1\n{% fi %}', 2],
  ['a variable without assign', '\n{% x = 5 %}{{ x }}', 2],
  ['let', '\n{% let x = 5 %}{{ x }}', 2],
  ['set', '\n{% set x = 5 %}{{ x }}', 2],
  ['an include with its ending', "\n{% render 'note.liquid' %}", 2],
  ['a partial with its folder', "\n{% render 'app/views/partials/note' %}", 2],
  ['a partial without quotes', '\n{% render note %}', 2],
  ['a filter without colon', '\n{{ context.params.a | default "x" }}', 2],
  ['a filter in brackets', '\n{{ context.params.a | default("x") }}', 2],
  ['a method', '\n{{ context.params.a.size() }}', 2],
  ['a method with argument', "\n{{ context.params.a.join(', ') }}", 2],
  ['a range without brackets', '\n{% for i in 1..5 %}{{ i }}{% endfor %}', 2],
  ['a range of square brackets', '\n{% for i in [1..5] %}{{ i }}{% endfor %}', 2],
  ['an apostrophe', "\n{{ context.params.a | default: 'it's' }}", 2],
  ['a block that never ends', '<p>\n{% if context.params.a %}x\n</p>', 2],
  ['a loop that never ends', '<p>\n{% for i in context.params.a %}{{ i }}\n</p>', 2],
  ['a tag that is not closed', '<p>\n{% if context.params.a }x{% endif %}\n</p>', 2],
  ['an output that is not closed', '<p>\n{{ context.params.a }\n</p>{{ context.params.b }}', 2],
  ['an output that ends with its line', '<p>\n{{ context.params.a\n</p>', 2],
  ['an output in a tag', '\n{% if {{ context.params.a }} == "x" %}y{% endif %}', 2],
  ['an output in an argument', "\n{% render 'card', title: {{ context.params.a }} %}", 2],
  ['a quote too few', "\n{% render 'note %}", 2],
  ['quotes of a word processor', '\n{% render ‘note’ %}', 2],
  ['double quotes of a word processor', '\n{{ context.params.a | append: “x” }}', 2],
  ['a misspelt context', '\n{{ contxt.params.b }}', 2],
  ['a choice', "\n{{ context.params.a ? 'x' : 'y' }}", 2],
  ['addition', '\n{{ context.params.a + 1 }}', 2],
  ['texts joined by plus', "\n{% assign x = 'a' + context.params.b %}{{ x }}", 2],
  ['+=', '{% assign x = 1 %}\n{% assign x += 1 %}{{ x }}', 2],
  ['++', '{% assign x = 1 %}\n{% assign x++ %}{{ x }}', 2],
  ['a for with of', '\n{% for x of context.params.a %}{{ x }}{% endfor %}', 2],
  ['foreach', '\n{% foreach x in context.params.a %}{{ x }}{% endforeach %}', 2],
  ['each', '\n{% for context.params.a as x %}{{ x }}{% endfor %}', 2],
  ['a filter in a loop', '\n{% for x in context.params.a | sort %}{{ x }}{% endfor %}', 2],
  ['a filter in a condition', '\n{% if context.params.a | size > 2 %}x{% endif %}', 2],
  ['parentheses', '\n{% if (context.params.a == "x") %}x{% endif %}', 2],
  ['a misspelt filter', '\n{{ context.params.a | upcas }}', 2],
  ['a filter of JavaScript', '\n{{ context.params.a | toUpperCase }}', 2],
  ['a misspelt tag', '\n{% rendr "note" %}', 2],
  ['a misspelt variable', '{% assign title = context.params.a %}{{ title }}\n{{ titel }}', 2],
  ['a misspelt key of context', '\n{{ context.parms.a }}', 2],
  ['a comma for the colon', '\n{{ context.params.a | append, "x" }}', 2],
  ['a comma that is missing', '\n{% render "card" title: context.params.a %}', 2],
  ['an equals sign in arguments', "\n{% render 'card', title = context.params.a %}", 2],
  ['a comma that is missing in a list', '\n{% assign x = ["a" "b"] %}{{ x | join }}', 2],
  ['a comma that is missing in a hash', '\n{% assign x = { "a": 1 "b": 2 } %}{{ x.a }}{{ x.b }}', 2],
  ['single quotes in a hash', "\n{% assign x = { 'a': 1 } %}{{ x.a }}", 2],
  ['a comma too many', '\n{% assign x = ["a", "b",] %}{{ x | join }}', 2],
  ['a colon for the equals sign', '\n{% assign x: 1 %}{{ x }}', 2],
  ['a walrus', '\n{% assign x := 1 %}{{ x }}', 2],
  ['a dollar sign', '\n{{ $context.params.a }}', 2],
  ['three braces', '\n{{{ context.params.a }}}', 2],
  ['ERB', '\n<%= context.params.a %>', 2],
  ['a comment of Twig', '\n{# a note #}', 2],
  ['a comment of JavaScript', '\n{% // a note %}', 2],
  ['a switch', '\n{% switch context.params.a %}{% when 1 %}x{% endswitch %}', 2],
  ['a default of a switch', '{% case context.params.a %}{% when 1 %}x\n{% default %}y{% endcase %}', 2],
  ['a query without a name for its result', "\n{% graphql 'dishes' %}{{ result.records.total_entries }}", 2],
  ['a function without a name for its result', "\n{% function 'sum' %}{{ result }}", 2],
  ['a misspelt query', "\n{% graphql d = 'dishs' %}{{ d.records.total_entries }}", 2],
  ['a list for one record', "\n{% graphql d = 'dishes' %}{{ d.records.results.name }}", 2],
  ['a loop over the result', "{% graphql d = 'dishes' %}\n{% for x in d.records %}{{ x.name }}{% endfor %}", 2],
  ['a number in quotes', "{% graphql d = 'dishes' %}\n{% if d.records.total_entries == '0' %}x{% endif %}", 2],
  [
    'the first of a list that is forgotten',
    "{% graphql d = 'dishes' %}\n{% assign dish = d.records.results %}{{ dish.name }}\n{{ dish.price }}{{ dish.id }}{% if dish.name %}x{% endif %}",
    2,
  ],
  ['front matter that never ends', '---\nslug: index\n<h1>a</h1>', 1],
  ['a tab in front matter', '---\nslug: index\nmetadata:\n\ttitle: x\n---\nx', 4],
  ['a colon without space', '---\nslug:index\n---\nx', 2],
  ['an equals sign in front matter', '---\nslug = index\n---\nx', 2],
  ['Liquid in front matter without quotes', '---\nredirect_to: {{ context.params.a }}\n---\n', 2],
  ['a quote that never ends in front matter', '---\nlayout: "\nslug: x\n---\nx', 2],
  ['braces in a slug', '---\nslug: dishes/{id}\n---\nx', 2],
  ['path for slug', '---\npath: dishes\n---\nx', 2],
  ['a slug that begins behind a variable', '---\nslug: /Listings/: id\n---\nx', 2],
  ['a capture without end', '\n{% capture x %}a{{ x }}', 2],
  ['a raw without end', '\n{% raw %}{{ a }}', 2],
  [
    'a query in the page without end',
    '\n{% graphql _ %}\nquery { records(per_page: 1, filter: { table: { value: "dish" } }) { total_entries } }\n',
    2,
  ],
  ['a hash in an output', '\n{{ { "a": 1 } }}', 2],
  ['backslashes before quotes', '\n{{ "a \\"b\\"" }}', 2],
  ['umlauts', '\n{% assign größe = 1 %}{{ größe }}', 2],
  ['an end too many', '{% if context.params.a %}x{% endif %}\n{% endif %}', 2],
  ['the end of another tag', '{% if context.params.a %}x\n{% endfor %}', 2],
  ['a tag in the lines of a liquid tag', '{% liquid\n  {% assign x = 1 %}\n%}{{ x }}', 2],
  ['an output in the lines of a liquid tag', '{% liquid\n  {{ context.params.a }}\n%}', 2],
  ['=> in a hash', '\n{% assign x = { "a" => 1 } %}{{ x.a }}', 2],
  ['pushing by a method', '{% assign x = [] %}\n{% assign x.push(1) %}{{ x }}', 2],
  ['a chain of comparisons', '\n{% if context.params.a == "x" or "y" %}z{% endif %}', 2],
  ['in', '\n{% if "x" in context.params.a %}z{% endif %}', 2],
  ['print as a function', '\n{{ print(context.params.a) }}', 2],
  ['two values in one assign', "\n{% assign x = 'a', y = 'b' %}{{ x }}{{ y }}", 2],
  ['an assign without its space', "\n{% assignx = 'a' %}{{ x }}", 2],
  ['texts joined by a dot', "\n{% assign x = 'a' . 'b' %}{{ x }}", 2],
  ['texts joined by an ampersand', "\n{% assign x = 'a' & 'b' %}{{ x }}", 2],
  ['a list in round brackets', "\n{% assign x = ('a', 'b') %}{{ x[0] }}", 2],
  ['a colon for the equals sign of a session', '\n{% session x: 1 %}{{ context.session.x }}', 2],
  ['a path without quotes', '\n{% redirect_to /about %}', 2],
  ['an index in a loop', "{% assign a = 'a,b' | split: ',' %}\n{% for i, x in a %}{{ x }}{% endfor %}", 2],
  ['for each', "{% assign a = 'a,b' | split: ',' %}\n{% for each x in a %}{{ x }}{% endfor %}", 2],
  [
    'a single quote in a query of the page',
    `{% graphql g %}\n${QUERY_OF_PAGE}{% endgraphql %}{{ g.records.total_entries }}`,
    2,
  ],
]

const QUERY = 'query { records(per_page: 1, filter: { table: { value: "dish" } }) { total_entries } }'

/** An error in a file other than the page. */
const ELSEWHERE: readonly (readonly [name: string, path: string, text: string, line: number])[] = [
  [
    'the name of a table without an object around it',
    'app/graphql/a.graphql',
    'query {\n  records(per_page: 1, filter: { table: "dish" }) { total_entries }\n}\n',
    2,
  ],
  [
    'a number in quotes',
    'app/graphql/a.graphql',
    'query {\n  records(per_page: "1", filter: { table: { value: "dish" } }) { total_entries }\n}\n',
    2,
  ],
  [
    'a variable without its sign',
    'app/graphql/a.graphql',
    'query ($id: ID) {\n  records(per_page: 1, filter: { table: { value: "dish" }, id: { value: id } }) { total_entries }\n}\n',
    2,
  ],
  [
    'a variable that is declared without its sign',
    'app/graphql/a.graphql',
    'query (id: ID) {\n  records(per_page: 1, filter: { table: { value: "dish" }, id: { value: $id } }) { total_entries }\n}\n',
    1,
  ],
  [
    'a condition of SQL',
    'app/graphql/a.graphql',
    'query {\n  records(per_page: 1, filter: { table: { value: "dish" }, properties: "since > 1990" }) { total_entries }\n}\n',
    2,
  ],
  [
    'a condition of SQL about a text',
    'app/graphql/a.graphql',
    'query {\n  records(per_page: 1, filter: { table: { value: "dish" }, properties: "name = \'Soup\'" }) { total_entries }\n}\n',
    2,
  ],
  [
    'a limit',
    'app/graphql/a.graphql',
    'query {\n  records(limit: 1, filter: { table: { value: "dish" } }) { total_entries }\n}\n',
    2,
  ],
  ['a tab in a table', 'app/schema/drink.yml', 'name: drink\nproperties:\n\t- name: a\n', 3],
  ['a dash without space', 'app/schema/drink.yml', 'name: drink\nproperties:\n  - name: b\n  -name: a\n', 4],
  ['a type of another language', 'app/schema/drink.yml', 'name: drink\nproperties:\n  - name: b\n    type: int\n', 4],
]

const TRIED = [
  ...ROWS.map(([name, page, line]) => ({ name, path: PAGE, line, files: { ...SITE, [PAGE]: page } })),
  ...ELSEWHERE.map(([name, path, text, line]) => ({
    name: `${name} in ${path}`,
    path,
    line,
    files: {
      ...SITE,
      [PAGE]: "{% graphql a = 'a' %}{{ a.records.total_entries }}",
      'app/graphql/a.graphql': QUERY,
      [path]: text,
    },
  })),
]

function reportable(files: Files): readonly Diagnostic[] {
  return diagnosticsOf(files).filter(({ severity }) => severity !== 'info')
}

describe('a beginner writes', () => {
  it.each(TRIED)('$name', ({ path, line, files }) => {
    const found = reportable(files)
    expect(found.map(({ span, message }) => [span.file, lineOf(files, span), message])).toEqual([
      [path, line, expect.any(String)],
    ])
    const fix = fixFor(found[0] as Diagnostic, files)
    expect(fix, found[0]?.hint).not.toBeNull()
    expect(formatProblems(reportable(applyFix(files, fix as QuickFix)))).toEqual([])
  })
})

describe('what is right is told of nowhere', () => {
  it.each([
    [
      'a tree that is walked',
      '{% render "node", node: context.params.tree %}',
      'app/views/partials/node.liquid',
      '{{ node.name }}{% render "node" for node.children as node %}',
    ],
    [
      'one element that is taken',
      "{% graphql d = 'dishes' %}{% assign dish = d.records.results | first %}{{ dish.name }}{{ dish.price }}",
      'app/lib/one.liquid',
      '',
    ],
  ])('%s', (_name, page, path, text) => {
    expect(formatProblems(reportable({ ...SITE, [PAGE]: page, [path]: text }))).toEqual([])
  })

  it('a returned name that nothing sets is the only thing told', () => {
    const files = { ...SITE, [PAGE]: "{% function r = 'f' %}{{ r.a }}", 'app/lib/f.liquid': '{% return reslt %}' }
    expect(reportable(files).map(({ code }) => code)).toEqual(['missing-inferred-argument'])
  })
})

function lineOf(files: Files, { file, start }: Span): number {
  return (files[file] ?? '').slice(0, start).split('\n').length
}
