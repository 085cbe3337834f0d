/** Settings of every kind of file: their parsed values, and the diagnostics of invalid ones. */
import { describe, expect, it } from 'vitest'
import { Report } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import type { LiquidText, PageSettings } from '../../../../compiler/core/model/settings.ts'
import { readSettings } from '../../../../compiler/language/settings/index.ts'
import { spanIn } from '../../../../compiler/language/settings/liquid-text.ts'
import {
  bareSlug,
  isReserved,
  parseSlug,
  precedence,
  slugFromName,
} from '../../../../compiler/language/settings/slug.ts'
import { readSettingsFile, sourceFile } from '../../../support/compiler/settings.ts'

const page = (yaml: string, path = 'app/views/pages/a.liquid') => readSettingsFile(path, 'page', yaml)

describe('a slug', () => {
  const shown = (slug: string) => {
    const parsed = parseSlug(slug)
    return parsed.ok ? JSON.stringify(parsed.segments) : `${slug.slice(parsed.start, parsed.end)}: ${parsed.problem}`
  }
  const fixed = (text: string) => ({ kind: 'static', text })
  const param = (name: string) => ({ kind: 'param', name })
  const splat = (name: string) => ({ kind: 'splat', name })
  const optional = (...segments: unknown[]) => ({ kind: 'optional', segments })

  it.each<[string, unknown[]]>([
    ['/', []],
    ['', []],
    ['about', [fixed('about')]],
    ['/about/', [fixed('about')]],
    ['a/:id', [fixed('a'), param('id')]],
    ['a/:id(/:x)/*rest', [fixed('a'), param('id'), optional(param('x')), splat('rest')]],
    ['a(/:x)(/:y)', [fixed('a'), optional(param('x')), optional(param('y'))]],
    ['(/:id)', [optional(param('id'))]],
    ['a(/static/:x(/:y))', [fixed('a'), optional(fixed('static'), param('x'), optional(param('y')))]],
    ['a(/*rest)', [fixed('a'), optional(splat('rest'))]],
    ['feed.rss', [fixed('feed.rss')]],
    ['a-b_c', [fixed('a-b_c')]],
  ])('%s', (slug, segments) => expect(shown(slug)).toBe(JSON.stringify(segments)))

  it.each([
    ['a/:id(/:x', '(: a `(` is never closed'],
    ['a/:id)', '): a `)` has no matching `(`'],
    ['a()', '(): a group in parentheses is empty'],
    ['a/:', ':: a name is missing after `:`'],
    ['a/*/b', '*: a name is missing after `*`'],
    ['a/*rest/b', 'b: nothing can follow a segment with `*`, which matches the rest of the path'],
    ['a//b', '//: it has two slashes in a row'],
    ['a/:id.json', ':id.json: a segment must be either fixed text or one name'],
    ['a/x:id', 'x:id: a segment must be either fixed text or one name'],
    ['a/:id/b/:id', ':id: two segments are named `id`'],
    ['a/:action', ':action: the name `action` is reserved'],
    ['a?b=1', '?: `?` is not allowed in a path'],
    ['a b', ' : white space is not allowed in a path'],
  ])('%s is refused', (slug, problem) => expect(shown(slug)).toBe(problem))

  it('has a precedence by its fixed parts', () => {
    const order = (slug: string, format = 'html') => {
      const parsed = parseSlug(slug)
      return precedence(bareSlug(slug), parsed.ok ? parsed.segments : [], format)
    }
    expect(order('a/b')).toBe(-100 * 200 + 1)
    expect(order('a/:id')).toBe(-100 * 110 + 1)
    expect(order('a(/:id)')).toBe(-100 * 101 + 1)
    expect(order('/')).toBe(-100 + 2)
    expect(order('robots.txt', 'txt')).toBe(-100 * 100 - 1)
    const slugs = ['*rest', ':a', 'a(/:b)', 'a/:b', 'a', 'a/b']
    expect(slugs.toSorted((a, b) => order(a) - order(b))).toEqual(['a/b', 'a/:b', 'a(/:b)', 'a', '*rest', ':a'])
  })

  it.each([
    ['index', null, '/', 'index'],
    ['home', null, '/', null],
    ['a/b/index', null, 'a/b', 'a/b/index'],
    ['a/home', null, 'a/home', null],
    ['modules/core/sessions/new', 'core', 'sessions/new', null],
    ['modules/core/index', 'core', '/', 'index'],
  ])('told by the path %s', (name, module, slug, alsoAt) => {
    expect(slugFromName(name, module)).toEqual({ slug, alsoAt })
  })

  it.each([
    ['assets/x', true],
    ['api/graph', true],
    ['api/users/:id', true],
    ['api/users', true],
    ['auth/:provider/callback', false],
    ['auth/failure', false],
    ['maintenance', true],
    ['sw.js', true],
    ['api/listings', false],
    ['assets', false],
    ['404', false],
    ['auth/sign_in', false],
  ])('%s is kept by the server: %s', (slug, kept) => {
    const parsed = parseSlug(slug)
    expect(parsed.ok && isReserved(parsed.segments)).toBe(kept)
  })
})

