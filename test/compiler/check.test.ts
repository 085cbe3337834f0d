/** What the checker finds in small sites, and what it lets pass. */
import { describe, expect, it } from 'vitest'
import { CHALLENGES } from '../../runtime/page/tag-words.ts'
import { checkFiles, type Files, problems } from './check-support.ts'

type Row = readonly [name: string, files: Files | string, expected: readonly string[]]

const PAGE = 'app/views/pages/index.liquid'

function partial(name: string, text: string): Files {
  return { [`app/views/partials/${name}.liquid`]: text }
}

function site(page: string, ...more: readonly Files[]): Files {
  return Object.assign({ [PAGE]: page }, ...more)
}

function table(rows: readonly Row[]): void {
  it.each(rows)('%s', (_name, files, expected) => {
    expect(problems(files)).toEqual(expected)
  })
}

describe('filters', () => {
  it.each([
    [`{% assign h = '{ "a": 1 }' | parse_json %}{{ h.a }}`, /^Write the hash or list in `assign`/],
    [`{% assign h = context.params.h | parse_json %}{{ h.a }}`, /text that comes from elsewhere has no other way/],
    [`{% assign a = [1] | add_to_array: 2 %}{{ a }}`, /^Use `array_add`\.$/],
  ])('%s: a filter that is deprecated is told with what takes its place', (page, hint) => {
    const found = checkFiles(site(page)).diagnostics.filter(({ code }) => code === 'deprecated-filter')
    expect(found.map((each) => each.hint)).toEqual([expect.stringMatching(hint)])
  })

  table([
    ['an unknown filter is an error', `{{ 'a' | upcas }}`, ['unknown-filter 1:10']],
    ['a group of named arguments counts as one', `{{ 'now' | date: format: '%Y' }}`, []],
    ['a missing argument is an error', `{{ 'a' | append }}`, ['filter-arity 1:8']],
    ['a text is no array', `{{ 'a' | array_compact }}`, ['filter-argument-type 1:4']],
    ['base filters take what comes', `{{ 'a' | join: ',' }}{{ 5 | first }}{{ nil | upcase }}`, []],
    [
      'an alias of the platform is deprecated',
      `{% assign a = [1] | add_to_array: 2 %}{{ a }}`,
      ['deprecated-filter 1:21'],
    ],
    [
      'the elements of a list keep their type',
      `{% assign a = [1, 2] | array_add: 3 | reverse %}{% for n in a %}{% if n == 'x' %}y{% endif %}{% endfor %}`,
      ['impossible-comparison 1:71'],
    ],
    [
      'a filter that merges hashes knows the keys',
      `{% assign h = { "a": 1 } | hash_merge: b: 2 %}{{ h.a }}{{ h.b }}{{ h.c }}`,
      ['unknown-property 1:70'],
    ],
    [
      'parsed JSON has the keys of its text',
      `{% assign h = '{ "a": 1 }' | parse_json %}{{ h.a }}{{ h.b }}`,
      ['deprecated-filter 1:30', 'unknown-property 1:57'],
    ],
    [
      'deleting a key leaves the rest unknown',
      `{% assign h = { "a": 1 } %}{% assign gone = h | hash_delete_key: 'a' %}{{ gone }}{{ h.b }}`,
      [],
    ],
  ])

  it('lets unknown filters pass where the configuration says so', () => {
    const { diagnostics } = checkFiles({
      'app/config.yml': 'liquid_check_mode: warning\n',
      [PAGE]: `{{ 'a' | upcas }}`,
    })
    expect(diagnostics.map((each) => `${each.severity} ${each.code}`)).toEqual(['warning unknown-filter'])
  })
})

describe('variables', () => {
  table([
    ['a name that nothing sets', `{{ titel }}`, ['undefined-variable 1:4']],
    ['a name that one way sets', `{% if context.params.a %}{% assign x = 1 %}{% endif %}{{ x }}`, []],
    ['a name that a later turn of the loop sets', `{% for i in (1..2) %}{{ x }}{% assign x = i %}{% endfor %}`, []],
    [
      'a loop variable ends with its loop',
      `{% for i in (1..2) %}{{ i }}{% endfor %}{{ i }}`,
      ['undefined-variable 1:44'],
    ],
    ['a name that is never read', `{% assign x = 1 %}`, ['unused-assign 1:11']],
    ['a name with an underscore may stay unread', `{% assign _x = 1 %}`, []],
    ['an assign in a loop is seen after it', `{% for i in (1..2) %}{% assign last = i %}{% endfor %}{{ last }}`, []],
    ['an include may read it', site(`{% assign x = 1 %}{% include 'p' %}`, partial('p', '{{ x }}')), []],
    [
      'an include of an unknown name may read it',
      site(`{% assign x = 1 %}{% include context.params.p %}`, partial('p', '{{ x }}')),
      ['dynamic-name 1:30'],
    ],
    ['an export reads it', `{% assign x = 1 %}{% export x, namespace: 'n' %}`, []],
    ['a bare key reads it', `{% assign id = 7 %}{% assign h = { id: 1 } %}{{ h }}`, ['bare-key 1:36']],
    ['a literal as a name', `{% assign empty = 1 %}`, ['reserved-name 1:11']],
    ['a name in camel case', `{% assign myName = 1 %}{{ myName }}`, ['variable-name 1:11']],
    ['counters are names too', `{% increment n %}{{ n }}`, []],
    [
      'a variable of a cached part',
      `{% cache 'k' %}{% assign x = 1 %}{{ x }}{% endcache %}{{ x }}`,
      ['cache-variable 1:58'],
    ],
    [
      'a variable that the cached part only changes',
      `{% assign x = 0 %}{% cache 'k' %}{% assign x = 1 %}{% endcache %}{{ x }}`,
      [],
    ],
    ['the error of a catch', `{% try %}{{ 1 | divided_by: 0 }}{% catch err %}{{ err.message }}{% endtry %}`, []],
    [
      'content_for_layout stands in layouts only',
      { ...site(`{{ content_for_layout }}`), 'app/views/layouts/application.liquid': '{{ content_for_layout }}' },
      ['undefined-variable 1:4'],
    ],
  ])
})

