/** Misused values: visitor data in a shared cache, computed names without a target, and braces in strings that are not interpolated. */
import { describe, expect, it } from 'vitest'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import { checkFiles, type Files, problems as allProblems } from '../../../support/compiler/check.ts'

/** Ignores this code, because these examples do not contain the code that writes the session. */
const problems = (files: Files | string) => allProblems(files).filter((each) => !each.startsWith('unwritten-value '))

type Row = readonly [name: string, files: Files | string, expected: readonly string[]]

const PAGE = 'app/views/pages/index.liquid'

function table(rows: readonly Row[]): void {
  it.each(rows)('%s', (_name, files, expected) => {
    expect(problems(files)).toEqual(expected)
  })
}

function site(page: string, partials: Readonly<Record<string, string>> = {}, config?: string): Files {
  const files: Record<string, string> = { [PAGE]: page }
  for (const [name, text] of Object.entries(partials)) files[`app/views/partials/${name}.liquid`] = text
  return config === undefined ? files : { ...files, 'app/config.yml': config }
}

const LANGUAGES: Files = {
  'app/translations/en.yml': 'en:\n  a: A\n',
  'app/translations/pl.yml': 'pl:\n  a: A\n',
}

describe('what is the visitor’s in a cache for all', () => {
  table([
    ['is told', `{% cache 'menu' %}{{ context.current_user.email }}{% endcache %}`, ['cached-visitor 1:30']],
    [
      'also of a test',
      `{% cache 'm' %}{% if context.current_user %}x{% endif %}{% endcache %}`,
      ['cached-visitor 1:30'],
    ],
    [
      'also of what a query found for the visitor',
      `{% if context.current_user %}{% graphql u, id: context.current_user.id %}query one($id: ID) { users(per_page: 1, filter: { id: { value: $id } }) { total_entries } }{% endgraphql %}{% cache 'm' %}{{ u.users.total_entries }}{% endcache %}{% endif %}`,
      ['cached-visitor 1:199'],
    ],
    [
      'also of what was made of it',
      `{% assign t = 'Hello ' | append: context.current_user.email %}{% cache 'm' %}{{ t }}{% endcache %}`,
      ['cached-visitor 1:81'],
    ],
    [
      'also under a computed key',
      `{% cache 'm' %}{{ context['session'].cart }}{% endcache %}`,
      ['cached-visitor 1:26'],
    ],
    [
      'once for each part, in a loop too',
      `{% for i in (1..3) %}{% cache 'm' %}{% for j in (1..2) %}{{ context.flash.notice }}{{ context.flash.alert }}{{ context.cookies.a }}{% endfor %}{% endcache %}{% endfor %}`,
      ['cached-visitor 1:69', 'cached-visitor 1:120'],
    ],
    ['where the key has it', `{% cache context.current_user.id %}{{ context.current_user.email }}{% endcache %}`, []],
    [
      'where a text has it',
      site(
        `{% cache "m-{{ context.current_user.id }}" %}{{ context.current_user.email }}{% endcache %}`,
        {},
        'string_interpolation: true\n',
      ),
      [],
    ],
    [
      'where a text has the language only',
      site(
        `{% cache "m-{{ context.language | upcase }}" %}{{ context.current_user.email }}{% endcache %}`,
        {},
        'string_interpolation: true\n',
      ),
      ['cached-visitor 1:59'],
    ],
    [
      'where the key is the page',
      `{% cache context.location.href %}{{ context.flash.notice }}{% endcache %}`,
      ['cached-visitor 1:45'],
    ],
    [
      'where the key is a constant by name',
      `{% assign key = 'menu' %}{% cache key %}{{ context.current_user.email }}{% endcache %}`,
      ['cached-visitor 1:52'],
    ],
    [
      'where the key may hold anything',
      `{% assign key = 'm' | append: context.current_user.id %}{% cache key %}{{ context.current_user.email }}{% endcache %}`,
      [],
    ],
    [
      'by a variable',
      `{% assign user = context.current_user %}{% cache 'm' %}{{ user.email }}{% endcache %}`,
      ['cached-visitor 1:59'],
    ],
    [
      'by a variable of a variable, set on one of two ways',
      `{% assign a = 'x' %}{% if context.params.b %}{% assign c = context.cookies.d | upcase %}{% assign a = c %}{% endif %}{% cache 'm' %}{{ a }}{% endcache %}`,
      ['cached-visitor 1:136'],
    ],
    [
      'by a variable that is in the key',
      `{% assign user = context.current_user %}{% cache user.id %}{{ user.email }}{% endcache %}`,
      [],
    ],
    [
      'a variable that has another value by then',
      `{% assign user = context.current_user %}{% log user %}{% assign user = 'all' %}{% cache 'm' %}{{ user }}{% endcache %}`,
      [],
    ],
    [
      'a value that comes behind one of the visitor’s',
      site(`{% echo context.session.a %}{% function x = 'f' %}{% cache 'm' %}{{ x }}{% endcache %}`, {
        f: '{% return context.params.x %}',
      }),
      [],
    ],
    ['where the key is blank', `{% cache '' %}{{ context.current_user.email }}{% endcache %}`, []],
    ['what all share', `{% cache 'm' %}{{ context.language }}{{ context.authenticity_token }}{% endcache %}`, []],
    [
      'what the request asks for, where the key does not',
      `{% cache 'm' %}{{ context.params.q }}{% endcache %}`,
      ['cached-visitor 1:27'],
    ],
    [
      'by a variable, and in a partial',
      site(
        `{% assign q = context.params.q %}{% cache 'm' %}{{ q }}{% endcache %}{% cache 'n' %}{% render 'f' %}{% endcache %}`,
        {
          f: '{{ context.params.q }}',
        },
      ),
      ['cached-visitor 1:52', 'cached-visitor 1:95'],
    ],
    ...['context.params.q', 'context.location.href'].map(
      (key): Row => [
        `what the request asks for under ${key}`,
        site(`{% cache ${key} %}{{ context.params.q }}{% render 'f' %}{% endcache %}`, { f: '{{ context.params.q }}' }),
        [],
      ],
    ),
    [
      'what the request asks for, where a variable of the key has it',
      `{% assign key = 'm-' | append: context.params.q %}{% cache key %}{{ context.params.q }}{% endcache %}`,
      [],
    ],
    [
      'the language of a site that has several',
      { ...site(`{% cache 'm' %}{{ context.language }}{% endcache %}`), ...LANGUAGES },
      ['cached-visitor 1:27'],
    ],
    [
      'the language that the key has',
      {
        ...site(
          `{% cache context.language %}{{ context.language }}{% endcache %}{% cache context.location.pathname %}{{ context.language }}{% endcache %}`,
        ),
        ...LANGUAGES,
      },
      [],
    ],
    ['behind the cache', `{% cache 'm' %}x{% endcache %}{{ context.current_user.email }}`, []],
    [
      'where nothing runs',
      `{% cache 'm' %}{% break %}{{ context.current_user.email }}{% endcache %}`,
      ['unreachable-code 1:27'],
    ],
    [
      'in a cache of its own inside of one for all',
      `{% cache 'm' %}{% cache context.current_user.id %}x{% endcache %}{% endcache %}`,
      ['cached-visitor 1:33'],
    ],
    [
      'in a job, which has a run of its own',
      site(`{% cache 'm' %}{% background x = 'job' %}{{ x }}{% endcache %}`, {
        job: '{% log context.current_user.id %}',
      }),
      [],
    ],
    [
      'by an old name',
      site(`{% cache 'm' %}{{ current_user.email }}{% endcache %}`, {}, 'liquid_add_old_variables: true\n'),
      ['old-name 1:19', 'cached-visitor 1:19'],
    ],
    [
      'by a name of its own',
      site(
        `{% assign current_user = 1 %}{% cache 'm' %}{{ current_user }}{% endcache %}`,
        {},
        'liquid_add_old_variables: true\n',
      ),
      [],
    ],
    [
      'in a partial, some way down',
      site(`{% cache 'm' %}{% render 'a' %}{% endcache %}`, {
        a: `{% function b = 'b' %}{{ b }}`,
        b: `{% if context.current_user.id %}{% return 1 %}{% endif %}{% return 2 %}`,
      }),
      ['cached-visitor 1:26'],
    ],
    [
      'in partials that call each other',
      site(`{% cache 'm' %}{% render 'a', n: 1 %}{% endcache %}`, {
        a: `{% if n < 3 %}{% render 'b', n: n %}{% endif %}`,
        b: `{{ context.session.cart }}{% render 'a', n: n %}`,
      }),
      ['cached-visitor 1:26'],
    ],
    [
      'in a partial that one cache of several calls',
      site(
        `{% cache 'm' %}{% render 'a' %}{% endcache %}{% cache context.current_user.id %}{% render 'a' %}{% endcache %}{% render 'a' %}`,
        { a: '{{ context.current_user.email }}' },
      ),
      ['cached-visitor 1:26'],
    ],
  ])

  it('says where the cache is and where the partial reads', () => {
    const { diagnostics } = checkFiles(
      site(`{% cache 'm' %}{% render 'a' %}{% endcache %}`, { a: '{{ context.current_user.email }}' }),
    )
    expect(diagnostics[0]?.related?.map(({ span }) => [span.file, span.start])).toEqual([
      [PAGE, 0],
      ['app/views/partials/a.liquid', 11],
    ])
  })

  it('is found again where only the partial has changed', () => {
    const memo = new Memory()
    const page = `{% cache 'm' %}{% render 'a' %}{% endcache %}`
    const codes = (a: string) => checkFiles(site(page, { a }), { memo }).diagnostics.map(({ code }) => code)
    expect(codes('{{ context.language }}')).toEqual([])
    expect(codes('{{ context.current_user.email }}')).toEqual(['cached-visitor'])
    expect(codes('{{ context.language }}')).toEqual([])
  })
})

