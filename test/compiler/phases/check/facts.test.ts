/** The facts for the emitter: types that are certain each time that a place is reached. */
import { describe, expect, it } from 'vitest'
import type { Node } from '../../../../compiler/core/tree/ast.ts'
import type { TemplateFacts } from '../../../../compiler/core/model/facts.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import type { Type } from '../../../../compiler/core/model/type.ts'
import { type CheckOptions, checkFiles, type Files } from '../../../support/compiler/check.ts'

const PAGE = 'app/views/pages/index.liquid'
const partial = (name: string) => `app/views/partials/${name}.liquid`

/** Returns a type as TypeScript text. */
function shown(type: Type | undefined): string {
  if (type === undefined) return 'unknown'
  switch (type.kind) {
    case 'string':
      return type.literal === undefined ? (type.safe ?? 'string') : `'${type.literal}'`
    case 'list':
      return `${shown(type.element)}[]`
    case 'hash':
      return `{ [key]: ${shown(type.element)} }`
    case 'record':
      return `{ ${[...type.fields].map(([key, of]) => `${key}: ${shown(of)}`).join(', ')}${type.open ? ', …' : ''} }`
    case 'union':
      return type.members.map(shown).toSorted().join(' | ')
    default:
      return type.kind
  }
}

/** Returns the types of all outputs of a template, in source order. */
function outputs(facts: TemplateFacts | undefined, nodes: readonly Node[] | undefined): readonly string[] {
  return (nodes ?? []).flatMap((node): readonly string[] => {
    if (node.kind === 'text') return []
    if (node.kind === 'output') return node.value === null ? [] : [shown(facts?.types.get(node.value))]
    return [node.body, ...node.branches.map(({ body }) => body)].flatMap((body) => outputs(facts, body))
  })
}

function factsOf(files: Files | string, path: string, options: CheckOptions = {}) {
  const { facts, site } = checkFiles(files, options)
  const known = facts.templates.get(path)
  return { facts: known, printed: outputs(known, site.byFile.get(path)?.template?.nodes) }
}

/** Returns the types of what a page prints. */
function printed(template: string, files: Files = {}, options: CheckOptions = {}): readonly string[] {
  return factsOf({ [PAGE]: template, ...files }, PAGE, options).printed
}

/** Returns the types of what a partial prints, on a site with this page. */
function printedIn(name: string, page: string, files: Files, options: CheckOptions = {}): readonly string[] {
  const all: Files = {
    [PAGE]: page,
    ...Object.fromEntries(Object.entries(files).map(([key, text]) => [partial(key), text])),
  }
  return factsOf(all, partial(name), options).printed
}

describe('types of values', () => {
  it('are those of literals, paths and filters', () => {
    expect(printed("{% assign a = 3 %}{{ a }}{{ a | plus: 1 }}{{ 'x' | upcase }}{{ a | divided_by: 2.5 }}")).toEqual([
      'integer',
      'integer',
      'string',
      'number',
    ])
    expect(
      printed('{% assign h = { "a": { "b": 1.5 }, "c": [1, 2] } %}{{ h.a.b }}{{ h.c.size }}{{ h.c[0] }}{{ h.d }}'),
    ).toEqual(['float', 'integer', 'integer | nil', 'nil'])
  })

  it('are unknown for what comes from outside', () => {
    expect(printed('{{ context.params.id }}{{ context.location.href }}{{ context }}')).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ])
  })

  it('are those of both ways where ways meet', () => {
    expect(
      printed("{% if context.params.a %}{% assign x = 1 %}{% else %}{% assign x = 's' %}{% endif %}{{ x }}"),
    ).toEqual(["'s' | integer"])
    expect(
      printed('{% if context.params.a %}{% assign x = 1 %}{% endif %}{{ x }}{% if x %}{{ x }}{% endif %}'),
    ).toEqual(['integer | nil', 'integer'])
  })

  it('hold for nothing that a condition does not say', () => {
    expect(
      printed('{% if context.params.a %}{% assign x = false %}{% endif %}{% unless x %}{{ x }}{% endunless %}'),
    ).toEqual(['boolean | nil'])
  })

  it('leave out what is known of an object with the properties of hashes and texts', () => {
    expect(
      printed('{% assign h = { "a": 1 } %}{{ h.size }}{{ h.first }}{% assign s = \'\' %}{{ s.first }}{{ s.size }}'),
    ).toEqual(['unknown', 'unknown', 'unknown', 'integer'])
  })

  it('tell nothing of the elements of a list that a filter flattens', () => {
    expect(printed('{% assign l = [[1], [2]] %}{% assign f = l | reverse %}{{ f[0] }}')).toEqual(['unknown'])
    expect(printed('{% assign l = [1, 2] %}{% assign f = l | reverse %}{{ f[0] }}')).toEqual(['integer | nil'])
  })

  it('have nil where a filter may give it', () => {
    expect(printed('{% assign l = [1, 2] %}{% assign f = l | sort: "x" %}{{ f }}')).toEqual(['integer[] | nil'])
  })

  it('of a bare key are those of the variable, where there is one', () => {
    expect(printed('{% assign a = "k" %}{% assign h = { a: 1 } %}{{ h.a }}{% assign g = { b: 1 } %}{{ g.b }}')).toEqual(
      ['unknown', 'integer'],
    )
  })
})

