/** Untyped names that cross files: request parameters, and the values that tags store in exports and the session. */
import { describe, expect, it } from 'vitest'
import { checkFiles, type Files, PAGE } from '../../../support/compiler/check.ts'

const problems = (files: Files | string) => checkFiles(files).diagnostics.map(({ code }) => code)

const page = (slug: string, text: string, settings = ''): Files => ({
  'app/views/pages/index.liquid': `---\nslug: ${slug}\n${settings}---\n${text}`,
})

describe('a parameter', () => {
  it.each<[string, Files, readonly string[]]>([
    ['that the route has', page('posts/:post_id', '{{ context.params.post_id }}'), []],
    ['that is misspelt', page('posts/:post_id', '{{ context.params.pots_id }}'), ['unknown-parameter']],
    [
      'that is misspelt behind a name',
      page('posts/:id', '{% assign params = context.params %}{{ params.idd }}'),
      ['unknown-parameter'],
    ],
    ['in place of the only one of the route', page('posts/:id', '{{ context.params.number }}'), ['unknown-parameter']],
    ['beside that of the route', page('posts/:id', '{{ context.params.id }}{{ context.params.tab }}'), []],
    [
      'where all of them are handed on',
      page('posts/:id', "{% render 'p', all: context.params %}{{ context.params.tab }}"),
      ['missing-partial'],
    ],
    ['that an address has', page('posts/:id', '<a href="?tab=1">x</a>{{ context.params.tab }}'), []],
    ['that an input has', page('posts/:id', '<input name="tab">{{ context.params.tab }}'), []],
    ['that every request has', page('posts/:id', '{{ context.params.slug2 }}{{ context.params.format }}'), []],
    ['of a body', page('posts/:id', '{{ context.params.title }}', 'method: post\n'), []],
    [
      'near what the site sends',
      page('posts', '<a href="?page=2">2</a>{{ context.params.page }}{{ context.params.pgae }}'),
      ['unknown-parameter'],
    ],
    ['that a program sends', page('posts', '{{ context.params.expand }}'), []],
  ])('%s', (_name, files, expected) => {
    expect(problems(files).filter((each) => !each.startsWith('unescaped') && !each.startsWith('missing-page'))).toEqual(
      expected,
    )
  })

  it('is an error where the route shows it, and a warning elsewhere', () => {
    const severities = (files: Files) => checkFiles(files).diagnostics.map(({ severity }) => severity)
    expect(severities(page('posts/:post_id', '{{ context.params.pots_id }}'))).toEqual(['error'])
    expect(
      severities(page('posts', '{{ context.params.page }}{{ context.params.pgae }}<a href="?page=2">2</a>')),
    ).toEqual(['warning'])
  })
})

describe('what tags keep for others', () => {
  const total = "{% assign total = 3 %}{% export total, namespace: 'cart' %}"
  it.each<[string, string, readonly string[]]>([
    ['is read', `${total}{{ context.exports.cart.total }}`, []],
    ['is misspelt', `${total}{{ context.exports.cart.totla }}`, ['unwritten-value']],
    ['is misspelt in a condition', `${total}{% if context.exports.cart.totla %}x{% endif %}`, ['unwritten-value']],
    ['is never written', '{{ context.exports.cart.total }}', ['unwritten-value']],
    ['is asked for, and may be written by what is not here', '{% if context.session.beta %}x{% endif %}', []],
    ['is never read', total, ['unread-value']],
    ['is read as a whole', `${total}{{ context.exports.cart | json }}`, []],
    [
      'is written by a computed name',
      `{% assign total = 3 %}{% assign n = context.params.n %}{% export total, namespace: n %}{{ context.exports.a.total }}`,
      [],
    ],
    [
      'is a part of what is written',
      '{% assign user = { "name": "a" } %}{% export user %}{{ context.exports.user.name }}',
      [],
    ],
    ['of the session', '{% session cart_size = 1 %}{{ context.session.cart_sise }}', ['unwritten-value']],
    ["is the host's own", '{{ context.session.language }}', []],
  ])('%s', (_name, text, expected) => expect(problems(text)).toEqual(expected))

  it('says nothing where a module is absent', () => {
    expect(problems("{% render 'modules/cart/total' %}{{ context.exports.cart.total }}")).toEqual(['absent-module'])
  })
})

