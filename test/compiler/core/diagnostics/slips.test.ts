/** One typo causes one message. The consequences of a misspelled name are not reported. */
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { sourceFiles } from '../../../support/case-file.ts'
import { checkFiles, type Files, problems } from '../../../support/compiler/check.ts'

const PAGE = 'app/views/pages/index.liquid'

function site(page: string, more: Files = {}): Files {
  return { [PAGE]: page, ...more }
}

function partials(texts: Files): Files {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`app/views/partials/${name}.liquid`, text]))
}

/** Returns the severity, message and hint of each diagnostic. */
function check(files: Files | string): readonly string[] {
  return checkFiles(files).diagnostics.map(({ severity, message, hint = '' }) =>
    `${severity}: ${message} ${hint}`.trim(),
  )
}

type Row = readonly [name: string, files: Files | string, expected: readonly string[]]

function table(rows: readonly Row[]): void {
  it.each(rows)('%s', (_name, files, expected) => expect(problems(files)).toEqual(expected))
}

describe('a key of context', () => {
  table([
    ['that there is', '{{ context.current_user.id }}{{ context["params"].a }}', []],
    ['that is misspelled', '{{ context.curent_user.id }}', ['unknown-property 1:12']],
    ['in brackets', `{{ context['sesion'].a }}`, ['unknown-property 1:11']],
    ['far from every key', '{{ context.zork }}', ['unknown-property 1:12']],
    ['misspelled in a test', '{% if context.curent_user %}a{% endif %}', ['unknown-property 1:15']],
    ['misspelled under a default', `{{ context.parms.x | default: 'a' }}`, ['unknown-property 1:12']],
    ['that a test asks for and no key is near to', '{% if context.zork %}a{% endif %}', []],
    ['of a second name for it', '{% assign c = context %}{{ c.curent_user }}', ['unknown-property 1:30']],
    [
      'in a partial that is handed it',
      site(`{% render 'p', ctx: context %}`, partials({ p: '{{ ctx.curent_user }}{{ context.curent_user }}' })),
      ['unknown-property p.liquid 1:8', 'unknown-property p.liquid 1:33'],
    ],
    [
      'that the author is free to name',
      '{{ context.params.curent_user }}{{ context.cookies.zork }}{{ context.flash.x }}{{ context.page.metadata.y }}',
      [],
    ],
    ['that is computed', '{{ context[context.params.key] }}', []],
    ['of a variable of that name', '{% for context in context.params.all %}{{ context.curent_user }}{% endfor %}', []],
    [
      'of a variable that is set to something else',
      '{% assign context = context.params %}{{ context.curent_user }}',
      [],
    ],
  ])

  it('is a warning with the likely one, and of one that resembles none a remark', () => {
    expect(check('{{ context.curent_user.id }}{{ context.zork }}')).toEqual([
      'warning: `context` has no property `curent_user`. Did you mean `current_user`?',
      'info: `context` has no property `zork`. The value is always nil: remove it.',
    ])
  })
})

describe('the name of a background job', () => {
  const job = partials({ j: '{% log 1 %}' })
  table([
    ['need not be read', site(`{% background job = 'j' %}`, job), []],
    [
      'does not make a variable of that name read',
      site(`{% assign job = 1 %}{% background job = 'j' %}`, job),
      ['unused-assign 1:11'],
    ],
    ['is set for who reads it', site(`{% background job = 'j' %}{{ job }}`, job), []],
  ])
})

