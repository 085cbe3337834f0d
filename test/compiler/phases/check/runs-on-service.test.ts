/** Sites that run on the service compile: they have no errors, and problems are reported as warnings. */
import { describe, expect, it } from 'vitest'
import { checkFiles, type Files, site } from '../../../support/compiler/check.ts'

const BOOKS: Files = { 'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n' }
const HEAD = 'name: f\nresource: book\nresource_owner: anyone\nauthorization_policies: [p]\n'
const POLICY: Files = { 'app/authorization_policies/p.liquid': '{{ true }}' }

function form(head: string, validation = '{ presence: true }'): Files {
  const fields = `fields:\n  properties:\n    title:\n      validation: ${validation}\n`
  return {
    ...BOOKS,
    ...POLICY,
    'app/forms/f.liquid': `---\n${HEAD}${head}${fields}---\n{% form %}<input name="{{ form.fields.properties.title.name }}">{% endform %}\n`,
  }
}

const mail = (head: string, text = ''): Files => ({
  'app/emails/m.liquid': `---\nto: a@example.com\nsubject: s\n${head}---\n${text}`,
})

/** Returns the severity and code of each diagnostic, except those of the severity `info`. */
function found(...files: readonly Files[]): readonly string[] {
  const { diagnostics } = checkFiles(site("{% include_form 'f' %}", ...files))
  return diagnostics.flatMap(({ severity, code }) => (severity === 'info' ? [] : [`${severity} ${code}`]))
}

describe('a form', () => {
  it('with a setting that nobody knows', () => {
    expect(found(form('frobnicate: 1\n'))).toEqual(['warning unknown-setting'])
  })

  it.each(["delay: ''\n  max_attempts: ''", 'delay:\n  max_attempts:', 'delay: " "\n  max_attempts: " "'])(
    'whose job has %j',
    (settings) => {
      const files = form(`async_callback_actions:\n  content: '{% log 1 %}'\n  ${settings}\n`)
      expect(found(files)).toEqual([])
    },
  )

  it('with a message of all its validations, which one of its own wins over', () => {
    const files = form(
      '',
      "{ presence: true, length: { minimum: 3, message: own }, message: 'for all', allow_blank: true }",
    )
    const { diagnostics, site: checked } = checkFiles(site("{% include_form 'f' %}", files))
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
    const rules = [...checked.formSchemas.values()].flatMap(({ fields }) =>
      fields.properties.flatMap((each) => each.validations),
    )
    expect(rules.map(({ rule, message, allowBlank }) => [rule, JSON.stringify(message), allowBlank])).toEqual([
      ['presence', expect.stringContaining('for all'), true],
      ['length', expect.stringContaining('own'), true],
    ])
  })
})

describe('a mail', () => {
  it.each(["delay: ''\n", 'delay:\n'])('with %j', (head) => {
    expect(found(form('email_notifications: [m]\n'), mail(head))).toEqual([])
  })

  const broken = mail('layout: nowhere\n', "{% render 'gone' %}{% graphql _g = 'gone' %}")
  const codes = ['missing-layout', 'missing-partial', 'missing-query']

  it('that is sent by nothing and names what is absent', () => {
    expect(found(form(''), broken)).toEqual(codes.map((code) => `warning ${code}`))
  })

  it.each<[string, Files]>([
    ['a form sends', form('email_notifications: [m]\n')],
    [
      'a query sends',
      {
        ...form(''),
        'app/graphql/send.graphql':
          'mutation { email_send(template: { name: "m" }, data: {}) { is_scheduled_to_send } }',
      },
    ],
    [
      'a query may send, since it computes the name',
      {
        ...form(''),
        'app/graphql/send.graphql':
          'mutation send($name: String!) { email_send(template: { name: $name }, data: {}) { is_scheduled_to_send } }',
      },
    ],
  ])('that %s and that names what is absent', (_who, files) => {
    expect(found(files, broken).filter((each) => each.startsWith('error'))).toEqual(
      codes.map((code) => `error ${code}`),
    )
  })

  it('that is sent by nothing and cannot be read', () => {
    expect(found(form(''), mail('delay: soon\n'))).toEqual(['error setting-refused'])
  })
})

it('a policy that nothing names and that renders what is absent', () => {
  const files = { 'app/authorization_policies/q.liquid': "{% render 'gone' %}" }
  expect(found(form(''), files)).toEqual(['warning missing-partial'])
})