describe('an address that a visitor is sent to', () => {
  const FORM = (to: string): Files => ({
    'app/views/pages/index.liquid': "{% include_form 'post' %}",
    'app/schema/post.yml': 'name: post\nproperties:\n  - name: title\n',
    'app/forms/post.liquid': `---\nname: post\nresource: post\nresource_owner: creator\nfields:\n  properties:\n    title:\nredirect_to: ${to}\n---\n{% form %}<input name="{{ form.fields.properties.title.name }}">{% endform %}`,
  })
  const links = (files: Files | string) =>
    checkFiles(files)
      .diagnostics.filter(({ code }) => code === 'missing-page')
      .map(({ severity, message }) => `${severity} ${message}`)

  it.each<[string, Files | string, readonly string[]]>([
    ['by a tag', "{% redirect_to '/nowhere' %}", ['error No page handles `GET /nowhere`.']],
    [
      'by a tag, with a value in it',
      {
        'app/config.yml': 'string_interpolation: true',
        'app/views/pages/index.liquid': '{% assign id = 1 %}{% redirect_to "/nowhere/{{ id }}" %}',
      },
      ['warning No page handles `GET /nowhere/…`.'],
    ],
    ['by a form', FORM('/nowhere'), ['error No page handles `GET /nowhere`.']],
    ['by a form, with a value in it', FORM("'/nowhere/{{ form.id }}'"), ['warning No page handles `GET /nowhere/…`.']],
    ['by a form, wholly computed', FORM("'{{ form.id }}'"), []],
    ['by a form, where there is a page', FORM('/'), []],
    ['by a form, elsewhere', FORM('https://example.com/'), []],
    ['by a link with a value', '<a href="/nowhere/{{ 1 }}">x</a>', ['warning No page handles `GET /nowhere/…`.']],
    ['by a link with a value behind all of it', '<a href="/{{ 1 }}">x</a>', []],
    ['by a link to what a route may take', { ...page('posts/:id/edit', '<a href="/posts/{{ 1 }}">x</a>') }, []],
  ])('%s', (_name, files, expected) => expect(links(files)).toEqual(expected))
})

describe('a call of a computed name', () => {
  const CARD = { 'app/views/partials/card.liquid': '{{ title }}' }
  const COMPUTED = '{% assign name = context.params.name %}{% include name %}'
  const codes = (files: Files) => problems(files).filter((code) => code !== 'dynamic-name')

  it('uses no names but those that partials read', () => {
    const page = `{% assign title = 1 %}{% assign other = 2 %}${COMPUTED}`
    expect(codes({ 'app/views/pages/index.liquid': page, ...CARD })).toEqual(['unused-assign'])
  })

  it('leaves names of other templates alone', () => {
    const pages = {
      'app/views/pages/index.liquid': COMPUTED,
      'app/views/pages/a.liquid': '{% assign gone = 1 %}x',
      'app/views/partials/card.liquid': '{% assign kept = 1 %}{% assign lost = 2 %}x',
      'app/views/pages/b.liquid': `{% assign kept = 0 %}${COMPUTED}{{ kept }}`,
    }
    expect(codes(pages)).toEqual(['unused-assign', 'unused-assign'])
  })

  it('leaves the shapes of values as they are, but for keys that some partial writes', () => {
    const call = '{% assign name = context.params.name %}{% function x = name, data: data %}{{ x }}'
    const page = (key: string) => `{% assign data = { "a": 1 } %}${call}{{ data.${key} }}`
    const lib = { 'app/lib/fill.liquid': '{% assign data["extra"] = 1 %}{% return data %}' }
    expect(codes({ 'app/views/pages/index.liquid': page('b'), ...lib })).toEqual(['unknown-property'])
    expect(codes({ 'app/views/pages/index.liquid': page('extra'), ...lib })).toEqual([])
  })
})

