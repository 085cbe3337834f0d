/** Calls between templates: what the checker reports, and what it accepts. */
import { describe, expect, it } from 'vitest'
import { checkFiles, partial, site, table, type Files } from '../../../support/compiler/check.ts'

describe('calls', () => {
  it('names the folder where the missing file belongs', () => {
    const hints = (text: string) => checkFiles(text).diagnostics.map(({ hint }) => hint)
    expect(hints("{% render 'params/text' %}")).toEqual([
      'Create `app/views/partials/params/text.liquid`, or remove the call.',
    ])
    expect(hints("{% function q = 'params/text' %}{{ q }}")).toEqual([
      'Create `app/lib/params/text.liquid`, or remove the call.',
    ])
    expect(hints("{% function q = 'modules/shop/text' %}{{ q }}")[0]).not.toContain('views')
  })

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
    ['that a test makes', site('x', partial('test/old_test', `{% render 'old' %}`), partial('old', 'y')), []],
    [
      'of what is not there, by a test',
      site('x', partial('test/old_test', `{% render 'old' %}`)),
      ['missing-partial old_test.liquid 1:11'],
    ],
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
    const face = checkFiles(files).signature('app/views/partials/f.liquid')
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