describe('a name that is never read', () => {
  const CREATE = 'mutation { record_create(record: { table: "book" }) { id } }'
  it.each([
    ['of a query', `{% graphql g = 'all' %}`, 'warning'],
    ['of a mutation', `{% graphql g = 'create' %}`, 'info'],
    ['of a mutation in the template', `{% graphql g %}${CREATE}{% endgraphql %}`, 'info'],
    ['of a mutation that a variable may name', `{% assign q = context.params.q %}{% graphql g = q %}`, 'warning'],
    [
      'of a filter that changes its hash',
      `{% liquid\n assign h = {}\n assign g = h | hash_add_key: 'a', 1\n%}{{ h }}`,
      'info',
    ],
    ['of a filter that does not', `{% liquid\n assign h = {}\n assign g = h | hash_merge: h\n%}{{ h }}`, 'warning'],
  ])('%s', (_name, page, severity) => {
    const { diagnostics } = checkFiles({
      'app/schema/book.yml': 'name: book\n',
      'app/graphql/all.graphql':
        'query { records(per_page: 20, filter: { table: { value: "book" } }) { results { id } } }',
      'app/graphql/create.graphql': CREATE,
      'app/views/pages/index.liquid': page,
    })
    expect(diagnostics.filter(({ code }) => code === 'unused-assign').map((each) => each.severity)).toEqual([severity])
  })
})

describe('writes', () => {
  table([
    ['a number has no keys', `{% assign n = 1 %}{% assign n['k'] = 2 %}{{ n }}`, ['invalid-write-target 1:29']],
    ['an array has no text keys', `{% assign a = [1] %}{% assign a['k'] = 2 %}{{ a }}`, ['invalid-write-target 1:31']],
    ['a hash takes no push', `{% assign h = {} %}{% assign h << 2 %}{{ h }}`, ['invalid-write-target 1:30']],
    [
      'nothing is written into what nothing sets',
      `{% assign h['a'] = 1 %}`,
      ['invalid-write-target 1:11', 'undefined-variable 1:11'],
    ],
    ['an array grows', `{% assign a = [] %}{% assign a << 1 %}{% assign a[0] = 2 %}{{ a }}`, []],
    [
      'what is written is known afterwards',
      `{% assign h = {} %}{% assign h['a'] = { "b": 1 } %}{{ h.a.b }}{{ h.a.c }}`,
      ['unknown-property 1:70'],
    ],
    [
      'the value in between must be a container',
      `{% assign h = { "a": 1 } %}{% assign h['a']['b'] = 2 %}{{ h }}`,
      ['invalid-write-target 1:38'],
    ],
    ['a key that is not known opens the hash', `{% assign h = {} %}{% assign h[context.params.k] = 1 %}{{ h.a }}`, []],
    [
      'a write is seen through another name',
      `{% assign a = { "x": 1 } %}{% assign b = a %}{% assign b['y'] = 2 %}{{ a.y }}{{ b.y }}`,
      [],
    ],
    [
      'a write into an element is seen in the list',
      `{% assign h = { "x": 1 } %}{% assign l = [h] %}{% for e in l %}{% assign e['y'] = 1 %}{% endfor %}{{ h.y }}`,
      [],
    ],
    [
      'a write in a called partial is seen by the caller',
      site(
        `{% assign h = { "x": 1 } %}{% function _ = 'p', h: h %}{{ h.y }}`,
        partial('p', `{% assign h['y'] = 1 %}{% return h %}`),
      ),
      [],
    ],
    [
      'a partial that writes nothing leaves the shape known',
      site(`{% assign h = { "x": 1 } %}{% render 'p', h: h %}{{ h.y }}`, partial('p', '{{ h.x }}')),
      ['unknown-property 1:55'],
    ],
    [
      'a write in a loop',
      `{% assign a = [] %}{% for i in (1..3) %}{% assign a << i %}{% endfor %}{% for n in a %}{% if n == 'x' %}y{% endif %}{% endfor %}`,
      ['impossible-comparison 1:94'],
    ],
    [
      'a value that a loop changes',
      `{% assign x = 'a' %}{% for i in (1..3) %}{% if x == 1 %}y{% endif %}{% assign x = i %}{% endfor %}`,
      [],
    ],
  ])
})

describe('conditions', () => {
  table([
    [
      'a text never equals a number',
      `{% assign n = 'abc' | size %}{% if n == '3' %}y{% endif %}`,
      ['impossible-comparison 1:36'],
    ],
    [
      'what may be nil is compared by the rest',
      `{% assign n = 'a' %}{% if context.params.x %}{% assign n = nil %}{% endif %}{% if n == 1 %}y{% endif %}`,
      ['impossible-comparison 1:83'],
    ],
    ['blank and nil compare with everything', `{% assign n = 1 %}{% if n == blank or n == nil %}y{% endif %}`, []],
    [
      'a text cannot be ordered with a number',
      `{% assign n = 'abc' | size %}{% if n > '3' %}y{% endif %}`,
      ['impossible-order 1:36'],
    ],
    [
      'a part of a route is text',
      { 'app/views/pages/a/:id.liquid': `---\nslug: a/:id\n---\n{% if context.params.id > 3 %}y{% endif %}` },
      ['impossible-order :id.liquid 4:7'],
    ],
    [
      'what a form sends may be anything',
      { 'app/views/pages/a.liquid': `---\nmethod: post\n---\n{% if context.params.id > 3 %}y{% endif %}` },
      [],
    ],
    ['0 is true', '{% if 0 %}y{% endif %}', ['constant-condition 1:7']],
    [
      'a captured text is always true',
      '{% capture x %}a{% endcapture %}{% if x %}y{% endif %}',
      ['constant-condition 1:39'],
    ],
    [
      'a flag is not constant',
      '{% assign first = true %}{% for i in (1..3) %}{% if first %}y{% endif %}{% assign first = false %}{% endfor %}',
      [],
    ],
    [
      'and with or behind it',
      '{% if context.params.a and context.params.b or context.params.c %}y{% endif %}',
      ['mixed-and-or 1:7'],
    ],
    [
      'or with and behind it reads as it looks',
      '{% if context.params.a or context.params.b and context.params.c %}y{% endif %}',
      [],
    ],
    [
      'a mixed chain is reported once',
      '{% assign p = context.params %}{% if p.a and p.b and p.c or p.d or p.e %}y{% endif %}',
      ['mixed-and-or 1:38'],
    ],
    [
      'a when of an earlier when',
      `{% case context.params.a %}{% when 'x' %}1{% when 'y', 'x' %}2{% endcase %}`,
      ['overlapping-when 1:56'],
    ],
    ['code behind a return', `{% return %}{{ 1 }}`, ['unreachable-code 1:13']],
    [
      'code behind two ways that both leave',
      '{% if context.params.a %}{% return %}{% else %}{% break %}{% endif %}x',
      ['unreachable-code 1:70'],
    ],
    ['white space behind a return', '{% return %}\n', []],
    ['code behind a guard', '{% if context.params.a %}{% break %}{% endif %}x', []],
  ])
})

