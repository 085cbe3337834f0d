/** Diagnostics about a site as a whole, and when they reject the site. */
import { describe, expect, it } from 'vitest'
import { CHALLENGES } from '../../../../runtime/page/tag-keywords.ts'
import { checkFiles, partial, problems, site, table, type Files } from '../../../support/compiler/check.ts'

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

const STUDIO = 'studio:\n  path: /internal\n  policy: staff\n'
const STAFF = { 'app/authorization_policies/staff.liquid': 'true' }

describe('the site', () => {
  const en = (text: string): Files => ({ 'app/translations/en.yml': `en:\n${text}` })
  table([
    ['a missing layout', site('---\nlayout: nope\n---\nx'), ['missing-layout 2:9']],
    ['a page without a layout', site(`---\nlayout: ''\n---\nx`), []],
    ['a missing policy', site('---\nauthorization_policies:\n  - member\n---\nx'), ['missing-policy 3:5']],
    ['the studio with a policy', { ...site('x'), ...STAFF, 'app/config.yml': STUDIO }, []],
    [
      'the studio with a missing policy',
      { ...site('x'), 'app/config.yml': STUDIO },
      ['missing-policy config.yml 3:11'],
    ],
    [
      'pages below the studio',
      {
        ...STAFF,
        'app/config.yml': STUDIO,
        'app/views/pages/internal/orders.liquid': 'x',
        'app/views/pages/a.liquid': '---\nslug: internal/:id\n---\nx',
        'app/views/pages/b.liquid': '---\nslug: internal\n---\nx',
        'app/views/pages/c.liquid': '---\nslug: internals\n---\nx',
        'app/views/pages/d.liquid': '---\nslug: :any/internal\n---\nx',
      },
      ['reserved-route a.liquid 2:7', 'reserved-route b.liquid 2:7', 'reserved-route orders.liquid 1:1'],
    ],
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
      `{% case context.params.a %}{% when 'b' %}{% redirect_to '/', status: 300 %}{% when 'c' %}{% redirect_to '/', status: '399' %}{% else %}{% redirect_to '/', status: nil %}{% endcase %}`,
      [],
    ],
    ['a status below all', `{% response_status 199 %}`, ['tag-argument-value 1:20']],
    ['a status above all', `{% response_status 600 %}`, ['tag-argument-value 1:20']],
    [
      'the first and the last status',
      `{% if context.params.a %}{% response_status 200 %}{% else %}{% response_status 599 %}{% endif %}`,
      [],
    ],
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
      'in a test, which nobody reads',
      site(`${page}{% render 'terms' %}`, text, {
        'app/lib/test/terms_test.liquid': `{% render 'terms' %}{% return contract %}`,
      }),
      [],
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
      'not a PDF file',
      site(`{% graphql g = 'make' %}{{ g.record_create.id }}`, {
        'app/schema/paper.yml': 'name: paper\nproperties:\n  - name: file\n    type: upload\n',
        'app/graphql/make.graphql':
          'mutation { record_create(record: { table: "paper", properties: [{ name: "file", value_upload: { type: pdf, content: "x" } }] }) { id } }',
      }),
      ['warning change-on-get'],
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
      ['info unused-assign'],
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