describe('a misspelt variable of a partial', () => {
  const call = "{% render 'card', post: 'x' %}"
  const codes = (card: string, page = call) =>
    problems({ 'app/views/pages/index.liquid': page, 'app/views/partials/card.liquid': card })

  it.each<[string, string, readonly string[]]>([
    [
      'is told once, where it is read',
      '{% assign title = post | upcase %}{{ titel }}{{ titel }}',
      ['undefined-variable'],
    ],
    [
      'of a loop',
      "{% assign posts = post | split: ',' %}{% for entry in posts %}{{ enrty }}{% endfor %}",
      ['undefined-variable'],
    ],
    ['of one letter', '{% assign g = post | upcase %}{{ gg }}', ['undefined-variable']],
    ['is what the caller passes', '{% assign pots = post %}{{ pots }}{{ post }}', []],
  ])('%s', (_name, card, expected) => expect(codes(card)).toEqual(expected))

  it('may be one that an include shares', () => {
    const page = "{% assign titles = 'x' %}{% include 'card' %}{{ titles }}"
    expect(codes('{% assign title = 1 %}{{ title }}{{ titles }}', page)).toEqual([])
  })
})

describe('what nothing names', () => {
  const PAGE = { 'app/views/pages/index.liquid': '<h1>x</h1>' }
  const whole = (files: Files) =>
    checkFiles({ ...PAGE, ...files }, { reportsUnused: true }).diagnostics.map(
      ({ code, span }) => `${code} ${span.file}`,
    )
  const LAYOUT = '<html lang="en">{{ content_for_layout }}</html>'
  const FORM = '---\nname: old\nresource: User\nresource_owner: self\nfields:\n  email:\n---\n{% form %}{% endform %}'

  it.each<[string, Files, readonly string[]]>([
    ['a layout', { 'app/views/layouts/old.liquid': LAYOUT }, ['unused-file app/views/layouts/old.liquid']],
    [
      'a layout that a text names',
      { 'app/views/layouts/old.liquid': LAYOUT, 'app/views/pages/index.liquid': "{% assign l = 'old' %}{{ l }}" },
      [],
    ],
    ['a form', { 'app/forms/old.liquid': FORM }, ['unused-file app/forms/old.liquid']],
    [
      'a form, where a computed name may mean it',
      { 'app/forms/old.liquid': FORM, 'app/views/pages/index.liquid': '{% include_form context.params.form %}' },
      [],
    ],
    [
      'a policy',
      { 'app/authorization_policies/old.liquid': 'true' },
      ['unused-file app/authorization_policies/old.liquid'],
    ],
    [
      'the policy of the studio',
      {
        'app/authorization_policies/old.liquid': 'true',
        'app/config.yml': 'studio:\n  path: /internal\n  policy: old\n',
      },
      [],
    ],
    ['a file of a module', { 'modules/m/public/views/layouts/old.liquid': LAYOUT }, []],
    ['an asset', { 'app/assets/old.js': '' }, ['unused-asset app/assets/old.js']],
    [
      'an asset whose name is put together',
      {
        'app/assets/icons/old.svg': '',
        'app/views/pages/index.liquid': "{{ 'icons/' | append: context.params.i | asset_url }}",
      },
      [],
    ],
    [
      'a translation',
      {
        'app/translations/en.yml': 'en:\n  a:\n    b: B\n    c: C\n',
        'app/views/pages/index.liquid': "{{ 'a.b' | t }}",
      },
      ['unused-translation app/translations/en.yml'],
    ],
    [
      'a translation whose key is put together',
      {
        'app/translations/en.yml': 'en:\n  a:\n    b: B\n',
        'app/views/pages/index.liquid': "{{ 'a.' | append: context.params.k | t }}",
      },
      [],
    ],
    [
      'a name that is misspelt elsewhere',
      { 'app/translations/en.yml': 'en:\n  title: B\n', 'app/views/pages/index.liquid': "{{ 'titel' | t }}" },
      ['missing-translation app/views/pages/index.liquid'],
    ],
  ])('%s', (_name, files, expected) => expect(whole(files)).toEqual(expected))
})