describe('properties', () => {
  table([
    ['of a hash that is written here', `{% assign h = { "a": 1 } %}{{ h.b }}`, ['unknown-property 1:33']],
    [
      'of what a function returns',
      site(`{% function r = 'f' %}{{ r.a }}{{ r.b }}`, partial('f', '{% return { "a": 1 } %}')),
      ['unknown-property 1:37'],
    ],
    [
      'of either of two shapes',
      `{% assign h = { "a": 1 } %}{% if context.params.x %}{% assign h = { "b": 1 } %}{% endif %}{{ h.a }}{{ h.b }}{{ h.c }}`,
      ['unknown-property 1:114'],
    ],
    ['asked for in a condition', `{% assign h = { "a": 1 } %}{% if h.b %}{{ h.a }}{% endif %}`, []],
    ['replaced by a default', `{% assign h = { "a": 1 } %}{{ h.b | default: 'x' }}{{ h.a }}`, []],
    [
      'size, first and last',
      `{% assign h = { "a": 1 } %}{{ h.size }}{{ h.first }}{% assign l = [h] %}{{ l.last.a }}`,
      [],
    ],
    [
      'of context',
      '{{ context.location.host }}{{ context.anything.else }}{{ context.location.hsot }}',
      ['unknown-property 1:39', 'unknown-property 1:75'],
    ],
    [
      'of forloop',
      '{% for i in (1..2) %}{{ forloop.index }}{{ forloop.idx }}{{ i }}{% endfor %}',
      ['unknown-property 1:52'],
    ],
  ])
})

describe('calls', () => {
  table([
    ['of a file that does not exist', `{% render 'nope' %}`, ['missing-partial 1:11']],
    [
      'of a name that is surely wrong',
      site(
        `{% assign n = 'crad' %}{% function a = n %}{{ a }}{% function b = 'card' %}{{ b }}`,
        partial('card', '{% return 1 %}'),
      ),
      ['missing-dynamic-partial 1:40'],
    ],
    [
      'of one of several names',
      site(
        `{% assign n = 'a' %}{% if context.params.x %}{% assign n = 'b' %}{% endif %}{% function r = n %}{{ r }}`,
        partial('a', '{% return 1 %}'),
      ),
      ['missing-dynamic-partial 1:93'],
    ],
    [
      'of a computed name with a fixed beginning',
      site(
        `{% assign n = 'cards/' | append: context.params.kind %}{% include n %}`,
        partial('cards/a', 'a'),
        partial('cards/b', 'b'),
        partial('other', 'o'),
      ),
      ['dynamic-name 1:67', 'unused-partial other.liquid 1:1'],
    ],
    [
      'of a name that a caller passes',
      site(
        `{% function r = 'run', name: 'one' %}{{ r }}`,
        partial('run', '{% function r = name %}{% return r %}'),
        partial('one', '{% return 1 %}'),
      ),
      ['dynamic-name run.liquid 1:17'],
    ],
    [
      'without an argument that is read',
      site(`{% render 'p' %}`, partial('p', '{{ title }}')),
      ['missing-inferred-argument 1:11'],
    ],
    [
      'without an argument that has a default',
      site(`{% render 'p' %}`, partial('p', `{{ title | default: 'x' }}`)),
      [],
    ],
    [
      'without an argument that is tested',
      site(`{% render 'p' %}`, partial('p', '{% if title %}{{ title }}{% endif %}')),
      [],
    ],
    [
      'with an argument that is never read',
      site(`{% render 'p', a: 1, b: 2 %}`, partial('p', '{{ a }}')),
      ['unknown-inferred-argument 1:22'],
    ],
    ['with context', site(`{% render 'p', context: context %}`, partial('p', 'x')), []],
    [
      'with an argument for what the partial includes',
      site(`{% render 'p', a: 1 %}`, partial('p', `{% include 'q' %}`), partial('q', '{{ a }}')),
      [],
    ],
    [
      'with an argument twice',
      site(`{% render 'p', a: 1, a: 2 %}`, partial('p', '{{ a }}')),
      ['duplicate-argument 1:22'],
    ],
    [
      'of a function with an argument twice',
      site(`{% function r = 'p', a: 1, a: 2 %}{{ r }}`, partial('p', '{% return a %}')),
      ['duplicate-function-argument 1:28'],
    ],
    [
      'of a function that returns nothing',
      site(`{% function r = 'p' %}{{ r }}`, partial('p', 'x')),
      ['function-without-return 1:17'],
    ],
    ['of a function for what it does', site(`{% function _ = 'p' %}`, partial('p', '{% log 1 %}')), []],
    [
      'of a function for what an included file returns',
      site(`{% function r = 'p' %}{{ r }}`, partial('p', `{% include 'q' %}`), partial('q', '{% return 1 %}')),
      ['function-without-return 1:17', 'dropped-return p.liquid 1:12'],
    ],
    ['that drops what is returned', site(`{% render 'p' %}`, partial('p', '{% return 1 %}')), ['dropped-return 1:11']],
    [
      'that leaves early without a value',
      site(`{% render 'p' %}`, partial('p', '{% if context.params.a %}{% return %}{% endif %}x')),
      [],
    ],
    [
      'with and for',
      site(`{% render 'p' with 1 as a %}{% assign l = [1] %}{% render 'p' for l as a %}`, partial('p', '{{ a }}')),
      [],
    ],
    [
      'in a circle',
      site(`{% render 'a' %}`, partial('a', `{% render 'b' %}`), partial('b', `{% render 'a' %}`)),
      ['recursive-partial a.liquid 1:11'],
    ],
    [
      'in a circle with an end',
      site(
        `{% render 'a', n: 3 %}`,
        partial('a', `{% if n > 0 %}{% assign m = n | minus: 1 %}{% render 'a', n: m %}{% endif %}`),
      ),
      [],
    ],
    ['that nothing makes', site('x', partial('old', 'y')), ['unused-partial old.liquid 1:1']],
    ['of what a module offers', { ...site('x'), 'modules/m/public/views/partials/p.liquid': 'y' }, []],
  ])
})