describe('a misspelled argument', () => {
  const card = partials({
    card: '{% doc %}\n  @param {string} title - what it says\n  @param {number} [size] - how large\n{% enddoc %}{{ title | upcase }}{{ size }}',
  })
  const total = partials({ total: '{% doc %}\n  @param {number} price - of one\n{% enddoc %}{% return price %}' })
  const plain = partials({ plain: '{{ title }}{{ size | default: 1 }}' })
  table([
    ['of render', site(`{% render 'card', titel: 'x' %}`, card), ['missing-argument 1:19']],
    ['of function', site(`{% function t = 'total', prcie: 1 %}{{ t }}`, total), ['missing-argument 1:26']],
    ['of background', site(`{% background j = 'card', titel: 'x' %}`, card), ['missing-argument 1:27']],
    ['of a partial without doc', site(`{% render 'plain', titel: 'x' %}`, plain), ['missing-inferred-argument 1:20']],
    [
      'far from the missing one',
      site(`{% render 'card', heading: 'x' %}`, card),
      ['missing-argument 1:11', 'unknown-argument 1:19'],
    ],
    [
      'near one that may be left out',
      site(`{% render 'card', title: 'x', siez: 1 %}`, card),
      ['unknown-argument 1:31'],
    ],
    [
      'twice, of one missing name',
      site(`{% render 'card', titel: 'x', tilte: 'y' %}`, card),
      ['missing-argument 1:19', 'unknown-argument 1:31'],
    ],
    [
      'beside one that is not passed',
      site(`{% render 'pair', titel: 'x' %}`, partials({ pair: '{{ title }}{{ place }}' })),
      ['missing-inferred-argument 1:11', 'missing-inferred-argument 1:19'],
    ],
    [
      'named like a member of a prototype',
      site(`{% render 'plain', title: 1, constructor: 1 %}`, plain),
      ['unknown-inferred-argument 1:30'],
    ],
    [
      'of a form',
      {
        'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n',
        'app/forms/a.liquid': '---\nname: a\nresource: book\n---\n{% form %}{{ heading }}{% endform %}',
        [PAGE]: `{% include_form 'a', haeding: 'x' %}`,
      },
      ['missing-form-argument 1:22'],
    ],
  ])

  it('is as bad as the missing one', () => {
    expect(check(site(`{% function t = 'total', prcie: 1 %}{{ t }}`, total))).toEqual([
      'error: The partial `total` needs `price`, but this call passes `prcie`. Did you mean `price`?',
    ])
    expect(check(site(`{% render 'plain', titel: 1 %}`, plain))).toEqual([
      'warning: The partial `plain` reads `title`, but this call passes `titel`. Did you mean `title`?',
    ])
  })
})

const BOOKS: Files = {
  'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n  - { name: pages, type: integer }\n',
  'app/user_profile_schemas/seller.yml': 'name: seller\nproperties:\n  - name: about\n',
}

/** Returns a site with a form that a page shows and that sends an email. */
function form(head: string, body: string, mail = '{{ form.id }}'): Files {
  return {
    ...BOOKS,
    'app/forms/a.liquid': `---\nname: a\n${head}\nemail_notifications: [m]\n---\n{% form %}${body}{% endform %}`,
    'app/emails/m.liquid': `---\nname: m\nto: a@example.com\n---\n${mail}`,
    [PAGE]: `{% include_form 'a' %}`,
  }
}

describe('a misspelled field of a form', () => {
  const reads = [
    '{{ form.fields.properties.title.name }}{{ form.fields.properties.title.validation.messages }}',
    `{% if form.errors.properties.title %}{{ form.errors['properties.title'] }}{% endif %}{{ form.properties.title }}`,
    '<input name="form[properties_attributes][title]">',
  ].join('')
  const below = [
    '{{ form.fields.profiles.seller.properties.about.name }}{{ form.fields.customizations.book.properties.title.name }}',
    `{{ form.errors['customizations.book.properties.title'] }}{{ form.customizations.book.properties.title }}`,
    `<input name="form[profiles_attributes][seller_attributes][properties_attributes][about]">`,
  ].join('')
  table([
    [
      'is told where it is written',
      form('resource: book\nfields:\n  properties:\n    titel:', reads, '{{ form.properties.title }}'),
      ['unknown-form-field a.liquid 6:5'],
    ],
    ['among the attributes', form('resource: book\nfields:\n  title:', reads), ['unknown-form-field a.liquid 5:3']],
    [
      'that nothing is near to',
      form('resource: book\nfields:\n  properties:\n    headline:', reads),
      ['unknown-form-field a.liquid 6:5'],
    ],
    [
      'and the word for all of them',
      form(
        'resource: book\nfields:\n  propertis:\n    title:\n      validation: { presence: true }\n    pages:',
        reads,
      ),
      ['unknown-form-field a.liquid 5:3'],
    ],
    [
      'and names of resources below it',
      form(
        'resource: User\nfields:\n  profiles:\n    seler:\n      properties:\n        about:\n  customizations:\n    boook:\n      properties:\n        title:',
        below,
      ),
      ['unknown-form-field a.liquid 6:5', 'unknown-form-field a.liquid 10:5'],
    ],
    [
      'hides no other slip',
      form('resource: book\nfields:\n  properties:\n    titel:', '{{ form.properties.pagse }}'),
      ['unknown-form-field a.liquid 6:5', 'unknown-field a.liquid 9:30'],
    ],
    [
      'makes no field of what it may have meant where all fields are right',
      form('resource: book\nfields:\n  properties:\n    pages:', '{{ form.properties.title }}'),
      ['unknown-field a.liquid 9:30'],
    ],
  ])

  it('opens no other field to what is sent', () => {
    const files = sourceFiles(form('resource: book\nfields:\n  properties:\n    titel:', reads), 'platform')
    const { modules } = compile(files, { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: false })
    const text = modules.map(({ body }) => body.text).join('\n')
    expect(text).toMatch(/name: 'titel',\s+type: 'string',\s+virtual/)
    expect(text).not.toMatch(/name: 'title',\s+type: 'string',\s+virtual/)
  })
})