describe('in loops, types', () => {
  it('hold in every turn', () => {
    expect(printed("{% assign x = 1 %}{% for i in (1..3) %}{{ x }}{% assign x = 'a' %}{% endfor %}{{ x }}")).toEqual([
      "'a' | integer",
      "'a' | integer",
    ])
  })

  it('follow a value that wanders from one variable to the next, turn by turn', () => {
    const moves = '{% assign a = b %}{% assign b = c %}{% assign c = d %}{% assign d = e %}{% assign e = "s" %}'
    const start = '{% assign a = 1 %}{% assign b = 1 %}{% assign c = 1 %}{% assign d = 1 %}{% assign e = 1 %}'
    expect(printed(`${start}{% for i in (1..9) %}{{ a }}${moves}{% endfor %}`)).toEqual(['unknown'])
  })

  it('keep numbers that are counted up', () => {
    expect(printed('{% assign n = 0 %}{% for i in (1..3) %}{% assign n = n | plus: i %}{% endfor %}{{ n }}')).toEqual([
      'integer',
    ])
  })

  it('know what an earlier turn has set for the first time', () => {
    expect(printed('{% for i in (1..3) %}{{ x }}{% assign x = i %}{% endfor %}')).toEqual(['integer | nil'])
  })

  it('hold behind a break, also out of a capture', () => {
    expect(
      printed(
        '{% assign x = 1 %}{% for i in (1..3) %}{% capture x %}{% if i == 2 %}{% break %}{% endif %}{% endcapture %}{% assign x = 2 %}{% endfor %}{{ x }}',
      ),
    ).toEqual(['integer | string'])
    expect(
      printed(
        "{% assign x = 1 %}{% for i in (1..3) %}{% assign x = 'a' %}{% if i == 2 %}{% break %}{% endif %}{% assign x = 2 %}{% endfor %}{{ x }}",
      ),
    ).toEqual(["'a' | integer"])
  })

  it('forget the elements of a list when one of them is changed', () => {
    const list = '{% assign l = [{ "a": 1 }, { "a": 2 }] %}{% assign other = l[1] %}'
    expect(printed(`${list}{% for each in l %}{{ each.a }}{% assign other.a = 'x' %}{% endfor %}`)).toEqual(['unknown'])
    expect(printed(`${list}{% for each in l %}{{ each.a }}{% endfor %}`)).toEqual(['integer'])
  })

  it('know the names of the language', () => {
    expect(printed('{% for i in (1..3) %}{{ i }}{{ forloop.index }}{{ forloop.first }}{% endfor %}')).toEqual([
      'integer',
      'integer',
      'boolean',
    ])
  })
})

describe('values that are changed in place', () => {
  it('are known while nobody else holds them', () => {
    expect(printed('{% assign h = { "a": 1 } %}{% assign h.b = "x" %}{{ h.a }}{{ h.b }}')).toEqual([
      'integer',
      'string',
    ])
    expect(printed('{% assign l = [1] %}{% assign l << 2 %}{{ l[0] }}')).toEqual(['integer | nil'])
  })

  it('are forgotten under every name that may be theirs', () => {
    const alias = '{% assign h = { "a": 1 } %}{% assign other = h %}'
    expect(printed(`${alias}{% hash_assign other['a'] = 'x' %}{{ h.a }}`)).toEqual(['unknown'])
    expect(printed(`${alias}{% assign other = other | hash_add_key: 'a', 'x' %}{{ h.a }}`)).toEqual(['unknown'])
  })

  it('are forgotten inside of what holds them', () => {
    expect(
      printed('{% assign r = { "z": 1 } %}{% assign h = {} %}{% assign h.k = r %}{% assign r.z = "x" %}{{ h.k.z }}'),
    ).toEqual(['unknown'])
    expect(
      printed(
        '{% assign r = { "z": 1 } %}{% assign h = {} %}{{ h | hash_add_key: "k", r }}{% assign r.z = "x" %}{{ h.k.z }}',
      ).at(-1),
    ).toBe('unknown')
  })

  it('are forgotten behind a partial that changes what it is given', () => {
    const files = { [partial('change')]: "{% assign h.a = 'x' %}", [partial('look')]: '{{ h.a }}' }
    const make = '{% assign h = { "a": 1 } %}'
    expect(printed(`${make}{% render 'change', h: h %}{{ h.a }}`, files)).toEqual(['unknown'])
    expect(printed(`${make}{% render 'look', h: h %}{{ h.a }}`, files)).toEqual(['integer'])
  })

  it('are forgotten in a partial that changes its own parameter, also in a turn before', () => {
    const page = '{% assign h = { "a": 1 } %}{% render \'f\', h: h %}'
    expect(printedIn('f', page, { f: '{{ h.a }}' })).toEqual(['integer'])
    expect(printedIn('f', page, { f: "{% for i in (1..2) %}{{ h.a }}{% assign h.a = 'x' %}{% endfor %}" })).toEqual([
      'unknown',
    ])
  })

  it('stay known in a text that was read from them', () => {
    expect(
      printed('{% assign h = { "a": 1 } %}{% assign o = h %}{% assign n = h.a %}{% assign o.a = "x" %}{{ n }}'),
    ).toEqual(['integer'])
  })
})