describe('arguments that a call leaves out', () => {
  const either = partial('tell', '{% if key %}{{ key | t }}{% else %}{{ message }}{% endif %}')
  table([
    ['are not missed where another stands for them', site(`{% render 'tell', key: context.params.key %}`, either), []],
    ['are missed where none does', site(`{% render 'tell' %}`, either), ['missing-inferred-argument 1:11']],
    [
      'are not missed where an include is given another',
      site(
        `{% function c = 'check' %}{{ c }}`,
        either,
        partial('check', `{% assign key = 'a.b' %}{% include 'tell', key: key %}{% return 1 %}`),
      ),
      [],
    ],
    [
      'are missed where they are read on every way',
      site(`{% render 'p', key: 'a' %}`, partial('p', '{% if key %}{{ message }}{% else %}{{ message }}{% endif %}')),
      ['missing-inferred-argument 1:11'],
    ],
    ...[
      '{% if user %}{{ note }}{% endif %}',
      `{% if user != blank and user.id == 7 %}{{ note }}{% endif %}`,
      `{% unless user == nil %}{{ note }}{% endunless %}`,
      `{% if user == blank %}-{% elsif x %}{{ note }}{% endif %}`,
      `{% if user.kind == 'a' or user contains 'b' %}{{ note }}{% endif %}`,
    ].map((text): [string, Files, readonly string[]] => [
      `are not missed where a condition on another that is left out guards them: ${text}`,
      site(`{% render 'p' %}`, partial('p', text)),
      [],
    ]),
    [
      'are not missed by what such a condition includes',
      site(`{% render 'p' %}`, partial('p', `{% if user %}{% include 'q' %}{% endif %}`), partial('q', '{{ note }}')),
      [],
    ],
    [
      'are missed by it where that other is given',
      site(
        `{% render 'p', user: context.current_user %}`,
        partial('p', `{% if user %}{% include 'q' %}{% endif %}`),
        partial('q', '{{ note }}'),
      ),
      ['missing-inferred-argument 1:11'],
    ],
    ...[
      '{% if user != blank or x %}{{ note }}{% endif %}',
      '{% if user %}{{ note }}{% endif %}{{ note }}',
      `{% if user != 'a' %}{{ note }}{% endif %}`,
      '{% if user == false %}{{ note }}{% endif %}',
      '{% unless user %}{{ note }}{% endunless %}',
      '{% assign user = context.params.user %}{% if user %}{{ note }}{% endif %}',
    ].map((text): [string, Files, readonly string[]] => [
      `are missed where that condition holds without it: ${text}`,
      site(`{% render 'p' %}`, partial('p', text)),
      ['missing-inferred-argument 1:11'],
    ]),
    [
      'are missed behind a condition on something else',
      site(`{% render 'p', key: 'a' %}`, partial('p', '{% if key %}{{ message }}{% endif %}')),
      ['missing-inferred-argument 1:11'],
    ],
    [
      'may be compared with blank, or be in an unless',
      site(
        `{% render 'p', a: 'a' %}{% render 'q', a: 'a' %}`,
        partial('p', '{% if a == blank %}{{ b }}{% endif %}{% if a != nil %}{{ a }}{% else %}{{ b }}{% endif %}'),
        partial('q', '{% unless a %}{{ b }}{% endunless %}'),
      ),
      [],
    ],
    [
      'may be set to themselves',
      site(`{% render 'p' %}`, partial('p', '{% assign a = a %}{% if a %}{{ a }}{% endif %}')),
      [],
    ],
    [
      'may be filled by the number that a page begins with',
      site(`{% render 'p' %}`, partial('p', '{% assign number = number | to_positive_integer: 1 %}{{ number }}')),
      [],
    ],
  ])
})

