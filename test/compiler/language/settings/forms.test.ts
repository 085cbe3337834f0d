/** Form configurations: their diagnostics with places, and their data in the emitted module of the site. */
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import type * as runtime from '../../../../runtime/index.ts'
import { sourceFiles } from '../../../support/case-file.ts'
import { siteOf } from '../../../support/emitted-code.ts'
import { checkFiles, type Files, problems } from '../../../support/compiler/check.ts'

const SCHEMA: Files = {
  'app/schema/book.yml':
    'name: book\nproperties:\n  - name: title\n  - { name: pages, type: integer }\n  - { name: cover, type: upload }\n',
  'app/user.yml': 'properties:\n  - { name: age, type: integer }\n',
  'app/user_profile_schemas/seller.yml': 'name: seller\nproperties:\n  - name: about\n',
}

/** Returns a site with one form in `app/forms/a.liquid` and the front matter `head`. */
function site(head: string, body = '', more: Files = {}): Files {
  const shown = body === '' ? 'x' : `{% include_form 'a' %}`
  return {
    ...SCHEMA,
    'app/forms/a.liquid': `---\nname: a\n${head}\n---\n${body}`,
    'app/views/pages/index.liquid': shown,
    ...more,
  }
}

const book = (fields: string, body = '', more: Files = {}) => site(`resource: book\nfields:\n${fields}`, body, more)
const user = (fields: string, body = '') => site(`resource: User\nfields:\n${fields}`, body)

type Row = readonly [name: string, files: Files, expected: readonly string[]]

function table(rows: readonly Row[]): void {
  it.each(rows)('%s', (_name, files, expected) => expect(problems(files)).toEqual(expected))
}

describe('the resource', () => {
  table([
    ['a table', site('resource: book'), []],
    [
      'a word for any record',
      site('resource: Customization\nfields:\n  properties:\n    title:\n    age:'),
      ['unknown-form-field a.liquid 7:5'],
    ],
    ['a table that does not exist', site('resource: boook'), ['unknown-form-resource a.liquid 3:11']],
    ['a resource of older sites', site('resource: CustomImage'), ['unknown-form-resource a.liquid 3:11']],
    ['a profile by its type', site('resource: seller\nfields:\n  enabled:\n  properties:\n    about:'), []],
    [
      'a session',
      site('resource: Session\nfields:\n  email:\n  password:\n  remember_me:\n  name:'),
      ['unknown-form-field a.liquid 8:3'],
    ],
    [
      'a table of the same module',
      {
        'modules/m/public/schema/pen.yml': 'name: pen\nproperties:\n  - name: ink\n',
        'modules/m/public/forms/p.liquid':
          '---\nname: p\nresource: pen\nfields:\n  properties:\n    ink:\n    inc:\n---\n',
      },
      ['unknown-form-field p.liquid 7:5'],
    ],
    ['a mapping that names it', site('resource: { name: book }'), []],
  ])
})

