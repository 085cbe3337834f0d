/** The object `form` as templates read it, and the HTML of its inputs and of the `form` tag. */
import { describe, expect, it } from 'vitest'
import type { FormFacts } from '../../../../runtime/data/forms/builder.ts'
import { errorObject, formBuilder, openTag, sentForm } from '../../../../runtime/data/forms/index.ts'
import type { FormErrors, FormState } from '../../../../runtime/data/forms/model.ts'
import type { FieldDef, FormEntry } from '../../../../runtime/page/site.ts'
import { at, get, size, writeKey } from '../../../../runtime/page/values/access.ts'
import { entries } from '../../../../runtime/page/values/hash.ts'
import { toJson } from '../../../../runtime/page/values/json.ts'
import { esc, plain as plainText } from '../../../../runtime/page/values/text.ts'
import { isBlank } from '../../../../runtime/page/values/truth.ts'
import { field, form, group, plain, rule } from '../openapi/forms.ts'
import { liquidSetting, nestedGroup, renderWith, formState, values } from './support.ts'

const profile = group([field('enabled', 'boolean')], [field('title', 'string', rule('presence'))])
const entry: FormEntry = form(
  'sign_up',
  'user',
  group(
    [
      field('email', 'string', rule('presence'), rule('length', { maximum: 9 }, { message: plain('no') })),
      field('password'),
      field('name'),
    ],
    [
      { ...field('age', 'integer'), default: plain('18'), options: { default: '18' } },
      field('tags', 'array'),
      field('phone_number'),
      { ...field('level', 'string'), readonly: true, default: liquidSetting(() => 'low') },
    ],
    [
      nestedGroup('profiles', 'developer', profile, rule('presence')),
      nestedGroup('custom_images', 'photo', group([field('image', 'upload')])),
    ],
  ),
  { resourceName: 'User', owner: 'self' },
)

function facts(more: Record<string, string> = {}) {
  const systemFields = {
    authenticity_token: 't<o>',
    form_name: 'sign_up',
    page_slug: 'a/b',
    slug: 'a',
    resource_id: 'new',
    ...more,
  }
  return { action: '/api/users', systemFields, r: renderWith(), metadata: { title: 'x' } }
}

/** Reads `form.a.b['c.d']` as a template does. */
function dig(from: unknown, ...keys: string[]): unknown {
  return keys.reduce((value, key) => (key.includes('.') ? at(value, key) : get(value, key)), from)
}

function build(of: FormState, fact: FormFacts = facts(), by: FormEntry = entry): Record<string, unknown> {
  return formBuilder(by, of, fact)
}

const errors: FormErrors = new Map([
  ['email', ["can't be blank", 'is <b>invalid</b>']],
  ['properties.phone_number', ['is invalid']],
  ['profiles.developer.properties.title', ["can't be blank"]],
  ['base', ['no robots']],
])