describe('types across calls', () => {
  table([
    [
      'a partial knows what its callers pass',
      site(`{% render 'p', n: 1 %}`, partial('p', `{% if n == 'x' %}y{% endif %}`)),
      ['impossible-comparison p.liquid 1:7'],
    ],
    [
      'all of its callers',
      site(`{% render 'p', n: 1 %}{% render 'p', n: 'x' %}`, partial('p', `{% if n == 'x' %}y{% endif %}`)),
      [],
    ],
    [
      'and nothing of a caller with a computed name',
      site(
        `{% render 'p', n: 1 %}{% function r = context.params.x %}{{ r }}`,
        partial('p', `{% if n == 'x' %}y{% endif %}{% return n %}`),
      ),
      ['dropped-return 1:11', 'dynamic-name 1:39'],
    ],
    [
      'a hash has what an included partial adds to it, passed or shared, also below',
      site(
        `{% assign a = { "x": 1 } %}{% include 'adds', h: a %}{{ a.y }}{% assign h = { "x": 1 } %}{% include 'above' %}{{ h.y }}{% assign b = { "x": 1 } %}{{ b.y }}`,
        partial('above', `{% include 'adds' %}`),
        partial('adds', `{% assign h['y'] = 2 %}`),
      ),
      ['include-could-be-render 1:39', 'unknown-property 1:152'],
    ],
    [
      'and what a rendered or called one adds',
      site(
        `{% assign a = { "x": 1 } %}{% render 'adds', h: a %}{{ a.y }}{% assign b = { "x": 1 } %}{% function _ = 'adds', h: b %}{{ b.y }}`,
        partial('adds', `{% assign h['y'] = 2 %}`),
      ),
      [],
    ],
    [
      'a result goes through several files',
      site(
        `{% function r = 'a', n: 1 %}{% if r == 'x' %}y{% endif %}`,
        partial('a', `{% function r = 'b', n: n %}{% return r %}`),
        partial('b', '{% return n %}'),
      ),
      ['impossible-comparison 1:35'],
    ],
    [
      'a result may be nil where an end gives none',
      site(
        `{% function r = 'a', n: 1 %}{% if r %}{{ r.size }}{% endif %}`,
        partial('a', '{% if n > 1 %}{% return n %}{% endif %}'),
      ),
      [],
    ],
    [
      'the names of an included file are its caller’s',
      site(`{% assign n = 1 %}{% include 'p' %}`, partial('p', `{% if n == 'x' %}y{% endif %}`)),
      [],
    ],
    [
      'an included file may change a name',
      site(`{% assign n = 1 %}{% include 'p' %}{% if n == 'x' %}y{% endif %}`, partial('p', `{% assign n = 'x' %}`)),
      [],
    ],
    [
      'and keeps a new one',
      site(`{% include 'p' %}{{ n }}`, partial('p', `{% assign n = 'x' %}{{ n }}`)),
      ['read-after-include 1:21'],
    ],
    [
      'recursion ends',
      site(
        `{% function r = 'f', n: 3 %}{{ r.a }}`,
        partial(
          'f',
          `{% if n > 0 %}{% assign m = n | minus: 1 %}{% function r = 'f', n: m %}{% return { "a": r } %}{% endif %}{% return { "a": nil } %}`,
        ),
      ),
      [],
    ],
    [
      'an unordered text from a partial that is reached',
      site(`{% render 'p', n: '1' %}`, partial('p', '{% if n > 3 %}y{% endif %}')),
      ['impossible-order p.liquid 1:7'],
    ],
  ])

  it('an error in a file that nothing reaches is a warning', () => {
    const { diagnostics } = checkFiles(site('x', partial('old', `{{ 'a' | upcas }}`)))
    expect(diagnostics.map((each) => `${each.severity} ${each.code}`)).toEqual([
      'info unused-partial',
      'warning unknown-filter',
    ])
  })

  it('a face has the parameters of its doc, its reads and its result', () => {
    const files = site(
      `{% function r = 'f', a: 1, b: 'x' %}{{ r }}`,
      partial(
        'f',
        '{% doc %}\n @param {number} a - one\n @param {string} [b] - two\n{% enddoc %}{% return a %}{{ b }}',
      ),
    )
    const face = checkFiles(files).faces.get('app/views/partials/f.liquid')
    expect(face?.parameters.map((each) => [each.name, each.type.kind, each.required, each.declared])).toEqual([
      ['a', 'integer', true, true],
      ['b', 'string', false, true],
    ])
    expect(face?.result).toEqual({ kind: 'integer' })
  })
})

describe('include', () => {
  table([
    [
      'of a file that reads what nothing sets',
      site(`{% include 'p' %}`, partial('p', '{{ title }}')),
      ['implicit-include-argument 1:12'],
    ],
    [
      'of a file that reads what is set',
      site(`{% assign title = 'x' %}{% include 'p' %}`, partial('p', '{{ title }}')),
      [],
    ],
    [
      'through another file',
      site(`{% assign title = 'x' %}{% include 'p' %}`, partial('p', `{% include 'q' %}`), partial('q', '{{ title }}')),
      [],
    ],
    [
      'that could be a render',
      site(`{% include 'p', title: 'x' %}`, partial('p', '{{ title }}')),
      ['include-could-be-render 1:12'],
    ],
    [
      'that ends its caller',
      site(`{% include 'p' %}x`, partial('p', '{% if context.params.a %}{% break %}{% endif %}')),
      [],
    ],
    ['that counts with its caller', site(`{% include 'p' %}`, partial('p', '{% increment n %}')), []],
  ])
})

const DOC = '{% doc %}\n  @param {string} title - a\n  @param {number} [size] - b\n{% enddoc %}'