describe('what may be nil', () => {
  const find = {
    'app/lib/find.liquid':
      '{% if id == blank %}{% return nil %}{% endif %}{% assign u = { "name": "a" } %}{% return u %}',
  }
  const call = "{% function u = 'find', id: context.params.id %}"
  const codes = (text: string, more: Files = {}) =>
    problems({ 'app/views/pages/index.liquid': call + text, ...find, ...more })

  it.each<[string, string, readonly string[]]>([
    ['is used', '{{ u.name }}', ['nil-result']],
    ['is asked for', '{% if u %}{{ u.name }}{% endif %}', []],
    ['is asked for before all else ends', '{% unless u %}{% break %}{% endunless %}{{ u.name }}', []],
    ['is compared with blank', '{% if u.name != blank %}{{ u.name }}{% endif %}', []],
    ['has a default', "{{ u.name | default: 'x' }}", []],
    ['is asked for by a part of its own', '{% assign name = u.name %}{% if name %}{{ name }}{% endif %}', []],
    ['is handed on', '{{ u | json }}', []],
  ])('%s', (_name, text, expected) => expect(codes(text)).toEqual(expected))

  it.each<[string, Files, readonly string[]]>([
    ['is the user', { 'app/views/pages/index.liquid': '{{ context.current_user.id | plus: 1 }}' }, ['anonymous-user']],
    [
      'is the id of the user, in a variable',
      { 'app/views/pages/index.liquid': '{% assign id = context.current_user.id %}{{ id | plus: 1 }}' },
      ['anonymous-user'],
    ],
    [
      'is asked for by that variable',
      {
        'app/views/pages/index.liquid':
          '{% assign id = context.current_user.id %}{% if id %}{{ id | plus: 1 }}{% endif %}',
      },
      [],
    ],
    [
      'is the user, in a partial',
      {
        'app/views/pages/index.liquid': "{% render 'p' %}",
        'app/views/partials/p.liquid': '{{ context.current_user.id | plus: 1 }}',
      },
      ['anonymous-user'],
    ],
    [
      'is asked for in another partial',
      {
        'app/views/pages/index.liquid': "{% render 'who' %}{% render 'p' %}",
        'app/views/partials/who.liquid': "{% unless context.current_user %}{% redirect_to '/' %}{% endunless %}",
        'app/views/partials/p.liquid': '{{ context.current_user.id | plus: 1 }}',
      },
      [],
    ],
  ])('%s', (_name, files, expected) => expect(problems(files)).toEqual(expected))

  it('is no matter where a policy guards the page', () => {
    const page = `---\nauthorization_policies: [p]\n---\n${call}{{ u.name }}`
    expect(
      problems({ ...find, 'app/views/pages/index.liquid': page, 'app/authorization_policies/p.liquid': 'true' }),
    ).toEqual([])
  })
})