describe('form', () => {
  it('tells the configuration', () => {
    const builder = build(formState(null))
    const told = ['name', 'resource', 'resource_owner', 'action', 'metadata', 'id'].map((key) => builder[key])
    expect(told).toEqual(['sign_up', 'User', 'self', '/api/users', { title: 'x' }, null])
    expect(build(formState(null, { id: '12' }))['id']).toBe('12')
  })

  it('has what the resource is by itself, configured or not', () => {
    const known = { id: '12', attributes: { first_name: 'Jo', email: 'a@b.c', slug: 'jo' } }
    const user = build(formState({ attributes: { email: 'new@b.c' } }, known))
    expect([get(user, 'first_name'), get(user, 'email'), get(user, 'slug')]).toEqual(['Jo', 'new@b.c', 'jo'])
    expect(Object.keys(user)).not.toContain('slug')
    const record = form('note', 'record', group([]), { resourceName: 'note' })
    expect(get(build(formState(null, { id: '3', userId: '12' }), facts(), record), 'user_id')).toBe('12')
    expect(get(build(formState(null), facts(), record), 'user_id')).toBeNull()
  })

  it('names its inputs', () => {
    const fields = build(formState(null))['fields']
    expect(dig(fields, 'email', 'name')).toBe('form[email]')
    expect(dig(fields, 'properties', 'age', 'name')).toBe('form[properties_attributes][age]')
    expect(dig(fields, 'properties', 'tags', 'name')).toBe('form[properties_attributes][tags][]')
    expect(dig(fields, 'profiles', 'developer', 'enabled', 'name')).toBe(
      'form[profiles_attributes][developer_attributes][enabled]',
    )
    expect(dig(fields, 'profiles', 'developer', 'properties', 'title', 'name')).toBe(
      'form[profiles_attributes][developer_attributes][properties_attributes][title]',
    )
    expect(dig(fields, 'custom_images', 'photo', 'image', 'name')).toBe(
      'form[custom_images_attributes][photo_attributes][image]',
    )
  })

  it('gives values as sent, as stored, or the default', () => {
    const fresh = build(formState(null))
    expect(dig(fresh, 'fields', 'properties', 'age', 'value')).toBe('18')
    expect(dig(fresh, 'properties', 'age')).toBe(18)
    expect(dig(fresh, 'fields', 'email', 'value')).toBeNull()
    const known = {
      attributes: { email: 'a' },
      properties: { age: 30 },
      nested: { profiles: { developer: values({ properties: { title: 'old' } }) } },
    }
    const loaded = build(formState(null, known))
    expect(dig(loaded, 'fields', 'properties', 'age', 'value')).toBe(30)
    expect(dig(loaded, 'fields', 'profiles', 'developer', 'properties', 'title', 'value')).toBe('old')
    expect(dig(loaded, 'profiles', 'developer', 'properties', 'title')).toBe('old')
    const refused = build(formState({ attributes: { email: '<x>' }, properties: { age: '1x', level: 'high' } }, known))
    expect(dig(refused, 'fields', 'email', 'value')).toBe('<x>')
    expect(dig(refused, 'fields', 'properties', 'age', 'value')).toBe('1x')
    expect(dig(refused, 'properties', 'age')).toBe('1x')
    expect(dig(refused, 'profiles', 'developer', 'properties', 'title')).toBe('old')
    expect(dig(refused, 'fields', 'properties', 'level', 'value')).toBe('low')
  })

  it('gives current values in their types', () => {
    const builder = build(formState({ attributes: { email: 'a', name: 'Ann' }, properties: { age: '7', tags: ['a'] } }))
    expect(dig(builder, 'email')).toBe('a')
    // The name in the configuration takes precedence.
    expect(dig(builder, 'name')).toBe('sign_up')
    expect(dig(builder, 'properties', 'age')).toBe(7)
    expect(dig(builder, 'properties', 'tags')).toEqual(['a'])
    expect(dig(builder, 'fields', 'name', 'value')).toBe('Ann')
    expect(dig(builder, 'changes', 'properties.age')).toEqual({ old: null, new: 7 })
  })

  it('never shows anything but text, numbers and switches where those are declared', () => {
    const builder = build(
      formState({ attributes: { email: 5 }, properties: { age: [1, { a: 2 }], phone_number: { a: 1 } } }),
    )
    expect(dig(builder, 'fields', 'email', 'value')).toBe('5')
    expect(dig(builder, 'email')).toBe('5')
    expect(dig(builder, 'fields', 'properties', 'age', 'value')).toBe('[1,{"a":2}]')
    expect(dig(builder, 'properties', 'age')).toBe('[1,{"a":2}]')
    expect(dig(builder, 'fields', 'properties', 'phone_number', 'value')).toBe('{"a":1}')
  })

  it('shows the name of a file, never where it lies', () => {
    const file = { kind: 'sent-file', fileName: 'a.png', contentType: 'image/png', size: 1, path: '/tmp/secret' }
    const photo = values({ attributes: { image: file } })
    const builder = build(formState({ nested: { custom_images: { photo } } }))
    expect(dig(builder, 'fields', 'custom_images', 'photo', 'image', 'value')).toBe('a.png')
    expect(toJson(builder)).not.toContain('secret')
  })

  it('may be written to by a template', () => {
    const builder = build(formState(null))
    const email = dig(builder, 'fields', 'email')
    for (const key of ['name', 'value', 'validation']) {
      writeKey(email, key, 'x', 'field')
      expect(dig(builder, 'fields', 'email', key)).toBe('x')
    }
    writeKey(dig(builder, 'properties'), 'age', 3, 'properties')
    expect(dig(builder, 'properties', 'age')).toBe(3)
    // Another form that is rendered at the same time is not affected.
    expect(dig(build(formState(null)), 'fields', 'email', 'name')).toBe('form[email]')
  })

  it('gives rules, options and errors of a field', () => {
    const builder = build(formState(null, null, errors))
    expect(dig(builder, 'fields', 'email', 'validation', 'rules', 'presence')).toBe(true)
    expect(dig(builder, 'fields', 'email', 'validation', 'rules', 'length')).toEqual({ maximum: 9, message: 'no' })
    expect(dig(builder, 'fields', 'email', 'validation', 'rules', 'format')).toBeNull()
    expect(dig(builder, 'fields', 'email', 'validation', 'errors')).toEqual(["can't be blank", 'is <b>invalid</b>'])
    expect(dig(builder, 'fields', 'email', 'validation', 'messages')).toEqual(["can't be blank", 'is <b>invalid</b>'])
    expect(dig(builder, 'fields', 'properties', 'age', 'validation', 'errors')).toEqual([])
    expect(dig(builder, 'fields', 'properties', 'age', 'property_options')).toEqual({ default: '18' })
    expect(dig(builder, 'fields', 'profiles', 'developer', 'validation', 'rules', 'presence')).toBe(true)
  })

  it('never spills a password when it is printed as a whole', () => {
    const builder = build(formState({ attributes: { password: 'secret-word' } }))
    expect(dig(builder, 'password')).toBe('secret-word')
    expect(toJson(builder)).not.toContain('secret-word')
    expect(esc(builder)).not.toContain('secret-word')
    // The token is computed only when it is read.
    expect(toJson(builder)).not.toContain('t<o>')
  })

  it('asks for its hidden inputs only when they are read', () => {
    let made = 0
    const systemFields = {
      get authenticity_token() {
        made++
        return 'token'
      },
    }
    const builder = build(formState(null, { id: '1' }), { ...facts(), systemFields })
    toJson(builder)
    expect(made).toBe(0)
    expect(dig(builder, 'system_fields')).toEqual({ utf8: '✓', authenticity_token: 'token', _method: 'put' })
    expect(dig(builder, 'system_fields', '_method')).toBe('put')
    expect(made).toBe(1)
  })

  it('says which default needs itself', () => {
    const self: FieldDef = {
      ...field('a'),
      default: liquidSetting((scope) => `${dig(scope, 'form', 'properties', 'a')}`),
    }
    const late: FieldDef = { ...field('b'), default: liquidSetting(async () => 'x') }
    const builder = build(formState(null), facts(), form('f', 'record', group([], [self, late])))
    expect(() => dig(builder, 'properties', 'a')).toThrow('properties.a depends on its own value')
    expect(() => dig(builder, 'properties', 'b')).toThrow('cannot use a query')
  })
})