describe('doc blocks', () => {
  table([
    [
      'a required parameter is missing',
      site(`{% render 'p' %}`, partial('p', `${DOC}{{ title }}{{ size }}`)),
      ['missing-argument 1:11'],
    ],
    [
      'an argument that is not declared',
      site(`{% render 'p', title: 'x', foo: 1 %}`, partial('p', `${DOC}{{ title }}{{ size }}`)),
      ['unknown-argument 1:28'],
    ],
    [
      'an argument of another type',
      site(`{% render 'p', title: 'x', size: 'large' %}`, partial('p', `${DOC}{{ title }}{{ size }}`)),
      ['argument-type 1:34'],
    ],
    [
      'an argument whose type is inferred',
      site(`{% assign s = 'ab' | split: '' %}{% render 'p', title: s %}`, partial('p', `${DOC}{{ title }}{{ size }}`)),
      ['argument-type 1:56'],
    ],
    [
      'nil fits everywhere',
      site(`{% render 'p', title: nil, size: context.params.s %}`, partial('p', `${DOC}{{ title }}{{ size }}`)),
      [],
    ],
    [
      'a parameter that is never read',
      site(`{% render 'p', title: 'x' %}`, partial('p', `${DOC}{{ title }}`)),
      ['unused-doc-param p.liquid 3:20'],
    ],
    [
      'a name that is not declared',
      site(`{% render 'p', title: 'x' %}`, partial('p', `${DOC}{{ title }}{{ size }}{{ note }}`)),
      ['missing-doc-param p.liquid 4:37'],
    ],
    [
      'a name that is set on one way',
      site(`{% render 'p', title: 'x' %}`, partial('p', `${DOC}{% if title %}{% assign n = size %}{% endif %}{{ n }}`)),
      [],
    ],
    [
      'a required parameter with a default',
      site(`{% render 'p', title: 'x' %}`, partial('p', `${DOC}{{ title | default: 'y' }}{{ size }}`)),
      ['doc-param-default p.liquid 4:16'],
    ],
    [
      'a default for a part of a required parameter',
      site(
        `{% render 'p', of: context.params %}`,
        partial('p', `{% doc %}\n @param {object} of\n{% enddoc %}{{ of.a | default: 'y' }}`),
      ),
      [],
    ],
    [
      'a type that does not exist',
      site(`{% render 'p', a: 1 %}`, partial('p', '{% doc %}\n @param {strng} a\n{% enddoc %}{{ a }}')),
      ['unknown-doc-type p.liquid 2:10'],
    ],
    [
      'a parameter twice',
      site(`{% render 'p', a: 1 %}`, partial('p', '{% doc %}\n @param a\n @param a\n{% enddoc %}{{ a }}')),
      ['duplicate-doc-param p.liquid 3:9'],
    ],
  ])
})

describe('values of the request', () => {
  table([
    [
      'what is exported is known where it is read',
      site(
        `{% assign n = 1 %}{% export n, namespace: 'cart' %}{% render 'p' %}`,
        partial('p', `{% if context.exports.cart.n == 'x' %}y{% endif %}`),
      ),
      ['impossible-comparison p.liquid 1:7'],
    ],
    [
      'and of several exports any',
      site(
        `{% assign n = 1 %}{% export n, namespace: 'cart' %}{% assign n = 'x' %}{% export n, namespace: 'cart' %}{% if context.exports.cart.n == 'x' %}y{% endif %}`,
      ),
      [],
    ],
    [
      'a computed namespace leaves all unknown',
      site(
        `{% assign n = 1 %}{% export n, namespace: 'cart' %}{% export n, namespace: context.params.x %}{% if context.exports.cart.n == 'x' %}y{% endif %}`,
      ),
      [],
    ],
    [
      'what the session holds',
      `{% session step = 1 %}{% if context.session.step == 'x' %}y{% endif %}`,
      ['impossible-comparison 1:29'],
    ],
    ['what nobody exports', `{% if context.exports.cart.n == 'x' %}y{% endif %}`, []],
  ])
})

describe('the site', () => {
  const en = (text: string): Files => ({ 'app/translations/en.yml': `en:\n${text}` })
  table([
    ['a missing layout', site('---\nlayout: nope\n---\nx'), ['missing-layout 2:9']],
    ['a page without a layout', site(`---\nlayout: ''\n---\nx`), []],
    ['a missing policy', site('---\nauthorization_policies:\n  - member\n---\nx'), ['missing-policy 3:5']],
    [
      'a layout without the page',
      { ...site('x'), 'app/views/layouts/application.liquid': '<b></b>' },
      ['missing-content-for-layout application.liquid 1:1'],
    ],
    [
      'a layout that a partial prints for',
      {
        ...site('x', partial('body', '{{ content_for_layout }}')),
        'app/views/layouts/application.liquid': `{% include 'body' %}`,
      },
      [],
    ],
    [
      'two pages of one route',
      {
        'app/views/pages/a.liquid': '---\nslug: x/:id\n---\na',
        'app/views/pages/b.liquid': '---\nslug: x/:name\n---\nb',
      },
      ['duplicate-route b.liquid 2:7'],
    ],
    [
      'two methods of one route',
      {
        'app/views/pages/a.liquid': '---\nslug: x\n---\na',
        'app/views/pages/b.liquid': '---\nslug: x\nmethod: post\n---\nb',
      },
      [],
    ],
    ['a missing asset', `{{ 'app.css' | asset_url }}`, ['missing-asset 1:4']],
    ['the address of a folder', `{{ 'js/' | asset_url }}`, []],
    ['an asset', { ...site(`{{ 'css/app.css' | asset_url }}`), 'app/assets/css/app.css': '' }, []],
    ['a missing translation', site(`{{ 'a.b' | t }}`, en('  a:\n    c: x\n')), ['missing-translation 1:4']],
    ['a missing translation with a default', site(`{{ 'a.b' | t: default: 'x' }}`, en('  a:\n    c: x\n')), []],
    ['a computed key', site(`{% assign k = 'a.' | append: context.params.k %}{{ k | t }}`, en('  a:\n    c: x\n')), []],
    [
      'a translation without its argument',
      site(`{{ 'hi' | t }}`, en('  hi: Hi %{name}\n')),
      ['missing-translation-argument 1:4'],
    ],
    [
      'a translation with an argument too many',
      site(`{{ 'hi' | t: name: 'x' }}`, en('  hi: Hi\n')),
      ['unused-translation-argument 1:14'],
    ],
    [
      'a plural',
      site(`{{ 'n' | t: count: 2 }}`, en('  n:\n    one: "%{count} item"\n    other: "%{count} items"\n')),
      [],
    ],
    [
      'a plural without its other form',
      site(`{{ 'n' | t: count: 2 }}`, en('  n:\n    one: "%{count} item"\n')),
      ['missing-plural 1:4'],
    ],
    [
      'a key of one language',
      { ...site(`{{ 'a' | t }}`, en('  a: x\n')), 'app/translations/pl.yml': 'pl:\n  a: x\n  b: y\n' },
      ['unmatched-translation pl.yml 3:3'],
    ],
    [
      'a group that a language lacks is reported once',
      {
        ...site(`{{ 'a' | t }}`, en('  a: x\n  g:\n    b: 1\n    c: 2\n')),
        'app/translations/pl.yml': 'pl:\n  a: x\n',
      },
      ['unmatched-translation en.yml 3:3'],
    ],
    [
      'HTML that is not closed in a translation',
      site(`{{ 'a_html' | t }}`, en('  a_html: <b>x\n')),
      ['html-translation en.yml 2:11'],
    ],
    ['a block that nothing prints', `{% content_for 'a' %}x{% endcontent_for %}`, ['content-without-yield 1:16']],
    ['a block that nothing fills', `{% yield 'a' %}`, ['yield-without-content 1:10']],
    ['a block with a default', `{% yield 'a', default: 'x' %}`, []],
    [
      'a computed block',
      `{% assign n = context.params.n %}{% content_for n %}x{% endcontent_for %}{% yield 'a' %}`,
      [],
    ],
    ['headers that are no JSON', `{% response_headers '{a:1}' %}`, ['response-headers 1:21']],
    ['headers that are an array', `{% response_headers '[1]' %}`, ['response-headers 1:21']],
    ['a rollback without a transaction', `{% rollback %}`, ['rollback-outside-transaction 1:1']],
    [
      'a rollback in a called file',
      site(`{% transaction %}{% render 'p' %}{% endtransaction %}`, partial('p', '{% rollback %}')),
      [],
    ],
    [
      'a rollback in a file that is called without',
      site(`{% render 'p' %}`, partial('p', '{% rollback %}')),
      ['rollback-outside-transaction p.liquid 1:1'],
    ],
    ['sessions are offered', `{% sign_in user_id: 1 %}`, []],
  ])
})

