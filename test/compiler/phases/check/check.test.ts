/** A single template: what the checker reports, and what it accepts. */
import { describe, expect, it } from 'vitest'
import { checkFiles, PAGE, partial, site, table } from '../../../support/compiler/check.ts'

describe('filters', () => {
  it.each([
    [`{% assign h = '{ "a": 1 }' | parse_json %}{{ h.a }}`, /^Write the hash or array in `assign`/],
    [`{% assign h = context.params.h | parse_json %}{{ h.a }}`, /For other strings, keep using this filter/],
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
      'a key that is deleted is gone',
      `{% assign h = { "a": 1 } %}{% assign gone = h | hash_delete_key: 'a' %}{{ gone }}{{ h.a }}`,
      ['unknown-property 1:87'],
    ],
    [
      'and the others are as they were',
      `{% assign h = { "a": 1 } %}{% assign gone = h | hash_delete_key: 'a' %}{{ gone }}{{ h.b }}`,
      ['unknown-property 1:87'],
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
    ['an export reads it', `{% assign x = 1 %}{% export x, namespace: 'n' %}`, ['unread-value 1:19']],
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
    ['nothing is written into what nothing sets', `{% assign h['a'] = 1 %}`, ['invalid-write-target 1:11']],
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
      ['shared-value 1:56'],
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
      'a condition of an earlier branch never holds',
      `{% if context.params.a == 'x' %}a{% elsif context.params.b %}b{% elsif context.params.a == 'x' %}c{% endif %}`,
      ['constant-condition 1:72'],
    ],
    [
      'nor does one that an earlier branch has beside others',
      `{% if context.params.a or context.params.b and context.params.c %}a{% elsif context.params.a %}b{% endif %}`,
      ['constant-condition 1:77'],
    ],
    [
      'nor does one that several branches have',
      `{% if context.params.a %}a{% elsif context.params.b %}b{% elsif context.params.b or context.params.a %}c{% endif %}`,
      ['constant-condition 1:65'],
    ],
    [
      'behind unless, too',
      '{% unless context.params.a %}a{% elsif context.params.b %}b{% elsif context.params.b %}c{% endunless %}',
      ['constant-condition 1:69'],
    ],
    [
      'a condition with one more, or one less, is another one',
      `{% if context.params.a and context.params.b %}a{% elsif context.params.b %}b{% elsif context.params.a or context.params.b %}c{% endif %}`,
      [],
    ],
    [
      'what is put together in a text may be another one each time',
      {
        'app/config.yml': 'string_interpolation: true\n',
        [PAGE]:
          '{% assign n = context.params.n %}{% if context.params.a == "{{ n }}" %}a{% elsif context.params.a == "{{ n }}" %}b{% endif %}',
      },
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