describe('form.errors', () => {
  const found = build(formState(null, null, errors))['errors']

  it.each([
    [['email'], "can't be blank, is <b>invalid</b>"],
    [['properties.phone_number'], 'is invalid'],
    [['properties', 'phone_number'], 'is invalid'],
    [['profiles.developer.properties.title'], "can't be blank"],
    [['profiles', 'developer', 'properties', 'title'], "can't be blank"],
    [['base'], 'no robots'],
    [['name'], null],
    [['properties', 'age'], null],
    [['profiles', 'owner', 'x'], null],
    [['constructor'], null],
    [['properties', '__proto__'], null],
  ])('%j', (keys, expected) => {
    expect(dig(found, ...keys)).toBe(expected)
  })

  it('has one pair a path', () => {
    expect(entries(found as Record<string, unknown>)).toEqual([
      ['email', "can't be blank, is <b>invalid</b>"],
      ['properties.phone_number', 'is invalid'],
      ['profiles.developer.properties.title', "can't be blank"],
      ['base', 'no robots'],
    ])
    expect(size(found)).toBe(4)
    expect(isBlank(found)).toBe(false)
  })

  it('is blank without errors', () => {
    expect(isBlank(build(formState(null))['errors'])).toBe(true)
  })

  it('holds hostile paths and those of a whole group', () => {
    const odd: FormErrors = new Map([
      ['properties.__proto__', ['a']],
      ['properties.toString', ['b']],
      ['profiles.developer', ['c']],
      ['profiles.developer.enabled', ['d']],
    ])
    const hash = build(formState(null, null, odd))['errors']
    expect(dig(hash, 'properties', '__proto__')).toBe('a')
    expect(dig(hash, 'properties', 'toString')).toBe('b')
    expect(dig(hash, 'profiles', 'developer')).toBe('c')
    expect(dig(hash, 'profiles.developer.enabled')).toBe('d')
    expect(({} as Record<string, unknown>)['enabled']).toBeUndefined()
  })

  it('becomes lists for JSON', () => {
    expect(errorObject(errors)['email']).toEqual(["can't be blank", 'is <b>invalid</b>'])
    expect(Object.entries(errorObject(new Map([['__proto__', ['x']]])))).toEqual([['__proto__', ['x']]])
  })
})