describe('options of tags', () => {
  table([
    ['a word for a number', `{% for i in (1..3) limit: 'ten' %}{{ i }}{% endfor %}`, ['tag-argument-type 1:27']],
    ['a number in a text', `{% for i in (1..3) limit: '2' %}{{ i }}{% endfor %}`, []],
    ['a status that redirects nowhere', `{% redirect_to '/', status: 200 %}`, ['tag-argument-value 1:29']],
    ['an option that does not exist', `{% cache 'k', expires: 5 %}x{% endcache %}`, ['unknown-tag-argument 1:15']],
    ['a status in a text that redirects nowhere', `{% redirect_to '/', status: '200' %}`, ['tag-argument-value 1:29']],
    [
      'statuses that redirect',
      `{% redirect_to '/', status: 300 %}{% redirect_to '/', status: '399' %}{% redirect_to '/', status: nil %}`,
      [],
    ],
    ['a status below all', `{% response_status 199 %}`, ['tag-argument-value 1:20']],
    ['a status above all', `{% response_status 600 %}`, ['tag-argument-value 1:20']],
    ['the first and the last status', `{% response_status 200 %}{% response_status 599 %}`, []],
    ['a number beyond all numbers', `{% response_status ${'9'.repeat(400)} %}`, ['tag-argument-value 1:20']],
    ['a time that is over at once', `{% transaction timeout: 0 %}x{% endtransaction %}`, ['tag-argument-value 1:25']],
    ['a time below zero', `{% transaction timeout: '-0.5' %}x{% endtransaction %}`, ['tag-argument-value 1:25']],
    ['a fraction of a second', `{% transaction timeout: 0.5 %}x{% endtransaction %}`, []],
    [
      'a time that may be anything',
      `{% assign t = context.params.t %}{% transaction timeout: t %}x{% endtransaction %}`,
      [],
    ],
    ['a fragment that is kept for no time', `{% cache 'k', expire: 0 %}x{% endcache %}`, ['tag-argument-value 1:23']],
    ['a fragment that is gone before', `{% cache 'k', expire: -5 %}x{% endcache %}`, ['tag-argument-value 1:23']],
    ['a session without a user', `{% sign_in timeout_in_minutes: 15 %}`, ['missing-tag-argument 1:1']],
    ['a session that is over at once', `{% sign_in user_id: 1, timeout_in_minutes: 0 %}`, ['tag-argument-value 1:44']],
    ['a session of half a minute', `{% sign_in user_id: 1, timeout_in_minutes: 0.5 %}`, []],
    ['a place that no log has', `{% log 1, env: 'development' %}`, ['tag-argument-value 1:16']],
    ['a type of its own', `{% log 1, type: 'whatever', env: 'staging' %}{% log 1, 'whatever' %}`, []],
    ['a challenge that nobody offers', `{% spam_protection 'recaptcha_v4' %}`, ['tag-argument-value 1:20']],
    [
      'challenges by all their names',
      Object.keys(CHALLENGES)
        .map((name) => `{% spam_protection '${name}', action: 'sign/up' %}`)
        .join(''),
      [],
    ],
    ['a challenge that needs an action', `{% spam_protection 'captcha_v3' %}`, ['missing-tag-argument 1:1']],
    [
      'an action that the provider refuses',
      `{% spam_protection 'recaptcha_v3', action: 'sign up' %}`,
      ['tag-argument-value 1:44'],
    ],
  ])
})

describe('syntax errors', () => {
  it('are not followed by what they cause', () => {
    expect(problems(`{% assign x = 1 %}\n{% if x %}`)).toEqual(['unclosed-tag 2:1'])
  })

  it('keep the rest of the file checked', () => {
    expect(problems(`{{ 'a' | append 'x' }}\n{{ 'a' | upcas }}`)).toEqual([
      'filter-name-syntax 1:17',
      'unknown-filter 2:10',
    ])
  })
})