describe('what may fail', () => {
  const inline = { raise: false }

  it('leaves a variable as it was, where faults are printed', () => {
    const template = "{% assign x = 'a' %}{% assign x = 1 | divided_by: 0 %}{{ x }}"
    expect(printed(template, {}, inline)).toEqual(["'a' | integer"])
    expect(printed(template)).toEqual(['integer'])
  })

  it('gives an empty text, where a filter of the platform refuses what it is given', () => {
    expect(printed('{{ context.params.l | array_compact }}', {}, inline)).toEqual(["'' | unknown[]"])
    expect(printed('{{ context.params.l | array_compact }}')).toEqual(['unknown[]'])
  })

  it('leaves a `try` anywhere', () => {
    expect(
      printed(
        "{% assign x = 1 %}{% try %}{% assign x = 'a' %}{{ 1 | divided_by: 0 }}{% return %}{% catch %}{{ x }}{% endtry %}",
      ),
    ).toEqual(['integer', 'unknown'])
  })

  it('goes on behind a `return` with such a value', () => {
    const files = { [partial('f')]: '{% return 1 | divided_by: 0 %}' }
    const template = "{% function x = 'f' %}{{ x }}"
    expect(printed(template, files)).toEqual(['integer'])
    expect(printed(template, files, inline)).toEqual(['integer | nil'])
  })
})

describe('partials', () => {
  it('have parameters of the types that every caller passes', () => {
    const page = "{% render 'f', a: 1, b: 'x' %}{% render 'f', a: 2.5 %}"
    expect(printedIn('f', page, { f: '{{ a }}{{ b }}{{ c }}' })).toEqual(['number', "'x' | nil", 'nil'])
  })

  it('know the elements that they are rendered for', () => {
    expect(printedIn('f', "{% assign l = [1, 2] %}{% render 'f' for l as item %}", { f: '{{ item }}' })).toEqual([
      'integer',
    ])
  })

  it('have unknown parameters where a computed name may mean them', () => {
    const page = "{% render 'f', a: 1 %}{% assign n = context.params.n | prepend: 'f' %}{% function x = n, a: 's' %}"
    const { facts, printed: types } = factsOf({ [PAGE]: page, [partial('f')]: '{{ a }}' }, partial('f'))
    expect(types).toEqual(['unknown'])
    expect(facts?.signature.parameters).toBe(null)
  })

  it('have unknown parameters where a job may run them', () => {
    expect(printedIn('f', "{% render 'f', a: 1 %}{% background x = 'f', a: 1 %}", { f: '{{ a }}' })).toEqual([
      'unknown',
    ])
  })

  it('have unknown names where something includes them', () => {
    expect(printedIn('f', "{% assign a = 1 %}{% include 'f' %}", { f: '{{ a }}' })).toEqual(['unknown'])
  })

  it('have unknown parameters in a circle of calls', () => {
    const f = "{{ a }}{% if context.params.x %}{% render 'f', a: 's' %}{% endif %}"
    expect(printedIn('f', "{% render 'f', a: 1 %}", { f })).toEqual(['unknown'])
  })

  it('have unknown parameters where the host renders by name', () => {
    expect(printedIn('f', "{% render 'f', a: 1 %}", { f: '{{ a }}' }, { openEntries: true })).toEqual(['unknown'])
  })

  it('give what all of their ways return', () => {
    const f = '{% if a %}{% return 1 %}{% endif %}{% return "s" %}'
    const page = "{% function x = 'f', a: 1 %}{{ x }}"
    expect(printed(page, { [partial('f')]: f })).toEqual(["'s' | integer"])
    expect(printed(page, { [partial('f')]: '{% if a %}{% return 1 %}{% endif %}' })).toEqual(['integer | nil'])
  })

  it('give what is unknown where a file that they include may return', () => {
    const files = {
      [partial('f')]: "{% include 'g' %}{% return 1 %}",
      [partial('g')]: "{% if x %}{% return 's' %}{% endif %}",
    }
    expect(printed("{% function x = 'f' %}{{ x }}", files)).toEqual(['unknown'])
  })

  it('overwrite the names of who includes them', () => {
    const page = "{% assign a = 1 %}{% assign b = 2 %}{% include 'f' %}{{ a }}{{ b }}"
    expect(printed(page, { [partial('f')]: "{% assign a = 's' %}" })).toEqual(['unknown', 'integer'])
  })

  it('overwrite names through what they include themselves, and in the turns behind', () => {
    const files = { [partial('f')]: "{{ a }}{% include 'g' %}", [partial('g')]: "{% assign a = 's' %}" }
    expect(printed("{% assign a = 1 %}{% for i in (1..2) %}{{ a }}{% include 'f' %}{% endfor %}", files)).toEqual([
      'unknown',
    ])
  })

  it('may overwrite everything where their name is computed', () => {
    const page = "{% assign a = 1 %}{% assign n = 'f' | append: context.params.n %}{% include n %}{{ a }}"
    expect(printed(page, { [partial('f1')]: "{% assign a = 's' %}" })).toEqual(['unknown'])
  })

  it('hold on to what they read by its name', () => {
    const page = "{% assign h = { \"a\": 1 } %}{% assign g = {} %}{% include 'f' %}{% assign g.a = 's' %}{{ h.a }}"
    expect(printed(page, { [partial('f')]: '{% assign g = h %}' })).toEqual(['unknown'])
  })
})

