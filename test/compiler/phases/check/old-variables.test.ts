/**
 * Bare names for the fields of `context` (`liquid_add_old_variables`): what the checker infers, and which results change with the setting.
 */
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { Memory, type Memo } from '../../../../compiler/core/model/memo.ts'
import type { SourceFile } from '../../../../compiler/core/source/file.ts'
import { classify } from '../../../../compiler/core/source/kinds.ts'
import { CONTEXT_FIELDS } from '../../../../compiler/language/types/context.ts'
import { OLD_NAMES } from '../../../../runtime/page/old-names.ts'
import { checkFiles, type Files, problems as allProblems } from '../../../support/compiler/check.ts'

const PAGE = 'app/views/pages/index.liquid'
const ON = { 'app/config.yml': 'liquid_add_old_variables: true\n' }
const OFF = { 'app/config.yml': 'liquid_add_old_variables: false\n' }
const NAMES = ['platform_context', ...Object.keys(CONTEXT_FIELDS)]

/** Returns the diagnostics, except those about a read of an older name. */
function problems(files: Files): readonly string[] {
  return allProblems(files).filter((each) => !each.startsWith('old-name '))
}

/** Returns the places where older names are read. */
function remarks(files: Files): readonly string[] {
  return allProblems(files).flatMap((each) => (each.startsWith('old-name ') ? [each.slice('old-name '.length)] : []))
}

function partial(name: string, text: string): Files {
  return { [`app/views/partials/${name}.liquid`]: text }
}

describe('a name that nothing sets', () => {
  it.each(NAMES)('%s is known with the setting, and only then', (name) => {
    expect(allProblems({ ...ON, [PAGE]: `{{ ${name} }}` })).toEqual(['old-name 1:4'])
    expect(allProblems({ [PAGE]: `{{ ${name} }}` })).toEqual(['old-name 1:4'])
    expect(allProblems({ ...OFF, [PAGE]: `{{ ${name} }}` })).toEqual(['undefined-variable 1:4'])
  })

  it('is one of those that the runtime knows', () => expect([...OLD_NAMES].sort()).toEqual([...NAMES].sort()))

  it('is told where the request has it', () => {
    const hints = (page: string, more: Files = {}) =>
      checkFiles({ [PAGE]: page, ...more }).diagnostics.map(({ hint }) => hint)
    expect(hints('{{ params.id }}')).toEqual(['Write `context.params`.'])
    expect(hints('{{ platform_context.params }}')).toEqual(['Write `context`.'])
    expect(hints(`{% render 'card' %}`, partial('card', '{{ current_user.id }}'))).toEqual([
      'Pass `current_user`, or read `context.current_user` in the partial.',
    ])
  })

  it('is none of base Liquid, nor any other name', () => {
    expect(problems({ ...ON, [PAGE]: '{{ forms }}{{ parms }}' })).toEqual([
      'undefined-variable 1:4',
      'undefined-variable 1:15',
    ])
  })

  it('is nothing that a caller must pass, or a doc declare', () => {
    const card = partial('card', '{{ params.id }}{{ title }}')
    expect(problems({ ...ON, [PAGE]: `{% render 'card', title: 'x' %}`, ...card })).toEqual([])
    expect(problems({ ...OFF, [PAGE]: `{% render 'card', title: 'x' %}`, ...card })).toEqual([
      'missing-inferred-argument 1:11',
    ])
    expect(problems({ ...ON, [PAGE]: `{% render 'card', title: 'x', params: context.headers %}`, ...card })).toEqual([])
    const documented = partial('card', `{% doc %}\n @param {string} title - a\n{% enddoc %}{{ params.id }}{{ title }}`)
    expect(problems({ ...ON, [PAGE]: `{% render 'card', title: 'x' %}`, ...documented })).toEqual([])
    const outer = partial('outer', `{% include 'card', title: 'x' %}`)
    const of = (config: Files) => problems({ ...config, [PAGE]: `{% include 'outer' %}`, ...outer, ...card })
    expect(of(ON)).toEqual([])
    expect(of(OFF)).toEqual(['implicit-include-argument 1:12'])
  })
})