describe('a page', () => {
  it('without settings has the defaults', () => {
    const file = sourceFile('app/views/pages/blog/index.liquid', 'x', 'page')
    const settings = readSettings(file, null, new Report())
    expect(settings).toEqual({
      kind: 'page',
      slug: null,
      slugSpan: { file: file.path, start: 0, end: 0 },
      route: { slug: 'blog', segments: [{ kind: 'static', text: 'blog' }], alsoAt: 'blog/index', precedence: -9999 },
      maxDeepLevel: 3,
      method: 'get',
      format: 'html',
      layout: null,
      computedLayout: null,
      layoutSpan: null,
      metadata: { kind: 'map', entries: new Map() },
      converter: null,
      authorizationPolicies: [],
      redirectTo: null,
      redirectCode: 302,
      responseHeaders: null,
      dynamicCache: null,
      plainSettings: { staticCache: null, subdomain: null, searchable: false },
    } satisfies PageSettings)
  })

  it('says what it says', () => {
    const { settings, said } = page(`slug: /lists/:id
method: POST
layout: ''
format: json
converter: markdown
authorization_policies: [admin, 'member']
redirect_to: '/x/{{ context.params.id }}'
redirect_code: 301
static_cache: { expire: 60 }
dynamic_cache:
  key: "{{ context.params.id }}"
  expire: 10
  layout: true
searchable: yes
metadata:
  title: "List {{ context.params.id }}"
  tags: [a, 1, 2.0]
`)
    expect(said).toEqual([expect.stringMatching(/^yaml-scalar «yes»/)])
    expect(settings).toMatchObject({
      slug: '/lists/:id',
      route: { slug: 'lists/:id', segments: [{ text: 'lists' }, { kind: 'param', name: 'id' }] },
      method: 'post',
      layout: '',
      format: 'json',
      converter: 'markdown',
      authorizationPolicies: [{ name: 'admin' }, { name: 'member' }],
      redirectTo: { text: '/x/{{ context.params.id }}' },
      redirectCode: 301,
      plainSettings: { staticCache: 60, searchable: true },
      dynamicCache: { key: { text: '{{ context.params.id }}' }, expire: 10, layout: true },
    })
    const entries = settings.metadata.kind === 'map' ? settings.metadata.entries : new Map()
    expect(entries.get('title')).toMatchObject({ kind: 'liquid', text: 'List {{ context.params.id }}' })
    expect(entries.get('tags')).toEqual({
      kind: 'list',
      items: [
        { kind: 'plain', value: 'a', float: false },
        { kind: 'plain', value: 1, float: false },
        { kind: 'plain', value: 2, float: true },
      ],
    })
  })

  it.each([
    ['layout: false', null],
    ['layout: null', null],
    ['layout:', null],
    ["layout: ''", ''],
    ['layout: wide', 'wide'],
  ])('%s', (yaml, layout) => expect(page(`${yaml}\n`).settings.layout).toBe(layout))

  it.each([
    ['slugg: a', 'unknown-setting «slugg»: A page has no setting `slugg`. Did you mean `slug`?'],
    ['layout_name: base', 'deprecated-setting «layout_name»: The setting `layout_name` is deprecated. Use `layout`.'],
    [
      'method: gett',
      'setting-value «gett»: The setting `method` takes one of `get`, `post`, `put`, `patch`, `delete` or `options`, but this is `gett`. Did you mean `get`?',
    ],
    [
      'redirect_code: 200',
      'setting-value «200»: The setting `redirect_code` takes one of `301`, `302` or `307`, but this is `200`.',
    ],
    [
      'metadata: text',
      'setting-value «text»: The setting `metadata` takes a mapping of names to values, but this is `text`.',
    ],
    [
      'searchable: maybe',
      'setting-value «maybe»: The setting `searchable` takes `true` or `false`, but this is `maybe`.',
    ],
    [
      'dynamic_cache: { expire: soon }',
      'setting-value «soon»: The setting `dynamic_cache.expire` takes a whole number, but this is `soon`.',
    ],
    [
      'static_cache: { expires: 5 }',
      'unknown-setting «expires»: A page has no setting `static_cache.expires`. Did you mean `expire`?',
    ],
    ['slug: a/:id(/:x', 'slug-syntax «(»: The slug `a/:id(/:x` is not valid: a `(` is never closed.'],
    ["slug: 'a//b'", 'slug-syntax «//»: The slug `a//b` is not valid: it has two slashes in a row.'],
    [
      'slug: assets/x',
      'reserved-route «assets/x»: The server handles `assets/x` itself, so this page is never shown. Choose another slug.',
    ],
    [
      "response_headers: '{a:1}'",
      'response-headers «\'{a:1}\'»: These response headers are not valid: the text is not JSON. Write a JSON object: `{ "X-Name": "value" }`.',
    ],
    [
      'response_headers: { ETag: x }',
      'kept-header «ETag»: The header `ETag` is not sent from here, because the server sets it itself. Remove this header. The other headers are sent.',
    ],
    ['just text', 'setting-refused «just text»: Settings must be written as `name: value`, one per line.'],
    [
      'slug: a\nslug: b',
      'duplicate-yaml-key «slug»: The key `slug` is set twice; the last value is used. Remove one of the two entries.',
    ],
    [
      'redirect_to: {{ x }}',
      "unquoted-liquid «{{ x }}»: Liquid in YAML needs quotes, but `{{ x }}` has none. Write `'{{ x }}'`.",
    ],
    ['slug: [a, b', /^yaml-syntax «.+»: This YAML has a syntax error: .*bracket/],
  ])('%s is remarked on', (yaml, words) => {
    const { said } = page(`${yaml}\n`)
    expect(said).toEqual([words instanceof RegExp ? expect.stringMatching(words) : words])
  })

  it('ignores what is known to mean nothing', () => {
    expect(page('name: x\nenable_profiler: true\nmax_deep_level: 4\nlayout: null\nslug:\n').said).toEqual([])
  })

  it('keeps the default of what it does not understand', () => {
    expect(page('method: gett\nformat: htlm\n').settings).toMatchObject({ method: 'get', format: 'html' })
  })

  it('has the format that its name tells, unless its settings tell another', () => {
    expect(page('', 'app/views/pages/feed.rss.liquid').settings.format).toBe('rss')
    expect(page('format: xml\n', 'app/views/pages/feed.rss.liquid').settings.format).toBe('xml')
  })

  it('knows where a part of a text stands', () => {
    const { file, settings } = page("redirect_to: |\n  /a\n  {{ x }}\nmetadata:\n  title: 'Hi {{ name }}'\n")
    const marked = (text: LiquidText, part: string) => {
      const start = text.text.indexOf(part)
      const { start: from, end } = spanIn(text, start, start + part.length)
      return file.text.slice(from, end)
    }
    expect(marked(settings.redirectTo!, '{{ x }}')).toBe('{{ x }}')
    const title = settings.metadata.kind === 'map' ? settings.metadata.entries.get('title') : undefined
    expect(marked(title as LiquidText, 'name')).toBe('name')
    const escaped = page('redirect_to: "a\\n{{ x }}"\n')
    const { start, end } = spanIn(escaped.settings.redirectTo!, 2, 9)
    expect(escaped.file.text.slice(start, end)).toBe('{{ x }}')
    const folded = page('redirect_to: a\n  {{ x }}\n')
    const inside = spanIn(folded.settings.redirectTo!, 2, 9)
    expect(folded.file.text.slice(inside.start, inside.end)).toBe('{{ x }}')
  })
})