describe('a computed name of which an end is known', () => {
  table([
    [
      'means no partial',
      site(`{% assign n = context.params.x | prepend: 'does/not' %}{% include n %}{% render 'a/b' %}`, { 'a/b': 'x' }),
      ['unmatched-name 1:67'],
    ],
    [
      'means some',
      site(`{% assign n = context.params.x | prepend: 'a/' %}{% include n %}`, { 'a/b': 'x' }),
      ['dynamic-name 1:61'],
    ],
    [
      'means some in one way, and none in the other',
      site(
        `{% assign n = context.params.x | prepend: 'a/' %}{% if context.params.y %}{% assign n = context.params.x | prepend: 'zzz/' %}{% endif %}{% include n %}`,
        { 'a/b': 'x' },
      ),
      ['unmatched-name 1:148', 'dynamic-name 1:148'],
    ],
    ['and nothing is known of another', site('{% include context.params.x %}', { a: 'x' }), ['dynamic-name 1:12']],
  ])

  it.each([
    [`prepend: 'crads/'`, 'Did you mean `cards/`?'],
    [`prepend: 'cards/bgi_'`, 'Did you mean `cards/big_`?'],
    [`append: '_crad'`, 'Did you mean `_card`?'],
    [`prepend: 'lib/cards/'`, 'Remove `lib/`: begin the name with `cards/`.'],
    [`prepend: 'nothing/of/the/kind/'`, undefined],
  ])('%s is told what is near', (filter, hint) => {
    const { diagnostics } = checkFiles(
      site(`{% assign n = context.params.x | ${filter} %}{% include n %}`, { 'cards/big_card': 'x' }),
    )
    const found = diagnostics.find(({ code }) => code === 'unmatched-name')
    expect(found).toMatchObject({ severity: 'warning' })
    expect(found?.hint).toBe(hint)
    // The file that was probably meant counts as used.
    expect(diagnostics.some(({ code }) => code === 'unused-partial')).toBe(hint === undefined)
  })
})