describe('its type', () => {
  const both = (before: string, after: string, more: Files = {}) => {
    const of = (root: string) =>
      checkFiles({
        ...ON,
        [PAGE]: `---\nslug: 'x/:id'\n---\n${before}{{ ${root}${after} }}`,
        ...more,
      }).diagnostics.flatMap(({ code, message }) =>
        code === 'old-name' ? [] : [`${code}: ${message.replaceAll(root, '…')}`],
      )
    return of
  }

  it.each([
    ['location', '.nothing'],
    ['location', '.host.x'],
    ['params', '.id | plus: 1'],
    ['environment', ' | array_add: 1'],
    ['page', '.slug | array_add: 1'],
    ['device', '.nam'],
  ])('is that of the field: %s%s', (name, after) => {
    const of = both('', after)
    expect(of(name)).toEqual(of(`context.${name}`))
    expect(of(name)).toEqual(of(`platform_context.${name}`))
  })

  it('is wrong of some of them', () => {
    expect(problems({ ...ON, [PAGE]: '{{ location.nothing }}' })).toEqual(['unknown-property 1:13'])
    expect(problems({ ...ON, [PAGE]: '{{ platform_context.curent_user.id }}' })).toEqual(['unknown-property 1:21'])
  })

  it('knows what tags put into the request', () => {
    const more = partial('set', `{% session n = 1 %}{% assign e = 'x' %}{% export e, namespace: 'a' %}`)
    const wrong = (text: string) =>
      problems({ ...ON, [PAGE]: `{% render 'set' %}${text}`, ...more }).filter(
        (each) => !each.startsWith('unread-value '),
      )
    expect(wrong('{% if session.n == "one" %}y{% endif %}').map((each) => each.split(' ')[0])).toEqual(
      wrong('{% if context.session.n == "one" %}y{% endif %}').map((each) => each.split(' ')[0]),
    )
    expect(wrong('{% if session.n == "one" %}y{% endif %}')).toHaveLength(1)
    expect(wrong('{% if exports.a.e == 1 %}y{% endif %}')).toHaveLength(1)
  })

  it('is that of a variable where one is set, and of either where one may be', () => {
    const card = partial('card', '{{ location.title | append: location.nothing }}')
    expect(problems({ ...ON, [PAGE]: `{% assign location = 'x' %}{{ location | upcase }}` })).toEqual([])
    expect(problems({ ...ON, [PAGE]: `{% render 'card', location: context.params %}`, ...card })).toEqual([])
    expect(problems({ ...ON, [PAGE]: `{% render 'card' %}`, ...card })).toEqual([
      'unknown-property card.liquid 1:13',
      'unknown-property card.liquid 1:38',
    ])
  })
})