describe('{{ form_builder }}', () => {
  it('prints an input for each field, with its label and its errors', () => {
    const html = esc(build(formState({ attributes: { email: '"><script>' } }, null, errors)))
    expect(html).toContain('<ul class="form-errors" role="alert"><li>no robots</li></ul>')
    expect(html).toContain(
      '<div class="form-field form-field-invalid"><label for="form_email">Email</label>' +
        '<input id="form_email" name="form[email]" required aria-invalid="true" aria-describedby="form_email_errors" type="email" value="&quot;&gt;&lt;script&gt;">' +
        '<ul class="form-errors" id="form_email_errors"><li>can&#39;t be blank</li><li>is &lt;b&gt;invalid&lt;/b&gt;</li></ul></div>',
    )
    expect(html).toContain('<input id="form_password" name="form[password]" type="password" autocomplete="off">')
    expect(html).toContain(
      '<input id="form_properties_age" name="form[properties_attributes][age]" type="number" step="1" value="18">',
    )
    expect(html).toContain('name="form[properties_attributes][level]" readonly type="text" value="low">')
    expect(html).toContain('<fieldset><legend>Developer</legend>')
    expect(html).toContain(
      '<input name="form[profiles_attributes][developer_attributes][enabled]" type="hidden" value="0">',
    )
    expect(html).toContain('name="form[custom_images_attributes][photo_attributes][image]" type="file">')
    expect(html).not.toContain('<script>')
    expect(plainText(build(formState(null)))).toContain('<label for="form_email">')
  })

  it('prints what each type needs', () => {
    const types = form(
      'types',
      'record',
      group(
        [],
        [
          field('size', 'string', rule('inclusion', { in: ['S', 'M"'] })),
          field('colors', 'array', rule('inclusion', { in: ['red', 'blue'] })),
          field('tags', 'array'),
          field('sold', 'boolean'),
          field('starts', 'datetime'),
          field('day', 'date'),
          field('place', 'geojson'),
          field('terms', 'string', rule('acceptance')),
        ],
      ),
    )
    const known = {
      size: 'M"',
      colors: ['blue'],
      tags: ['a', '<b>'],
      sold: true,
      starts: '2026-01-02T03:04:05.000Z',
      day: '2026-01-02',
      place: { type: 'Point', coordinates: [1, 2] },
    }
    const html = esc(build(formState(null, { properties: known }), facts(), types))
    expect(html).toContain(
      '<option value=""></option><option value="S">S</option><option value="M&quot;" selected>M&quot;</option></select>',
    )
    expect(html).toContain(
      'name="form[properties_attributes][colors][]" multiple><option value="red">red</option><option value="blue" selected>',
    )
    expect(html).toContain(
      'type="text" value="a"><input name="form[properties_attributes][tags][]" type="text" value="&lt;b&gt;">',
    )
    expect(html).toContain('type="checkbox" value="1" checked>')
    expect(html).toContain('type="datetime-local" step="1" value="2026-01-02T03:04:05">')
    expect(html).toContain('type="date" value="2026-01-02">')
    expect(html).toContain('{&quot;type&quot;:&quot;Point&quot;,&quot;coordinates&quot;:[1,2]}</textarea>')
    expect(html).toContain('name="form[properties_attributes][terms]" type="checkbox" value="1">')
    // Labels belong to exactly one input each.
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((found) => found[1])
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, target] of html.matchAll(/<label for="([^"]+)"/g)) expect(ids).toContain(target)
  })
})