describe('fields', () => {
  table([
    ['an attribute and a property', book('  external_id:\n  properties:\n    title:'), []],
    ['a property among the attributes', book('  title:'), ['unknown-form-field a.liquid 5:3']],
    ['an attribute among the properties', book('  properties:\n    user_id:'), ['unknown-form-field a.liquid 6:5']],
    [
      'what is never stored',
      book(
        '  properties:\n    total: { property_options: { virtual: true } }\n  terms: { property_options: { virtual: true } }',
      ),
      [],
    ],
    ['a name like a prototype member', book('  constructor:'), ['unknown-form-field a.liquid 5:3']],
    ['a property of users', user('  properties:\n    age:\n    aeg:'), ['unknown-form-field a.liquid 7:5']],
    [
      'a profile',
      user(
        '  profiles:\n    seller:\n      validation: { presence: true }\n      properties:\n        about:\n        abuot:',
      ),
      ['unknown-form-field a.liquid 10:9'],
    ],
    [
      'what must hold for all profiles',
      user('  profiles:\n    seller:\n      properties:\n        about:\n    validation:\n      presence: true'),
      [],
    ],
    [
      'a profile that does not exist',
      user('  profiles:\n    seler:\n      enabled:'),
      ['unknown-form-field a.liquid 6:5'],
    ],
    ['the profile that everybody has', user('  profiles:\n    default:\n      properties:\n        any:'), []],
    ['a profile of a record', book('  profiles:\n    seller:'), ['unknown-form-field a.liquid 6:5']],
    [
      'records below it',
      user('  customizations:\n    book:\n      properties:\n        title:\n        titel:\n    boook:'),
      ['unknown-form-field a.liquid 9:9', 'unknown-form-field a.liquid 10:5'],
    ],
    [
      'an image below it',
      book('  custom_images:\n    photo:\n      image: { validation: { presence: true } }\n      imag:'),
      ['unknown-form-field a.liquid 8:7'],
    ],
    ['an address below it', user('  custom_addresses:\n    home: { street: , city: , latitude: }'), []],
    [
      'names as inputs have them',
      user('  profiles_attributes:\n    seller:\n      properties_attributes:\n        about:'),
      [],
    ],
    ['a list for a map', site('resource: book\nfields: [title]'), ['setting-refused a.liquid 4:1']],
    ['a list below properties', book('  properties: [title]'), ['setting-refused a.liquid 5:15']],
    ['a text for a field', book('  properties:\n    title: required'), ['setting-refused a.liquid 6:12']],
    [
      'an unknown key of a field',
      book('  properties:\n    title: { validations: { presence: true } }'),
      ['unknown-setting a.liquid 6:14'],
    ],
    [
      'a switch that is none',
      book('  properties:\n    title: { property_options: { virtual: perhaps } }'),
      ['setting-refused a.liquid 6:43'],
    ],
  ])

  it('beyond what anybody nests are refused', () => {
    const deep = (level: number): string =>
      level === 0 ? '{ external_id: }' : `{ customizations: { book: ${deep(level - 1)} } }`
    expect(problems(site(`resource: book\nfields: ${deep(8)}`))).toEqual([])
    expect(problems(site(`resource: book\nfields: ${deep(30)}`))).toEqual([expect.stringMatching(/^setting-refused/)])
  })

  it('of a table whose file cannot be read are not told again', () => {
    const files = book('  properties:\n    title:', '', { 'app/schema/book.yml': 'name: book\nproperties: [' })
    expect(new Set(problems(files).map((each) => each.split(' ')[0]))).toEqual(new Set(['yaml-syntax']))
  })

  it('name the nearest', () => {
    const { diagnostics } = checkFiles(book('  properties:\n    titel:'))
    expect(diagnostics).toMatchObject([
      {
        message: '`book` has no property `titel`.',
        hint: 'Did you mean `title`?',
        related: [{ span: { file: 'app/schema/book.yml' } }],
      },
    ])
  })
})

describe('validations', () => {
  const title = (validation: string) => book(`  properties:\n    title: { validation: ${validation} }`)
  const at = (column: number, code: string) => [`${code} a.liquid 6:${column}`]
  table([
    ['switched on and off', title('{ presence: true, uniqueness: false }'), []],
    ['an unknown one', title('{ presense: true }'), at(28, 'unknown-validation')],
    ['a name like a prototype member', title('{ constructor: true }'), at(28, 'unknown-validation')],
    ['a word for a mapping', title('{ presence: please }'), at(38, 'validation-option-value')],
    ['no mapping at all', title('true'), at(26, 'validation-option-value')],
    ['an unknown option', title('{ length: { min: 3, maximum: 4 } }'), at(38, 'unknown-validation-option')],
    ['a length that is no number', title('{ length: { minimum: few } }'), at(47, 'validation-option-value')],
    ['a length that is computed', title('{ length: { minimum: "{{ 3 }}" } }'), []],
    ['a length as a range', title('{ length: { in: [3, 9] } }'), []],
    ['a range of one', title('{ length: { within: [3] } }'), at(38, 'validation-option-value')],
    ['an inclusion in nothing', title('{ inclusion: true }'), at(28, 'missing-validation-option')],
    ['an inclusion in one', title('{ inclusion: { in: a } }'), at(45, 'validation-option-value')],
    ['an expression', title(`{ format: { with: '\\A[a-z]+\\z' } }`), []],
    ['an expression that looks back', title(`{ format: { with: '(?<=a)b(?!c)' } }`), []],
    ['a broken expression', title(`{ format: { with: '[a-z' } }`), at(44, 'validation-option-value')],
    ['a format without one', title('{ format: { multiline: true } }'), at(28, 'missing-validation-option')],
    ['a phrase for a time', title('{ datetime: { after: 18 years ago } }'), []],
    ['a time that is none', title('{ datetime: { after: someday } }'), at(47, 'validation-option-value')],
    ['a date that is none', title('{ date: { before: 2024-13-45 } }'), at(44, 'validation-option-value')],
    ['a turn', title('{ presence: { on: create } }'), []],
    ['a turn that is none', title('{ presence: { on: delete } }'), at(44, 'validation-option-value')],
    ['a scope', title('{ unique: { scope: [user_id, pages] } }'), []],
    ['a scope that is no field', title('{ unique: { scope: [user_id, pagse] } }'), at(38, 'unknown-form-field')],
    ['beside its key', book('  properties:\n    title: { presence: true }'), at(14, 'misplaced-validation')],
    ['of another type', book('  properties:\n    pages: { validation: { email: true } }'), at(28, 'validation-type')],
    [
      'a confirmation without its field',
      user('  password: { validation: { confirmation: true } }'),
      ['missing-confirmation a.liquid 5:29'],
    ],
    [
      'a confirmation',
      user(
        '  password: { validation: { confirmation: true } }\n  password_confirmation: { property_options: { virtual: true } }',
      ),
      [],
    ],
  ])
})