describe('other templates', () => {
  it('a layout and a partial have metadata and a converter', () => {
    expect(readSettingsFile('app/views/layouts/a.liquid', 'layout', 'converter: markdown\nslug: x\n').said).toEqual([
      'unknown-setting «slug»: A layout has no setting `slug`.',
    ])
    expect(
      readSettingsFile('app/lib/a.liquid', 'partial', 'metadata: { name: x }\npath: other/name\n').settings,
    ).toMatchObject({
      converter: null,
      path: { name: 'other/name' },
    })
  })

  it('a policy has a name with the prefix of its module', () => {
    const policy = (path: string, yaml: string) => readSettingsFile(path, 'authorization_policy', yaml).settings
    expect(policy('app/authorization_policies/a/b.liquid', '').name).toBe('a/b')
    expect(policy('modules/core/public/authorization_policies/b.liquid', '').name).toBe('modules/core/b')
    expect(policy('modules/core/public/authorization_policies/b.liquid', 'name: c\nhttp_status: 404\n')).toMatchObject({
      name: 'modules/core/c',
      httpStatus: 404,
    })
  })

  it('notifications', () => {
    const mail = readSettingsFile(
      'app/emails/a.liquid',
      'email',
      'to: "{{ data.to }}"\nlayout_path: mailer\ntrigger_condition: true\n',
    )
    expect(mail.settings).toMatchObject({
      to: { text: '{{ data.to }}' },
      layout: { name: 'mailer' },
      triggerCondition: { text: 'true' },
    })
    expect(mail.said).toHaveLength(1)
    const call = readSettingsFile('app/api_calls/a.liquid', 'api_call', 'to: https://a.test\nrequest_type: FETCH\n')
    expect(call.said).toEqual([expect.stringMatching(/^setting-value «FETCH»/)])
    const computed = "to: '{{ data.url }}'\nrequest_type: '{{ data.type }}'\nformat: http\n"
    expect(readSettingsFile('app/api_calls/a.liquid', 'api_call', computed).said).toEqual([])
    expect(readSettingsFile('app/smses/a.liquid', 'sms', "to: '+48123'\ncontent: Hi\n").settings).toMatchObject({
      content: { text: 'Hi' },
      enabled: true,
    })
  })

  it.each(['email', 'sms', 'api_call'] as const)('%s: without anybody to send it to', (kind) => {
    const said = (yaml: string) => readSettingsFile(`app/${kind === 'sms' ? 'smse' : kind}s/a.liquid`, kind, yaml).said
    for (const yaml of ['', 'enabled: true\n'])
      expect(said(yaml), yaml).toEqual([
        expect.stringMatching(/^missing-setting «»: An? [a-zA-Z ]+ needs the setting `to`\. Write `to:` and /),
      ])
    for (const yaml of ['to:\n', "to: ' '\n"])
      expect(said(yaml), yaml).toEqual([
        expect.stringMatching(/^missing-setting «to»: .* needs the setting `to`\. Write /),
      ])
    expect(said('to: [a@example.com]\n')).toEqual([expect.stringMatching(/^setting-refused «to»: .* takes a text/)])
    expect(said('enabled: false\n')).toEqual([])
    expect(said('to: 0\n')).toEqual([])
  })

  it('a migration is ordered by its name', () => {
    const good = readSettingsFile('app/migrations/20260131120000_seed.liquid', 'migration', 'anything: true\n')
    expect([good.settings, good.said]).toEqual([{ kind: 'migration', timestamp: '20260131120000' }, []])
    expect(readSettingsFile('app/migrations/seed.liquid', 'migration', '').said).toEqual([
      expect.stringMatching(/^setting-refused/),
    ])
  })

  it('a form', () => {
    const good = readSettingsFile(
      'app/forms/a.liquid',
      'form',
      `name: sign_up
resource: User
fields:
  email:
  properties:
    age: { validation: { presence: true } }
authorization_policies: ''
spam_protection:
  captcha_v3: { action: signup }
async_callback_actions: { content: "x", delay: 0.5, priority: low }
default_payload: '{}'
`,
    )
    expect(good.said).toEqual([])
    expect(good.settings).toMatchObject({
      name: 'sign_up',
      resource: { name: 'User' },
      fields: {
        attributes: [{ name: 'email', validations: [] }],
        properties: [{ name: 'age', validations: [{ rule: 'presence', options: [] }] }],
        nested: [],
      },
      authorizationPolicies: [],
      spamProtection: { provider: 'recaptcha_v3', action: 'signup', minimumScore: 0.5 },
      asyncCallbackActions: { content: { text: 'x' }, delay: 0.5, priority: 'low', maxAttempts: 1 },
      requestAllowed: true,
    })
    const bad = readSettingsFile('app/forms/a.liquid', 'form', 'resorce: User\nresource_owner: nobody\n')
    expect(bad.said).toEqual([
      expect.stringMatching(/^setting-refused «nobody»: The setting `resource_owner` takes one of/),
      'missing-setting «resorce»: A form needs the setting `resource`, but this is `resorce`. Did you mean `resource`?',
    ])
  })
})