describe('places', () => {
  it('an end tag is held against the elements of all partials', () => {
    const page = (text: string, card: string) =>
      checkFiles({ 'app/views/pages/index.liquid': text, 'app/views/partials/card.liquid': card }).diagnostics.map(
        ({ code, span }) => `${code} ${span.start}`,
      )
    const call = "{% render 'card' %}"
    expect(page(`<ul>${call}</ol>`, '<b>x</b>')).toEqual([`unclosed-html ${`<ul>${call}`.length}`])
    expect(page(`<div>${call}`, 'x</div>')).toEqual([])
    expect(page(call, '<div>x')).toEqual(['unclosed-html 0'])
    expect(page(`${call}</div>`, '<div>x')).toEqual([])
  })

  it('a query without its last brace is told at its end, with the brace that is open', () => {
    const { diagnostics } = checkFiles({
      'app/views/pages/index.liquid': "{% graphql g = 'q' %}{{ g.users.total_entries }}",
      'app/graphql/q.graphql': 'query q {\n  users(per_page: 1) {\n    total_entries\n  }\n',
    })
    expect(diagnostics.map(({ message, span }) => `${message} ${span.start}`)).toEqual([
      'This query has a syntax error: The `{` of line 1 is never closed. 53',
    ])
  })

  it('a file of translations that cannot be read hides what it may define, and no more', () => {
    const of = (key: string) =>
      problems({
        'app/views/pages/index.liquid': `{{ '${key}' | t }}`,
        'app/translations/en.yml': 'en:\n  a: A\n',
        'app/translations/de.yml': 'de:\n  b: [B\n',
      })
    expect(of('b')).toEqual(['yaml-syntax'])
    expect(of('c')).toEqual(['yaml-syntax', 'missing-translation'])
  })

  it('a mutation through a form is held against its table', () => {
    const of = (table: string, property: string) =>
      problems({
        'app/schema/post.yml': 'name: post\nproperties:\n  - name: title\n',
        'app/graphql/q.graphql': `mutation q($t: String) { record_create(form_name: "post", record: { table: "${table}", properties: [{ name: "${property}", value: $t }] }) { id } }`,
        'app/forms/post.liquid':
          '---\nname: post\nresource: post\nresource_owner: creator\nfields:\n  properties:\n    title:\n---\n',
        'app/views/pages/index.liquid': "{% include_form 'post' %}",
      }).filter((code) => /table/.test(code))
    expect(of('post', 'title')).toEqual([])
    expect(of('post', 'titel')).toEqual(['unknown-table-property'])
    expect(of('psot', 'title')).toEqual(['unknown-table'])
  })

  it('a partial is told of a field that no known caller gives, whoever else includes it', () => {
    const of = (field: string) =>
      problems({
        'app/schema/post.yml': 'name: post\nproperties:\n  - name: title\n',
        'app/graphql/q.graphql':
          'query q { records(per_page: 2, filter: { table: { value: "post" } }) { results { id title: property(name: "title") } } }',
        'app/views/partials/card.liquid': `{{ post.${field} }}`,
        'app/views/pages/index.liquid':
          "{% graphql g = 'q' %}{% for post in g.records.results %}{% include 'card' %}{{ post.title }}{{ post.id }}{% endfor %}",
        'app/views/pages/b.liquid': '{% assign name = context.params.name %}{% include name %}',
      }).filter((code) => code !== 'dynamic-name')
    expect(of('title')).toEqual([])
    expect(of('titel')).toEqual(['unknown-field'])
  })
})