describe('braces in single quotes', () => {
  const ON = 'string_interpolation: true\n'
  const on = (page: string, partials: Readonly<Record<string, string>> = {}) => site(page, partials, ON)
  table([
    [
      'stay as they are',
      `{% assign x = context.params.x %}{% cache 'x-{{ x.id }}' %}x{% endcache %}`,
      ['single-quoted-braces 1:43'],
    ],
    ['also with values in texts on', on(`{% log 'of {{ context.params.x }}' %}`), ['single-quoted-braces 1:8']],
    ['are values in double quotes', on(`{% log "of {{ context.params.x }}" %}`), []],
    [
      'of a parameter that another place reads',
      site(`{% render 'p', id: 1 %}`, { p: `{% assign a = 'of {{ id }}' %}{{ a }}{{ id }}` }),
      ['single-quoted-braces p.liquid 1:15'],
    ],
    [
      'of a turn of a loop, told once',
      `{% assign a = 0 %}{% for x in (1..3) %}{% assign a = a | append: '{{ x }}' %}{% endfor %}{{ a }}`,
      ['single-quoted-braces 1:66'],
    ],
    ['of a name that means nothing here', `{% assign a = '<li>{{ title }}</li>' %}{{ a }}`, []],
    [
      'that a filter fills in',
      `{% assign name = 'A' %}{% assign t = 'Dear {{ name }}' | replace: '{{ name }}', name %}{{ t }}`,
      [],
    ],
    [
      'that a filter fills in later',
      `{% assign name = 'A' %}{% assign t = 'Dear {{ name }}' %}{{ name }}{% assign u = t | replace: '{{ name', '' %}{{ u }}`,
      [],
    ],
    [
      'that are looked for',
      `{% assign name = 'A' %}{% if name contains '{{ name }}' %}x{% endif %}{% case name %}{% when '{{ name }}' %}y{% endcase %}`,
      [],
    ],
    [
      'that are shown',
      `{% assign name = 'A' %}{% echo '{{ name }}' %}{% print '{{ name }}' %}{% liquid\n echo '{{ name }}' %}{{ name }}`,
      [],
    ],
    ['in raw text', `{% assign name = 'A' %}{% raw %}{% log '{{ name }}' %}{% endraw %}{{ name }}`, []],
  ])

  it('the hint knows the setting', () => {
    const hints = [on(`{% log '{{ context.params.x }}' %}`), site(`{% log '{{ context.params.x }}' %}`, {})].map(
      (files) => checkFiles(files).diagnostics[0]?.hint,
    )
    expect(hints[0]).toBe('Use double quotes.')
    expect(hints[1]).toContain('string_interpolation')
  })
})