describe('names of other files', () => {
  const open = 'resource: book\n'
  it('that are like none are told with those that there are', () => {
    const mail = '---\nto: a@example.com\nsubject: x\n---\nx'
    const query = 'mutation { email_send(template: { name: "zzz" }) { is_scheduled_to_send } }'
    const { diagnostics } = checkFiles(
      site(`${open}email_notifications: [zzz]`, '', {
        'app/emails/hello.liquid': mail,
        'app/emails/thanks.liquid': mail,
        'app/views/pages/index.liquid': `{% graphql g %}${query}{% endgraphql %}{{ g }}{% include_form 'zzz' %}`,
      }),
    )
    // The form and the mutation are reported together.
    const mails = 'The existing names are `hello` and `thanks`.'
    expect(diagnostics.filter(({ code }) => code.startsWith('missing-')).map(({ hint }) => hint)).toEqual([
      mails,
      expect.stringContaining('`a`'),
    ])
  })

  table([
    ['a policy', site(`${open}authorization_policies: [membr]`), ['missing-policy a.liquid 4:26']],
    ['an email', site(`${open}email_notifications:\n  - welcome`), ['missing-notification a.liquid 5:5']],
    [
      'an API call where there is an email',
      site(`${open}api_call_notifications: [hi]`, '', { 'app/emails/hi.liquid': '---\nto: a@b.c\nsubject: x\n---\nx' }),
      ['missing-notification a.liquid 4:26'],
    ],
    [
      'a form that is shown',
      site(open, 'x', { 'app/views/pages/index.liquid': `{% include_form 'b' %}` }),
      ['missing-form 1:17'],
    ],
    [
      'a form by another spelling',
      site(open, 'x', {
        'app/views/pages/index.liquid': `{% assign n = 'z' %}{% include_form n %}{% include_form 'a' %}`,
      }),
      [],
    ],
    [
      'a form without a template',
      site(open, ' \n', { 'app/views/pages/index.liquid': `{% include_form 'a' %}` }),
      ['form-without-template 1:17'],
    ],
  ])
})

describe('who shows a form', () => {
  const open = 'resource: book\n'
  const page = (text: string): Files => ({ 'app/views/pages/index.liquid': text })
  table([
    ['with an argument that it reads', site(open, '{{ back }}', page(`{% include_form 'a', back: '/' %}`)), []],
    ['without it', site(open, '{{ back }}'), ['missing-form-argument 1:1']],
    ['without one that is tested', site(open, '{% if back %}{{ back }}{% endif %}'), []],
    [
      'with one that it never reads',
      site(open, '{{ back }}', page(`{% include_form 'a', back: '/', bakc: '/' %}`)),
      ['unknown-form-argument 1:33'],
    ],
    [
      'with one that an included partial reads',
      site(open, `{% include 'p' %}`, {
        ...page(`{% include_form 'a', back: '/' %}`),
        'app/views/partials/p.liquid': '{{ back }}',
      }),
      [],
    ],
    [
      'with older names',
      site(
        open,
        'x',
        page(`{% include_form 'a', object_id: 1, resource_id: 2, object_class: 'x', parent_resource_id: 'book' %}`),
      ),
      [],
    ],
    [
      'the element outside',
      site(open, 'x', page(`{% include_form 'a' %}{% form %}{% endform %}`)),
      ['form-outside 1:23'],
    ],
    [
      'the element in a partial of a form',
      site(open, `{% render 'p' %}`, { 'app/views/partials/p.liquid': '{% form %}{% endform %}' }),
      [],
    ],
    [
      'the element in a partial of a page',
      site(open, 'x', {
        ...page(`{% include_form 'a' %}{% render 'p' %}`),
        'app/views/partials/p.liquid': '{% form %}{% endform %}',
      }),
      ['form-outside p.liquid 1:1'],
    ],
  ])
})