describe('a misspelled name of another file', () => {
  const cards = partials({ card: `{% render 'inner' %}`, inner: `{% graphql g = 'books' %}{{ g }}` })
  const books: Files = {
    'app/graphql/books.graphql':
      'query books { records(per_page: 1, filter: { table: { value: "book" } }) { results { id } } }',
    'app/schema/book.yml': BOOKS['app/schema/book.yml'] ?? '',
  }
  table([
    [
      'leaves the partial that it likely meant in use',
      site(`{% render 'crad' %}`, { ...cards, ...books }),
      ['missing-partial 1:11'],
    ],
    ['with the folder of old sites', site(`{% render 'lib/card' %}`, { ...cards, ...books }), ['missing-partial 1:11']],
    [
      'of several that a variable can be',
      site(`{% assign n = 'crad' %}{% include n %}`, { ...cards, ...books }),
      ['missing-dynamic-partial 1:35'],
    ],
    [
      'says nothing of the other partials',
      site(`{% render 'crad' %}`, partials({ card: 'x', other: 'y' })),
      ['missing-partial 1:11', 'unused-partial other.liquid 1:1'],
    ],
    [
      'far from every partial',
      site(`{% render 'zork' %}`, partials({ card: 'x' })),
      ['missing-partial 1:11', 'unused-partial card.liquid 1:1'],
    ],
    [
      'leaves the query that it likely meant in use',
      site(`{% graphql g = 'boks' %}{{ g }}`, books),
      ['missing-query 1:16'],
    ],
  ])
})

describe('a misspelled setting', () => {
  const mail = (head: string): Files => ({ 'app/emails/m.liquid': `---\nname: m\n${head}\n---\nx`, [PAGE]: 'x' })
  table([
    ['that the file cannot do without', mail('subject: a\ntoo: a@example.com'), ['missing-setting m.liquid 4:1']],
    [
      'of a form',
      { ...BOOKS, [PAGE]: 'x', 'app/forms/a.liquid': '---\nname: a\nresorce: book\n---\n' },
      ['missing-setting a.liquid 3:1'],
    ],
    ['that it can do without', mail('to: a@example.com\nsubjct: a'), ['unknown-setting m.liquid 4:1']],
    ['that is near to one that is given', mail('to: a@example.com\ntoo: a'), ['unknown-setting m.liquid 4:1']],
    ['without its value', mail('subject: a\nto:'), ['missing-setting m.liquid 4:1']],
    ['with a blank value', mail(`to: ''`), ['missing-setting m.liquid 3:1']],
    ['with a value of another kind', mail('subject: a\nto: [a@example.com]'), ['setting-refused m.liquid 4:1']],
    [
      'with Liquid that is wrong on a later line',
      mail(`to: >\n  {{ data.a }},\n  {{ data.b | upcas }}`),
      ['unknown-filter m.liquid 5:15'],
    ],
  ])

  it('is told as the one that is missing', () => {
    expect(check(mail('too: a@example.com'))).toEqual([
      'error: An email needs the setting `to`, but this is `too`. Did you mean `to`?',
    ])
  })
})

it('a misspelled folder is told with the one that was likely meant', () => {
  const ignored = [
    { path: 'app/schemas', message: 'no kind of file stands in `schemas`', suggestion: 'app/schema' },
    { path: 'app/zork', message: 'no kind of file stands in `zork`', suggestion: null },
  ]
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false, ignored } as const
  const { diagnostics } = compile(sourceFiles({ [PAGE]: 'x' }, 'platform'), options)
  expect(diagnostics.map(({ span, code, hint }) => [span.file, code, hint])).toEqual([
    ['app/schemas', 'ignored-file', 'Did you mean `app/schema`?'],
    ['app/zork', 'ignored-file', undefined],
  ])
})