describe('a migration', () => {
  const order = (...names: readonly string[]): readonly string[] => {
    const files = Object.fromEntries(names.map((name) => [`app/migrations/${name}.liquid`, '{% log 1 %}']))
    return checkFiles(site('x', files)).site.migrations.map(({ file }) => file.name)
  }

  it.each(['1500000000_a', '202601311200_a', '202601311200001_a', '7'])('by the name %s', (name) => {
    expect(found(form(''), { [`app/migrations/${name}.liquid`]: '{% log 1 %}' })).toEqual(['warning setting-value'])
  })

  it('runs in the order of its number', () => {
    const names = ['1500000000_b', '20260131120000_c', '202601311200001_d', '7_a']
    expect(order(...names)).toEqual(['7_a', '1500000000_b', '20260131120000_c', '202601311200001_d'])
  })

  it('without a number has no place in the order', () => {
    expect(found(form(''), { 'app/migrations/seed.liquid': '{% log 1 %}' })).toEqual(['error setting-refused'])
  })
})

it('a profile of a module that is absent', () => {
  const query = 'query { users(per_page: 1) { results { a: profiles(profile_type: "modules/core/member") { id } } } }'
  expect(
    found(form(''), { 'app/graphql/q.graphql': query, 'app/views/pages/b.liquid': "{% graphql g = 'q' %}{{ g }}" }),
  ).toEqual(['error absent-module'])
})

describe('a file of modules that others copy', () => {
  /** Returns the same as `found` for a page, but with the severity `info`. */
  const all = (page: string, files: Files = {}): readonly string[] =>
    checkFiles(site(page, files)).diagnostics.map(({ severity, code }) => `${severity} ${code}`)

  it('reads with a `default` what another site gives', () => {
    expect(all("{{ heading | default: 'x' }}")).toEqual(['info undefined-variable'])
    expect(all("{{ heading | default: 'x' }}{{ heading }}")).toEqual(['warning undefined-variable'])
    expect(all("{% assign headin = 1 %}{{ heading | default: 'x' }}")).toEqual(['warning undefined-variable'])
  })

  it.each([
    [
      '{% comment %}\n  title - heading of the card (string)\n  icon - name of the icon (string, optional)\n{% endcomment %}',
    ],
    ['{% # @param {string} [icon] %}'],
    ['{% liquid\n  # icon: the icon, "x" by default\n%}'],
  ])('says in a comment that an argument is optional: %j', (comment) => {
    const card = `${comment}<b class="{{ icon }}">{{ title }}</b>`
    const files = { 'app/views/partials/card.liquid': card }
    expect(all("{% render 'card', title: 'x' %}", files)).toEqual([])
    expect(all("{% render 'card', icon: 'x' %}", files)).toEqual(['warning missing-inferred-argument'])
  })

  it.each([
    ['vendor/slider.css', 'a { background: url(none.png) }', 'info missing-asset'],
    ['slider.min.css', 'a { background: url(none.png) }', 'info missing-asset'],
    ['slider.css', '/*! Slider 1.0, MIT */\na { background: url(none.png) }', 'info missing-asset'],
    ['slider.css', `${'a{color:red}'.repeat(80)}a{background:url(none.png)}`, 'info missing-asset'],
    ['slider.css', 'a { background: url(none.png) }', 'warning missing-asset'],
  ])('is a stylesheet %s with %j', (name, css, finding) => {
    expect(all(`{{ '${name}' | asset_url }}`, { [`app/assets/${name}`]: css })).toEqual([finding])
  })

  it('gives a translation more than its text asks for', () => {
    const files = { 'app/translations/en.yml': 'en:\n  min: at least %{count}\n  hello: Hello\n' }
    expect(all("{{ 'min' | t: count: 1, value: 2 }}", files)).toEqual(['info unused-translation-argument'])
    expect(all("{{ 'hello' | t: value: 2 }}", files)).toEqual(['warning unused-translation-argument'])
  })

  it('asks the theme for a file of a module that is not here', () => {
    const files = { 'app/config.yml': 'theme_search_paths:\n  -\n  - modules/components\n' }
    expect(all("{% theme_render_rc 'atoms/button' %}", files)).toEqual(['warning absent-module'])
  })
})

it('a migration writes a row after another', () => {
  const files: Files = {
    ...BOOKS,
    'app/graphql/add.graphql':
      'mutation ($title: String) { record_create(record: { table: "book", properties: [{ name: "title", value: $title }] }) { id } }',
    'app/migrations/20260101000000_seed.liquid':
      "{% assign titles = 'a,b' | split: ',' %}{% for title in titles %}{% graphql _r = 'add', title: title %}{% endfor %}",
  }
  expect(checkFiles(site('x', files)).diagnostics.map(({ code }) => code)).toEqual([])
})

it('a table and its properties may carry data of the site', () => {
  const table = 'name: a\nmetadata: { label: Books }\nproperties:\n  - { name: t, metadata: { weight: 1 } }\n'
  const { diagnostics, site: checked } = checkFiles(site('x', { 'app/schema/a.yml': table }))
  expect(diagnostics).toEqual([])
  expect(checked.data.tables).toMatchObject([
    { metadata: { label: 'Books' }, properties: [{ metadata: { weight: 1 } }] },
  ])
})