describe('a site that does not say', () => {
  const card = partial('card', '{{ page.slug }}')

  it.each<[string, Files, readonly string[]]>([
    [
      'in a page and a layout',
      { 'app/views/layouts/application.liquid': '{{ page.slug }}{{ content_for_layout }}' },
      ['application.liquid 1:4', '1:4'],
    ],
    ['in a policy', { 'app/authorization_policies/in.liquid': '{{ current_user.id }}' }, ['in.liquid 1:4', '1:4']],
    [
      'in a migration',
      { 'app/migrations/20200102030405_a.liquid': '{% log environment %}' },
      ['20200102030405_a.liquid 1:8', '1:4'],
    ],
    [
      'in an e-mail and its settings',
      { 'app/emails/a.liquid': `---\nto: '{{ language }}'\n---\n{{ platform_context.language }}` },
      ['a.liquid 2:9', 'a.liquid 4:4', '1:4'],
    ],
    [
      'in a form',
      { 'app/forms/a.liquid': '---\nname: a\nresource: user\n---\n{{ params.x }}' },
      ['a.liquid 5:4', '1:4'],
    ],
    [
      'in what those include',
      { ...card, 'app/views/layouts/application.liquid': `{% include 'card' %}{{ content_for_layout }}` },
      ['card.liquid 1:4', '1:4'],
    ],
  ])('%s', (_, files, expected) => {
    expect(remarks({ [PAGE]: '{{ page.slug }}', ...files }).toSorted()).toEqual([...expected].toSorted())
  })

  it('has none in what is called with a scope of its own, or included there', () => {
    for (const call of [
      `{% render 'card', page: context.page %}`,
      `{% function f = 'card', page: context.page %}{{ f }}`,
      `{% background j = 'card', page: 1 %}{{ j }}`,
      `{% background page: 1 %}{{ page }}{% endbackground %}`,
      `{% render 'outer', page: context.page %}`,
    ])
      expect(remarks({ [PAGE]: call, ...card, ...partial('outer', `{% include 'card' %}`) })).toEqual([])
    expect(problems({ [PAGE]: `{% render 'card' %}`, ...card })).toEqual(['missing-inferred-argument 1:11'])
  })

  it('tells such a name of a partial that several include only where it is one', () => {
    const both = `{% include 'card' %}{% render 'outer', page: context.page %}`
    expect(remarks({ [PAGE]: both, ...card, ...partial('outer', `{% include 'card' %}`) })).toEqual(['card.liquid 1:4'])
    expect(remarks({ [PAGE]: `{% assign page = 1 %}{% include 'card' %}`, ...card })).toEqual([])
    expect(remarks({ [PAGE]: `{% include 'card', page: 1 %}`, ...card })).toEqual([])
  })

  it('tells such a name where it is written, through whatever includes, and leaves its change to the author where others may set it', () => {
    const { diagnostics } = checkFiles({
      [PAGE]: `{{ params.id }}{% include 'outer' %}`,
      'app/views/pages/set.liquid': `{% assign params = 1 %}{% include 'card' %}{{ params }}`,
      ...partial('outer', `{% include 'card' %}`),
      ...partial('card', '{{ params }}'),
    })
    expect(diagnostics.map(({ code, span, change }) => [code, span.file, span.start, change?.safe])).toEqual([
      ['old-name', PAGE, 3, true],
      ['old-name', 'app/views/partials/card.liquid', 3, false],
    ])
  })

  it('types it like the field', () => {
    expect(problems({ [PAGE]: '{{ location.nothing }}' })).toEqual(['unknown-property 1:13'])
    expect(problems({ [PAGE]: `{% include 'a' %}`, ...partial('a', '{{ location.nothing }}') })).toEqual([])
  })

  it('gives no hash of it to a variable that takes none', () => {
    const query = (of: string) => ({
      'app/graphql/q.graphql': `query q($page: ${of}) { users(per_page: 1, page: $page) { total_entries } }`,
    })
    const page = { [PAGE]: `{% graphql g = 'q', page: page %}{{ g }}` }
    expect(problems({ ...page, ...query('Int = 1') })).toEqual([])
    expect(problems({ ...page, ...query('Int!') })).toEqual(['missing-variable 1:1'])
    expect(problems({ [PAGE]: `{% graphql g = 'q', page: context.page %}{{ g }}`, ...query('Int = 1') })).toHaveLength(
      1,
    )
  })
})