describe('the object `form`', () => {
  const PRICE =
    '  external_id:\n  properties:\n    title: { validation: { presence: true }, property_options: { hint: x } }\n    pages:'
  const reads = (body: string) =>
    problems(book(PRICE, body)).map((each) => each.replace(/^(\S+) a\.liquid \d+:(\d+)$/, '$1 $2'))
  it.each<readonly [string, readonly string[]]>([
    ['{{ form.fields.properties.title.name }}{{ form_builder.fields.external_id.value }}', []],
    ['{{ form.fields.titel.name }}', ['unknown-field 16']],
    ['{{ form.fields.properties.titel.name }}', ['unknown-field 27']],
    ['{{ form.fields.properties.title.vale }}', ['unknown-field 33']],
    ['{{ form.fields.properties.title.validation.rules.presence }}', []],
    ['{{ form.fields.properties.title.validation.rules.presense }}', ['unknown-field 50']],
    ['{{ form.fields.properties.title.validation.errors | join: "," }}', []],
    ['{{ form.fields.properties.title.property_options.hint }}', []],
    ['{{ form.fields.properties.pages.property_options.hint }}', ['unknown-field 50']],
    [`{{ form.errors['properties.title'] }}{{ form.errors.properties.title }}{{ form.errors.base }}`, []],
    [`{{ form.errors['properties.titel'] }}`, ['unknown-field 15']],
    ['{{ form.properties.pages | plus: 1 }}{{ form.id }}{{ form.name }}{{ form.action }}', []],
    ['{{ form.properties.page }}', ['unknown-field 20']],
    ['{{ form.user_id }}{{ form.created_at | date: "%Y" }}', []],
    ['{{ form.email }}', ['unknown-field 9']],
    ['{% if form.errors != blank %}x{% endif %}{% for pair in form.errors %}{{ pair[0] }}{% endfor %}', []],
    ['{% for pair in form.changes %}{{ pair[0] }}{{ pair[1].old }}{% endfor %}', []],
    ['<input name="form[properties_attributes][title]"><input name="form[properties][pages]">', []],
    ['<input name="form[properties_attributes][titel]">', ['unknown-field 42']],
    ['<input type="hidden" name="back"><input name="{{ form.fields.external_id.name }}">', []],
    [`{% form html-class='', html-id: 'x' %}{% endform %}`, []],
    [`{% form method: 'Delete' %}{% endform %}`, []],
    [`{% form method: 'fetch' %}{% endform %}`, ['tag-argument-value 17']],
    ['{% form form, multipart: true, as: "customization", html-id: "x" %}{% endform %}', []],
    ['{% form form, as: customization %}{% endform %}', ['missing-form-argument 1:1']],
  ])('%s', (body, expected) => expect(reads(body)).toEqual(expected))

  it('is known in the Liquid of settings, also in lines of a block', () => {
    const files = site(`resource: book
redirect_to: /{{ form.idd }}/books
default_payload: |
  {% assign title = form.properties.title %}
  { "properties": { "title": "{{ form.properties.titel }}" } }
fields:
  properties:
    title: { validation: { presence: { if: "{{ form.propertys.title }}" } } }`)
    expect(problems(files)).toEqual([
      'unknown-field a.liquid 4:23',
      'unused-assign a.liquid 6:13',
      'unknown-field a.liquid 7:50',
      'unknown-field a.liquid 10:53',
    ])
  })

  it('is known in partials that it is handed to', () => {
    const files = book('  properties:\n    title:', `{% render 'field', field: form.fields.properties.title %}`, {
      'app/views/partials/field.liquid': '{{ field.nam }}',
    })
    expect(problems(files)).toEqual(['unknown-field field.liquid 1:10'])
  })

  it('follows what a changed table or form says', () => {
    const memo = new Memory()
    const before = book('  properties:\n    title:', '{{ form.properties.title }}')
    expect(problems(before, { memo })).toEqual([])
    const form = {
      'app/forms/a.liquid':
        '---\nname: a\nresource: book\nfields:\n  properties:\n    pages:\n---\n{{ form.properties.title }}',
    }
    expect(problems({ ...before, ...form }, { memo })).toEqual(['unknown-field a.liquid 8:20'])
    const pen = { 'app/schema/book.yml': 'name: book\nproperties:\n  - name: pen\n' }
    expect(problems({ ...before, ...pen }, { memo })).toEqual(['unknown-form-field a.liquid 6:5'])
    expect(problems(before, { memo })).toEqual([])
  })
})