describe('base Liquid', () => {
  it('refuses nothing but syntax', () => {
    const { diagnostics } = checkFiles(
      { 'app/views/partials/a.liquid': `{{ 'a' | upcas }}{{ 'a' | append }}{% render 'nope' %}{{ name }}` },
      { dialect: 'liquid', openEntries: true },
    )
    expect(diagnostics.map((each) => `${each.severity} ${each.code}`)).toEqual([
      'warning unknown-filter',
      'warning filter-arity',
      'warning missing-partial',
    ])
  })
})

describe('a site whose files are rendered by name', () => {
  it('may be given any data', () => {
    const files = {
      ...site(`{{ name }}{% if n > 3 %}y{% endif %}`),
      ...partial('p', `{{ title }}{% if n == 'x' %}y{% endif %}`),
    }
    expect(problems(files, { openEntries: true })).toEqual([])
  })
})

describe('the Markdown of a partial', () => {
  const text = partial('terms', '---\nconverter: markdown\n---\n# Terms')
  const page = '---\nconverter: markdown\n---\n'
  table([
    ['becomes HTML with a Markdown page', site(`${page}{% render 'terms' %}`, text), []],
    [
      'also through another partial',
      site(`${page}{% render 'all' %}`, text, partial('all', `{% render 'terms' %}`)),
      [],
    ],
    ['stays as it is in another page', site(`{% render 'terms' %}`, text), ['unconverted-partial terms.liquid 2:1']],
    [
      'and in a layout',
      {
        ...site(`${page}{% render 'terms' %}`, text),
        'app/views/layouts/application.liquid': `{% render 'terms' %}{{ content_for_layout }}`,
      },
      ['unconverted-partial terms.liquid 2:1'],
    ],
    [
      'is dropped by a function',
      site(`{% function n = 'count' %}{{ n }}`, text, partial('count', `{% render 'terms' %}{% return 1 %}`)),
      [],
    ],
  ])
})

describe('what refuses a site', () => {
  const severities = (files: Files | string) =>
    checkFiles(files).diagnostics.map((each) => `${each.severity} ${each.code}`)
  it.each<[string, Files | string, readonly string[]]>([
    ['what fails in a page', `{% assign n = 'abc' | size %}{% if n > '3' %}y{% endif %}`, ['error impossible-order']],
    [
      'what fails in a partial whenever it runs',
      site(`{% render 'p', n: '1' %}`, partial('p', '{% if n > 3 %}y{% endif %}')),
      ['error impossible-order'],
    ],
    [
      'not what fails behind a condition of a partial',
      site(`{% render 'p', n: '1', kind: 'text' %}`, partial('p', `{% if kind == 'number' and n > 3 %}y{% endif %}`)),
      ['warning impossible-order'],
    ],
    [
      'not what is nil where it is read',
      site(`{% graphql g = 'all' %}{{ g.user.id }}`, {
        'app/graphql/all.graphql': '{ current_user { id } }',
      }),
      ['warning unknown-field'],
    ],
    [
      'not what a query ignores',
      site(`{% graphql g = 'all', page: 1 %}{{ g.current_user.id }}`, {
        'app/graphql/all.graphql': '{ current_user { id } }',
      }),
      ['warning unknown-variable'],
    ],
    [
      'not a file that only the platform makes',
      site(`{% graphql g = 'make' %}{{ g.record_create.id }}`, {
        'app/schema/paper.yml': 'name: paper\nproperties:\n  - name: file\n    type: upload\n',
        'app/graphql/make.graphql':
          'mutation { record_create(record: { table: "paper", properties: [{ name: "file", value_upload: { type: pdf, content: "x" } }] }) { id } }',
      }),
      ['warning graphql-not-served'],
    ],
    ['not what a theme is asked for', `{% theme_render_rc 'card' %}`, ['warning missing-partial']],
    [
      'not a field that a form cannot fill',
      site(`{% include_form 'book' %}`, {
        'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n',
        'app/forms/book.liquid': `---\nname: book\nresource: book\nfields:\n  properties:\n    titel:\n---\n{% form %}{% endform %}`,
      }),
      ['warning unknown-form-field'],
    ],
    [
      'not a resource that only this server lacks',
      site(`a`, { 'app/forms/image.liquid': `---\nname: image\nresource: CustomImage\n---\n` }),
      ['warning unknown-form-resource'],
    ],
    [
      'not a value that an included file returns for others',
      site(`{% include 'one' %}{% function a = 'one' %}{{ a }}`, { 'app/lib/one.liquid': '{% return 1 %}' }),
      ['info dropped-return'],
    ],
    [
      'nor one that a rendered file returns',
      site(`{% render 'one' %}`, { 'app/lib/one.liquid': '{% return 1 %}' }),
      ['warning dropped-return'],
    ],
    [
      'not what an include leaves out',
      site(`{% include 'card' %}`, partial('card', '{{ title }}')),
      ['info implicit-include-argument'],
    ],
    [
      'nor a value that many branches are meant to run for',
      `{% case context.params.a %}{% when 'x', 'all' %}1{% when 'y', 'all' %}2{% when 'z', 'all' %}3{% endcase %}`,
      ['info overlapping-when'],
    ],
    [
      'nor a nil that nobody reads',
      site(`{% render 'card', title: 'a', note: nil %}`, partial('card', '{{ title }}')),
      ['info unknown-inferred-argument'],
    ],
    [
      'not what a try waits for',
      `{% try %}{% assign n = 1 %}{% assign n['a'] = 2 %}{{ 'a' | append }}{% catch %}x{% endtry %}`,
      ['warning invalid-write-target', 'warning filter-arity'],
    ],
    [
      'nor a call of a function without a result that nobody reads',
      site(`{% function r = 'p' %}`, partial('p', 'x')),
      ['warning unused-assign'],
    ],
  ])('%s', (_name, files, expected) => {
    expect(severities(files)).toEqual(expected)
  })

  it('but a result that no path gives', () => {
    expect(severities(site(`{% function r = 'p' %}{{ r.id }}`, partial('p', 'x')))).toEqual([
      'error function-without-return',
    ])
  })
})