describe('fields that a query selects', () => {
  const query =
    'query {\n  records(per_page: 20, filter: { table: { value: "book" } }) {\n    total_entries\n    results { id title: property(name: "title") }\n  }\n}\n'
  const unread = (page: string, more: Files = {}) =>
    checkFiles(
      {
        'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n',
        'app/graphql/books.graphql': query,
        [PAGE]: page,
        ...more,
      },
      { reportsUnused: true },
    )
      .diagnostics.filter(({ code }) => code === 'unread-fields')
      .map(({ message, span }) => `${span.start} ${message}`)
  const loop = (inner: string) => `{% graphql g = 'books' %}{% for b in g.records.results %}${inner}{% endfor %}`

  it.each<readonly [string, string, Files, readonly string[]]>([
    [
      'are told where nothing reads them',
      loop('{{ b.title }}'),
      {},
      ['76 No template reads `records.total_entries` and `records.results.id` of this query.'],
    ],
    [
      'are told of a query in the page, too',
      '{% graphql g %}query { records(per_page: 1) { results { id } total_pages } }{% endgraphql %}{% for b in g.records.results %}{{ b.id }}{% endfor %}',
      {},
      ['61 No template reads `records.total_pages` of this query.'],
    ],
    [
      'are read where all of such a query is printed',
      '{% graphql g %}query { records(per_page: 1) { results { id } total_pages } }{% endgraphql %}{{ g }}',
      {},
      [],
    ],
    [
      'are read in a partial',
      loop("{% render 'row', b: b %}"),
      { 'app/views/partials/row.liquid': '{{ b.title }}{{ b.id }}{{ b.total_entries }}' },
      [],
    ],
    [
      'are read by whoever calls the function',
      "{% function g = 'list' %}{% for b in g.results %}{{ b.id }}{{ b.title }}{% endfor %}{{ g.total_entries }}",
      { 'app/lib/list.liquid': "{% graphql g = 'books' %}{% return g.records %}" },
      [],
    ],
    ['are read as a whole', "{% graphql g = 'books' %}{{ g | json }}", {}, []],
    ['are read where they are printed together', "{% graphql g = 'books' %}{{ g.records }}", {}, []],
    ['are read where all of the result is printed', "{% graphql g = 'books' %}{{ g }}", {}, []],
    ['are read under a computed name', loop('{{ b[context.params.key] }}'), {}, []],
    ['may be read by a partial that is not known', loop('{% include context.params.name %}'), {}, []],
    [
      'are read where an item of the loop is printed',
      "{% graphql g = 'books' %}{{ g.records.total_entries }}{% for b in g.records.results %}{{ b }}{% endfor %}",
      {},
      [],
    ],
    [
      'are read where a new name of theirs is printed',
      "{% graphql g = 'books' %}{% assign all = g.records %}{{ all }}",
      {},
      [],
    ],
    [
      'are read where a hash with them is printed',
      "{% graphql g = 'books' %}{% assign all = { rows: g.records } %}{{ all }}",
      {},
      [],
    ],
    [
      'may be read by a job',
      loop("{% background source_name: 'x', book: { b: b } %}{{ book.b.title }}{% endbackground %}"),
      {},
      [],
    ],
    ['may be read by a later request', loop('{% session book = b %}'), {}, []],
  ])('%s', (_what, page, more, expected) => expect(unread(page, more)).toEqual(expected))

  const send =
    'mutation ($data: HashObject) { email_send(template: { name: "news" }, data: $data) { is_scheduled_to_send } }'
  const mail = (body: string) => `---\nto: a@books.example\nsubject: News\n---\n${body}`
  it.each<readonly [string, string, Files, readonly string[]]>([
    [
      'are read by a mail',
      loop("{% graphql _ = 'send', data: { book: b } %}"),
      { 'app/emails/news.liquid': mail('{{ data.book.title }}') },
      ['76 No template reads `records.total_entries` and `records.results.id` of this query.'],
    ],
    [
      'are read by a partial of a mail that a function sends',
      loop("{% function _ = 'send', data: { book: b } %}"),
      {
        'app/lib/send.liquid': "{% graphql _ = 'send', data: data %}{% return true %}",
        'app/emails/news.liquid': mail("{% render 'row', row: data.book %}"),
        'app/views/partials/row.liquid': '{{ row.title }}',
      },
      ['76 No template reads `records.total_entries` and `records.results.id` of this query.'],
    ],
    [
      'may be read by a mail whose name is computed',
      loop("{% assign data = { book: b } %}{% graphql _ = 'any', data: data, name: 'news' %}"),
      {
        'app/graphql/any.graphql':
          'mutation ($data: HashObject, $name: String!) { email_send(template: { name: $name }, data: $data) { is_scheduled_to_send } }',
      },
      [],
    ],
    [
      'may be read by whatever a mutation stores',
      loop("{% graphql _ = 'store', data: b %}"),
      {
        'app/graphql/store.graphql':
          'mutation ($data: String) { record_create(record: { table: "book", properties: [{ name: "title", value: $data }] }) { id } }',
      },
      [],
    ],
    [
      'are not read by a query that takes one of them',
      loop("{% graphql one = 'one', id: b.id, q: context.params.q %}{{ one.records.total_pages }}"),
      {
        'app/graphql/one.graphql':
          'query ($id: ID, $q: String) { records(per_page: 1, filter: { id: { value: $id }, table: { value: $q } }) { total_pages } }',
      },
      ['76 No template reads `records.total_entries` and `records.results.title` of this query.'],
    ],
  ])('%s', (_what, page, more, expected) =>
    expect(unread(page, { 'app/graphql/send.graphql': send, 'app/emails/news.liquid': mail(''), ...more })).toEqual(
      expected,
    ),
  )
})