describe('the site that is built', () => {
  function built(files: Files, said: readonly string[] = []): runtime.CompiledSite {
    const compiled = compile(sourceFiles(files, 'platform'), {
      ...({ dialect: 'platform', syntax: 'lax', keepGoing: said.length > 0, openEntries: false } as const),
    })
    // The forms of these sites are not shown by any page, which is not tested here.
    const codes = compiled.diagnostics.map(({ code }) => code).filter((code) => code !== 'unused-file')
    expect(codes).toEqual(said)
    return siteOf(compiled.modules)
  }

  it('has its forms by name', () => {
    const { forms } = built(
      site(
        `resource: User
redirect_to: /
default_payload: { external_id: a }
async_callback_actions: { content: "{{ form.id }}", delay: 0.5, priority: low }
spam_protection: { captcha_v3: { action: signup } }
request_allowed: false
fields:
  email: { validation: { presence: { message: "{{ form.email }}", on: create }, uniqueness: { scope: [last_name], case_sensitive: false } } }
  terms: { property_options: { virtual: true, default: 'no', note: [1, { a: b }] } }
  __proto__: { property_options: { virtual: true } }
  properties:
    age: { property_options: { readonly: true }, validation: { numericality: { greater_than: 17, allow_blank: true } } }
  profiles:
    seller:
      validation: { presence: true }
      properties:
        about:
  customizations:
    book:
      properties:
        cover:`,
        '{% form %}{% spam_protection "recaptcha_v2" %}{{ form_builder.fields.email.name }}{% endform %}',
      ),
    )
    const plain = (value: unknown) => ({ kind: 'plain', value })
    const computed = { kind: 'liquid', render: expect.any(Function) }
    const rule = { options: {}, message: null, if: null, allowNil: false, allowBlank: false, on: null }
    const field = { virtual: false, readonly: false, default: null, validations: [], options: {} }
    expect(Object.keys(forms)).toEqual(['a'])
    expect(forms['a']).toEqual({
      ...{ file: 'app/forms/a.liquid', name: 'a', resource: 'user', resourceName: 'User', table: null, owner: 'self' },
      fields: {
        attributes: [
          {
            ...field,
            ...{ name: 'email', type: 'string' },
            validations: [
              { ...rule, kind: 'presence', message: computed, on: 'create' },
              {
                ...rule,
                kind: 'uniqueness',
                options: { scope: { kind: 'list', items: [plain('last_name')] }, case_sensitive: plain(false) },
              },
            ],
          },
          {
            ...field,
            ...{ name: 'terms', type: 'string', virtual: true, default: plain('no') },
            options: { virtual: true, default: 'no', note: [1, { a: 'b' }] },
          },
          { ...field, name: '__proto__', type: 'string', virtual: true, options: { virtual: true } },
        ],
        properties: [
          {
            ...field,
            ...{ name: 'age', type: 'integer', readonly: true, options: { readonly: true } },
            validations: [{ ...rule, kind: 'numericality', options: { greater_than: plain(17) }, allowBlank: true }],
          },
        ],
        nested: [
          {
            ...{ kind: 'profiles', name: 'seller', table: null, validations: [{ ...rule, kind: 'presence' }] },
            fields: { attributes: [], properties: [{ ...field, name: 'about', type: 'string' }], nested: [] },
          },
          {
            ...{ kind: 'customizations', name: 'book', table: 'book', validations: [] },
            fields: { attributes: [], properties: [{ ...field, name: 'cover', type: 'upload' }], nested: [] },
          },
        ],
      },
      render: expect.any(Function),
      redirectTo: plain('/'),
      flashNotice: null,
      flashAlert: null,
      defaultPayload: { kind: 'map', entries: { external_id: plain('a') } },
      callbackActions: null,
      asyncCallback: { content: computed, delay: 0.5, priority: 'low', maxAttempts: 1 },
      notifications: { emails: [], sms: [], apiCalls: [] },
      policies: [],
      spamProtection: { provider: 'recaptcha_v3', action: 'signup', minimumScore: 0.5 },
      requestAllowed: false,
      responseHeaders: null,
      metadata: { kind: 'map', entries: {} },
    })
  })

  it('knows records of any table, and forms without a template', () => {
    const { forms } = built(site('resource: Model'))
    expect(forms['a']).toMatchObject({ resource: 'record', table: null, owner: 'creator', render: null })
  })

  it('leaves out a form of which a part could not be read, also where it is built all the same', () => {
    const policies = 'authorization_policies: { a: b }'
    expect(built(site(`resource: book\n${policies}`), ['setting-refused']).forms).toEqual({})
    expect(Object.keys(built(book('  properties:\n    titel:'), ['unknown-form-field']).forms)).toEqual(['a'])
  })
})