describe('outside of a request', () => {
  const job = (text: string, more: Files = {}, call = "{% background j = 'work' %}{{ j }}") =>
    problems({ ...ON, [PAGE]: call, ...partial('work', text), ...more })

  it('it is as absent as the field', () => {
    expect(
      job('{{ params.id }}{{ page.slug }}{{ location.host }}{{ location.href }}{{ platform_context.session.x }}'),
    ).toEqual([
      'absent-in-jobs work.liquid 1:4',
      'absent-in-jobs work.liquid 1:19',
      'absent-in-jobs work.liquid 1:53',
      'absent-in-jobs work.liquid 1:89',
    ])
    expect(job('{% log context.page.slug %}')).toEqual(['absent-in-jobs work.liquid 1:16'])
    expect(job('{% if params.id %}y{% endif %}{{ page.slug | default: 1 }}')).toEqual([])
    expect(problems({ [PAGE]: "{% background j = 'work' %}{{ j }}", ...partial('work', '{{ title }}') })).not.toContain(
      'absent-in-jobs work.liquid 1:4',
    )
  })

  it('what is passed, set or looped over is no field', () => {
    expect(job('{{ params.id }}', {}, "{% background j = 'work', params: context.params %}{{ j }}")).toEqual([])
    expect(job('{% assign page = 1 %}{{ page }}{% for params in (1..2) %}{{ params }}{% endfor %}')).toEqual([])
    expect(job("{% render 'card', page: 1 %}", partial('card', '{{ page }}'))).toEqual([])
  })

  it('it is found behind an include, unless the name is set there', () => {
    const card = partial('card', '{{ page.slug }}')
    expect(job("{% include 'card' %}", card)).toEqual(['absent-in-jobs card.liquid 1:4'])
    expect(job("{% include 'outer' %}", { ...card, ...partial('outer', "{% include 'card' %}") })).toHaveLength(1)
    expect(job("{% include 'card', page: 1 %}", card)).toEqual(['include-could-be-render work.liquid 1:12'])
    expect(job("{% assign page = 1 %}{% include 'card' %}", card)).toEqual([])
    expect(job("{% include 'card' %}", card, "{% background j = 'work' %}{{ j }}{% include 'card' %}")).toEqual([])
  })

  it('the whole is nothing that a queue can keep', () => {
    expect(job('{{ c.params }}', {}, "{% background j = 'work', c: platform_context %}{{ j }}")).toEqual([
      'unstorable-argument 1:30',
    ])
  })
})

describe('a change of the setting', () => {
  const TEXTS: Files = {
    [PAGE]: `{{ params.id }}{% render 'card' %}{% include 'part' %}{% background %}{{ page }}{% endbackground %}`,
    ...partial('card', '{{ current_user.id }}{{ platform_context.language }}'),
    ...partial('part', '{% assign page = 1 %}{{ page }}{% hash_assign flash["x"] = 1 %}'),
    'app/views/layouts/application.liquid': '{{ page.slug }}{{ content_for_layout }}',
    'app/emails/note.liquid':
      "---\nto: 'x@example.com'\nfrom: 'x@example.com'\nsubject: '{{ language }}'\n---\n{{ environment }}",
  }

  function compiled(files: Files, memo?: Memo): readonly [string, unknown][] {
    const sources = Object.entries(files).flatMap(([path, text]): SourceFile[] => {
      const found = classify(path)
      return found === null || 'reason' in found ? [] : [{ path, text, ...found }]
    })
    const options = { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: false } as const
    const { modules, diagnostics } = compile(sources, options, memo)
    const parts = modules.map((module): [string, unknown] => [module.path, module.body.text])
    return [...parts, ['diagnostics', diagnostics.map(({ code, span }) => `${code} ${span.file} ${span.start}`)]]
  }

  it('is seen by a compiler that remembers', () => {
    const memo = new Memory()
    for (const config of [OFF, ON, ON, {}, ON, OFF]) {
      const files = { ...TEXTS, ...config }
      expect(new Map(compiled(files, memo))).toEqual(new Map(compiled(files)))
    }
    const [on, off] = [ON, OFF].map((config) => new Map(compiled({ ...TEXTS, ...config })))
    const changed = [...(on ?? [])].filter(([path, text]) => off?.get(path) !== text).map(([path]) => path)
    for (const path of ['pages/index', 'partials/card', 'partials/part', 'layouts/application'])
      expect(changed.join()).toContain(`app/views/${path}`)
    expect(changed.join()).toContain('app/emails/note')
  })
})