describe('a table', () => {
  const table = (yaml: string, path = 'app/schema/item.yml') => readSettingsFile(path, 'table', yaml)

  it.each([
    ['date', 'whenever', false],
    ['datetime', 'not a date', false],
    ['date', 'today', true],
    ['time', "'14:28'", true],
    ['date', "'2020-01-02'", true],
    ['datetime', '"{{ now }}"', true],
    ['boolean', 'perhaps', false],
    ['integer', '1.5', false],
  ])('has a default of a %s: %s', (type, value, fits) => {
    const { said } = table(`name: item\nproperties:\n  - name: p\n    type: ${type}\n    default_value: ${value}\n`)
    expect(said.length === 0, said.join()).toBe(fits)
  })

  it('has a name and properties', () => {
    const { settings, said } = table(`name: item
properties:
  - name: title
  - name: seen/at
    type: datetime
  - name: tags
    type: array
    default_value: []
  - name: owner
    type: text
    belongs_to: user
---
`)
    expect(said).toEqual([])
    expect(settings).toMatchObject({
      kind: 'table',
      name: 'item',
      properties: [
        { name: 'title', type: 'string', default: null },
        { name: 'seen/at', type: 'datetime' },
        { name: 'tags', type: 'array', default: { kind: 'list', items: [] } },
        { name: 'owner', type: 'string', belongsTo: { name: 'user' } },
      ],
    })
    expect(table('', 'modules/core/public/schema/x.yml').settings).toMatchObject({
      name: 'modules/core/x',
      properties: [],
    })
  })

  it.each([
    ['- type: string', 'missing-setting «type»: A property needs the setting `name`.'],
    [
      '- name: a\n    type: strng',
      'setting-refused «strng»: There is no property type named `strng`. Did you mean `string`?',
    ],
    ['- name: id', /^own-column «id»: Every record already has the column `id`, so the type, default and options/],
    [
      '- name: model_name',
      /^setting-refused «model_name»: A property cannot be named `model_name`.*reserved names are `table`(, | and )`model_name`/,
    ],
    ['- name: a\n  - name: a', 'setting-refused «a»: The table has two properties named `a`.'],
    [
      '- name: a\n    tpye: string',
      'unknown-setting «tpye»: A table has no setting `properties.0.tpye`. Did you mean `type`?',
    ],
    ['title', /^setting-refused «title»: The setting `properties` takes a list of properties/],
  ])('%s is remarked on', (yaml, words) => {
    const { said } = table(`properties:\n  ${yaml}\n`)
    expect(said).toEqual([words instanceof RegExp ? expect.stringMatching(words) : words])
  })

  it('of old sites has custom attributes', () => {
    const { settings, said } = table('custom_attributes:\n  - name: a\n')
    expect(settings.properties).toMatchObject([{ name: 'a' }])
    expect(said).toHaveLength(1)
    expect(
      readSettingsFile('app/user.yml', 'user_schema', 'properties:\n  - name: roles\n    type: array\n').settings,
    ).toMatchObject({
      name: 'user',
      properties: [{ name: 'roles', type: 'array' }],
    })
    expect(readSettingsFile('app/user_profile_types/client.yml', 'user_profile_schema', '').settings.name).toBe(
      'client',
    )
  })

  it('says which options of uploads nothing understands, and keeps the others', () => {
    const options = (yaml: string, type = 'upload') =>
      readSettingsFile(
        'app/schema/a.yml',
        'table',
        `name: a\nproperties:\n  - name: scan\n    type: ${type}\n    options: ${yaml}\n`,
      )
    const good =
      '{ acl: private, content_length: { gte: 1, lte: 2.5 }, versions: [{ name: small, output: { format: jpg, quality: 0, progressive: true }, ' +
      "resize: { width: 10, fit: inside, position: left top, background: '#fff', without_enlargement: true }, manipulate: { blur: 0.5, flatten: true } }] }"
    expect(options(good).said).toEqual([])
    for (const colour of ['red', 'rgb(1, 2, 3)', 'rgba(255, 255, 255, 0.5)'])
      expect(options(`{ versions: [{ name: small, resize: { background: "${colour}" } }] }`).said).toEqual([])
    expect(options('{ versions: [{ name: small, resize: { background: "url(x)" } }] }').said).toHaveLength(1)
    const said: readonly (readonly [string, string])[] = [
      ['{ acl: hidden }', 'setting-value «hidden»: The setting `options.acl` takes one of `public`, `private`'],
      ['{ akl: private }', 'unknown-setting «akl»: '],
      [
        '{ content_length: { lte: big } }',
        'setting-value «big»: The setting `options.content_length.lte` takes a number of kilobytes',
      ],
      ['{ content_length: { most: 3 } }', 'unknown-setting «most»: '],
      [
        '{ versions: { name: small } }',
        'setting-value «versions»: The setting `options.versions` takes a list of versions',
      ],
      ['{ versions: [{ resize: { width: 9 } }] }', 'missing-setting «resize»: '],
      ['{ versions: [{ name: a, output: { quality: 101 } }] }', 'setting-value «101»: '],
      ['{ versions: [{ name: a, resize: { fit: squeeze } }] }', 'setting-value «squeeze»: '],
      ['{ versions: [{ name: a, manipulate: { blur: 0.1 } }] }', 'setting-value «0.1»: '],
      ['{ cache_control: no-store }', 'ignored-setting «cache_control»: '],
    ]
    for (const [yaml, expected] of said) {
      const found = options(yaml)
      expect(found.said, yaml).toEqual([expect.stringContaining(expected)])
      expect(found.settings, yaml).toMatchObject({
        properties: [{ name: 'scan', type: 'upload', options: { kind: 'map' } }],
      })
    }
    const many = Array.from({ length: 11 }, (_, at) => `{ name: v${at} }`).join(', ')
    expect(options(`{ versions: [${many}] }`).said).toEqual([expect.stringContaining('at most 10 versions')])
    expect(options('{ __proto__: 1 }').said).toEqual([expect.stringContaining('unknown-setting «__proto__»')])
    // Options of other property types are not checked.
    expect(options('{ anything: 1 }', 'string').said).toEqual([])
  })
})