describe('facts', () => {
  it('tell what a name means', () => {
    const page =
      '{% assign a = 1 %}{% increment n %}{% for i in (1..2) %}{{ i }}{% endfor %}{{ a }}{{ n }}{{ context }}{{ x }}'
    const { facts } = factsOf(page, PAGE)
    const names = [...(facts?.bindings ?? [])].map(([{ name }, binding]) => `${name?.name} ${binding}`)
    expect(names).toEqual(['i loop', 'a variable', 'n counter', 'context host', 'x unset'])
  })

  it('tell nothing of a name that means one thing here and another there', () => {
    const { facts } = factsOf('{% if context.params.a %}{% assign a = 1 %}{% endif %}{{ a }}', PAGE)
    expect([...(facts?.bindings.keys() ?? [])].map(({ name }) => name?.name)).toEqual(['context'])
  })

  it('have the types of all that a variable is ever given', () => {
    const { facts } = factsOf("{% assign a = 1 %}{% assign a = 's' %}{% assign b = 1 %}{% assign b = 2 %}", PAGE)
    expect([...(facts?.variables ?? [])].map(([name, type]) => `${name}: ${shown(type)}`)).toEqual([
      "a: 's' | integer",
      'b: integer',
    ])
  })

  it('tell which names may be handed over: a layout of mails has those of the mail', () => {
    const layout = 'app/views/layouts/a.liquid'
    const { givenNames } = checkFiles({
      [PAGE]: "---\nlayout: a\n---\n{% render 'f', a: 1 %}{% render 'f', b: 2 %}",
      [partial('f')]: '{{ a }}{{ b }}{{ c }}',
      [layout]: '{{ changes }}{{ content_for_layout }}',
    }).facts
    expect(givenNames.get(layout)).toBe(null)
    expect([...(givenNames.get(partial('f')) ?? [])].filter((name) => name !== 'context')).toEqual(['a', 'b'])
    expect(givenNames.get(PAGE)?.has('c')).toBe(false)
  })

  it('are the same value while nothing that they depend on changes', () => {
    const memo = new Memory()
    const files = { [PAGE]: "{% function x = 'f' %}{{ x }}", [partial('f')]: '{% return 1 %}', [partial('g')]: 'g' }
    const found = (files: Readonly<Record<string, string>>) => checkFiles(files, { memo }).facts.templates.get(PAGE)
    const before = found(files)
    expect(before).toBeDefined()
    expect(found({ ...files, [partial('g')]: 'h' })).toBe(before)
    expect(found({ ...files, [partial('f')]: '{% return 2 %}' })).toBe(before)
    expect(found({ ...files, [partial('f')]: "{% return 's' %}" })).not.toBe(before)
  })
})