describe('{% form %}', () => {
  const open = (attributes: Record<string, unknown>, of: FormState = formState(null), fact = facts()) =>
    openTag(entry, of, attributes, fact)
  const tag = (html: string) => html.slice(0, html.indexOf('>') + 1)

  it('opens a form with its hidden inputs', () => {
    expect(open({})).toBe(
      '<form action="/api/users" method="post" enctype="multipart/form-data" accept-charset="UTF-8" class="simple_form form">' +
        '<input type="hidden" name="utf8" value="✓"><input type="hidden" name="authenticity_token" value="t&lt;o&gt;">' +
        '<input type="hidden" name="form_name" value="sign_up"><input type="hidden" name="page_slug" value="a/b">' +
        '<input type="hidden" name="slug" value="a"><input type="hidden" name="resource_id" value="new">',
    )
  })

  it('sends a stored resource as put, and others as asked', () => {
    expect(open({}, formState(null, { id: '3' }))).toContain('name="_method" value="put"')
    expect(open({ method: 'delete' }, formState(null, { id: '3' }))).toContain('name="_method" value="delete"')
    expect(open({ method: 'PATCH' })).toContain('name="_method" value="patch"')
    expect(open({ method: 'trace"' })).not.toContain('_method')
    const read = open({ method: 'get' })
    expect(tag(read)).toBe('<form action="/api/users" method="get" accept-charset="UTF-8" class="simple_form form">')
    expect(read).not.toContain('authenticity_token')
  })

  it.each([
    [{ 'html-id': 'i', 'html-class': 'a "b"' }, ' class="simple_form a &quot;b&quot;" id="i">'],
    [{ 'html-data-x': '<v>' }, ' data-x="&lt;v&gt;">'],
    [{ 'html-novalidate': true }, ' novalidate>'],
    [{ 'html-novalidate': 'novalidate' }, ' novalidate>'],
    [{ 'html-novalidate': false }, ' class="simple_form form">'],
    [{ 'html-novalidate': 'false' }, ' class="simple_form form">'],
    [{ 'html-class': ' ' }, ' class="simple_form form">'],
    [{ as: 'book' }, ' class="simple_form book">'],
    [{ 'html-class': null }, ' class="simple_form form">'],
    [{ 'html-x onclick=alert(1)': 'y', 'html-"><b': 1 }, ' class="simple_form form">'],
    [{ 'html-action': '//evil', 'html-METHOD': 'get' }, ' class="simple_form form">'],
  ])('%j', (attributes, end) => {
    expect(tag(open(attributes)).endsWith(end)).toBe(true)
  })

  it('leaves the type of the body out where it is not multipart', () => {
    expect(tag(open({ 'html-multipart': false }))).not.toContain('enctype')
    expect(tag(open({ 'html-multipart': 'false' }))).not.toContain('enctype')
    expect(tag(open({ multipart: true }))).toContain('enctype')
  })

  it.each([
    ['/elsewhere?a="b"', true],
    ['https://other.example/', false],
    ['//other.example', false],
    ['/\\other.example', false],
    ['\t//other.example', false],
    ['javascript:alert(1)', false],
  ])('gives its token to %j: %s', (url, given) => {
    const html = open({ url })
    expect(html.includes('authenticity_token')).toBe(given)
    expect(html).not.toContain('a="b"')
  })

  it('names the inputs after it as asked', () => {
    const fact = facts()
    const builder = build(formState(null), fact)
    expect(dig(builder, 'fields', 'email', 'name')).toBe('form[email]')
    expect(open({ as: 'user' }, formState(null), fact)).toContain('<input type="hidden" name="as" value="user">')
    expect(dig(builder, 'fields', 'email', 'name')).toBe('user[email]')
    expect(dig(builder, 'fields', 'profiles', 'developer', 'enabled', 'name')).toBe(
      'user[profiles_attributes][developer_attributes][enabled]',
    )
    expect(open({ as: 'a[b]"' })).not.toContain('name="as"')
  })

  it('says where the values stand', () => {
    const sent = { form: { a: 1 }, user: { b: 2 }, text: 'x' }
    expect(sentForm(sent)).toBe(sent.form)
    expect(sentForm({ ...sent, as: 'user' })).toBe(sent.user)
    for (const as of ['text', 'constructor', '__proto__', ['user'], {}])
      expect(sentForm({ ...sent, as })).toBe(sent.form)
  })
})
