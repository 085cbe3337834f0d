/** One error in the block structure of a template causes one message. Its consequences are not reported. */
import { describe, expect, test } from 'vitest'
import { checkFiles } from '../../../support/compiler/check.ts'
import { measureCost } from '../../../support/cost.ts'

/** Returns each diagnostic as `code line:column` with the hint. */
function check(text: string): readonly string[] {
  return checkFiles(text)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, span, hint }) => {
      const before = text.slice(0, span.start)
      const column = span.start - before.lastIndexOf('\n')
      return `${code} ${before.split('\n').length}:${column}${hint === undefined ? '' : ` ${hint}`}`
    })
}

describe('a misspelled block', () => {
  const loop = (open: string, end: string) => `${open}\n{{ nope }}\n{% else %}\nnothing\n${end}`

  test.each([
    [
      'a short name',
      loop('{% fr a in b %}', '{% endfor %}'),
      ['unknown-tag 1:4 `endfor` closes it. Did you mean `for`?'],
    ],
    [
      'another name',
      loop('{% each a in b %}', '{% endfor %}'),
      ['unknown-tag 1:4 `endfor` closes it. Did you mean `for`?'],
    ],
    ['closed as it is spelled', loop('{% fro a in b %}', '{% endfro %}'), ['unknown-tag 1:4 Did you mean `for`?']],
    ['of another language', '{% each_of a by 5 %}{% else %}{% endeach_of %}', ['unknown-tag 1:4']],
    [
      'in a liquid tag',
      '{% liquid\n  fr a in b\n    echo a\n  endfor\n%}',
      ['unknown-tag 2:3 `endfor` closes it. Did you mean `for`?'],
    ],
    [
      'inside of the block that was meant',
      '{% for a in context.params %}\n{% fr b in a %}\n{% endfor %}\n{% endfor %}',
      ['unknown-tag 2:4 `endfor` closes it. Did you mean `for`?'],
    ],
    [
      'with the meant block in it',
      '{% fr a in b %}{% for c in a %}{% endfor %}{% endfor %}',
      ['unknown-tag 1:4 `endfor` closes it. Did you mean `for`?'],
    ],
    [
      'twice',
      '{% fi a %}{% endif %}\n{% fi b %}{% endif %}',
      [
        'unknown-tag 1:4 `endif` closes it. Did you mean `if`?',
        'unknown-tag 2:4 `endif` closes it. Did you mean `if`?',
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(check(text)).toEqual(expected)
  })

  test('a tag of one line takes nothing with it', () => {
    expect(check('{% asign a = 1 %}{% if context.params.a %}{% nope %}{% endif %}')).toEqual([
      'unknown-tag 1:4 Did you mean `assign`?',
      'unknown-tag 1:46',
    ])
  })
})

describe('the end of another block', () => {
  test.each([
    [
      'instead of its own',
      '{% for a in context.params %}\n{{ a }}\n{% endif %}',
      ['mismatched-end 3:4 Write `{% endfor %}` instead.'],
    ],
    [
      'instead of its own, inside of another',
      '{% if context.params.a %}{% for a in context.params %}{{ a }}{% endfro %}{% endif %}',
      ['mismatched-end 1:65 Write `{% endfor %}` instead.'],
    ],
    [
      'too much',
      '{% for a in context.params %}{{ a }}{% endif %}{% endfor %}',
      ['mismatched-end 1:40 Remove this tag.'],
    ],
    [
      'before its own',
      '{% if context.params.a %}{% for a in context.params %}{{ a }}{% endif %}',
      ['mismatched-end 1:65 Write `{% endfor %}` first.'],
    ],
    ['with nothing open', 'a{% endif %}', ['mismatched-end 1:5 Remove this tag.']],
  ])('%s', (_, text, expected) => {
    expect(check(text)).toEqual(expected)
  })
})

test('a file full of slips costs no square', () => {
  const cost = measureCost()
  const found = check(`${'{% fr a %}{% endfor %}{% zip %}{% for a in b %}{% endif %}'.repeat(2000)}`)
  expect(found.length).toBeGreaterThan(1000)
  expect(cost()).toBeLessThan(20_000)
})

describe('one slip, one message', () => {
  test.each([
    [
      'a branch that is spelled otherwise',
      '{% if context.params.a %}a{% elseif b %}b{% endif %}',
      ['unknown-tag 1:30 Did you mean `elsif`?'],
    ],
    ['quotes that do not fit', `{{ "a' | upcase }}`, ['unclosed-string 1:4 Close the string with the same quote.']],
    [
      'a query without its equals sign',
      "{% graphql g 'posts/find', id: 1 %}{{ g }}",
      [
        "unclosed-tag 1:1 Write `{% endgraphql %}` where the block ends, or write `{% graphql result = 'folder/query', id: 1 %}` without a body.",
      ],
    ],
  ])('%s', (_, text, expected) => {
    expect(check(text)).toEqual(expected)
  })

  test('quotes that do not fit, in two outputs', () => {
    expect(check(`{{ "a' }}\n{{ 'b" }}`).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'unclosed-string 1:4',
      'unclosed-string 2:4',
    ])
  })

  test('settings that cannot be read lack nothing', () => {
    const files = { 'app/forms/a.liquid': '---\nname: a\nresource: user\nfields:\n    b: 1\n   c: 1\n---\n' }
    expect(checkFiles(files).diagnostics.map(({ code }) => code)).toEqual(['yaml-syntax'])
  })

  test('what could not be read may be what uses the rest', () => {
    const files = (page: string) => ({
      'app/views/pages/index.liquid': page,
      'app/views/partials/card.liquid': 'a',
      'app/schema/a.yml': 'name: a\n',
      'app/graphql/all.graphql': 'query { records(per_page: 1, filter: { table: { value: "a" } }) { total_entries } }',
    })
    const codes = (page: string) => checkFiles(files(page)).diagnostics.map(({ code }) => code)
    expect(codes('{% fr a in b %}{% render "card" %}{% endfor %}')).toEqual(['unknown-tag'])
    expect(codes('{{ 1 }}').sort()).toEqual(['unused-partial', 'unused-query'])
  })

  test('an unknown setting of a page hides no field of a form about users', () => {
    const files = {
      'app/views/pages/index.liquid': '---\nlyaout_name: plain\n---\n{% include_form "leave" %}',
      'app/forms/leave.liquid':
        '---\nname: leave\nresource: User\nfields:\n  deleted_at:\n---\n{% form %}{% endform %}',
    }
    const codes = checkFiles(files).diagnostics.map(({ code }) => code)
    expect(codes).toContain('unknown-setting')
    expect(codes).toContain('unknown-form-field')
  })

  test('a text folded below `>` has its places', () => {
    const text =
      '---\nname: a\nresource: User\ncallback_actions: >\n  {% log 1 %}\n  {% assign b = 1 | upcas %}{{ b }}\n---\n'
    const found = checkFiles({ 'app/forms/a.liquid': text }).diagnostics.find(({ code }) => code === 'unknown-filter')
    expect(text.slice(found?.span.start, found?.span.end)).toBe('upcas')
  })
})
