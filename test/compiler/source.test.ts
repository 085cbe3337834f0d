/** The ground of the compiler: what a path means, how a folder is read, and how YAML and front matter are cut and read. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { discover, readSource } from '../../compiler/source/discover.ts'
import { cutFrontMatter } from '../../compiler/source/front-matter.ts'
import { classify } from '../../compiler/source/kinds.ts'
import { readYaml, toValue, type YamlMap, type YamlScalar } from '../../compiler/source/yaml.ts'
import { measureCost } from '../cost.ts'

describe('a path tells', () => {
  it.each([
    ['app/views/pages/index.liquid', 'page', 'index', null],
    ['app/views/pages/blog/feed.rss.liquid', 'page', 'blog/feed', 'rss'],
    ['app/views/pages/robots.txt', 'page', 'robots', 'txt'],
    ['app/pages/old.html.liquid', 'page', 'old', 'html'],
    ['app/views/layouts/document.csv.liquid', 'layout', 'document', 'csv'],
    ['app/views/partials/cards/user.liquid', 'partial', 'cards/user', null],
    ['app/views/partials/user.avatar.liquid', 'partial', 'user.avatar', null],
    ['app/lib/orders/create.liquid', 'partial', 'orders/create', null],
    ['app/lib/smses/x.liquid', 'partial', 'smses/x', null],
    ['app/authorization_policies/admin.liquid', 'authorization_policy', 'admin', null],
    ['app/emails/welcome.liquid', 'email', 'welcome', null],
    ['app/notifications/email_notifications/welcome.liquid', 'email', 'welcome', null],
    ['app/api_calls/ping.liquid', 'api_call', 'ping', null],
    ['app/notifications/sms_notifications/code.liquid', 'sms', 'code', null],
    ['app/migrations/20260101000000_seed.liquid', 'migration', '20260101000000_seed', null],
    ['app/forms/sign_up.liquid', 'form', 'sign_up', null],
    ['app/form_configurations/sign_up.liquid', 'form', 'sign_up', null],
    ['app/schema/blog_post.yml', 'table', 'blog_post', null],
    ['app/custom_model_types/car.yml', 'table', 'car', null],
    ['app/user_profile_types/default.yml', 'user_profile_schema', 'default', null],
    ['app/translations/en/home.yml', 'translation', 'en/home', null],
    ['app/activity_streams/handlers/a.yml', 'activity_handler', 'a', null],
    ['app/graphql/users/find.graphql', 'graphql', 'users/find', null],
    ['app/graph_queries/old.graphql', 'graphql', 'old', null],
    ['app/assets/css/x.css.liquid', 'asset', 'css/x.css.liquid', null],
    ['app/config.yml', 'config', 'config', null],
    ['marketplace_builder/user.yml', 'user_schema', 'user', null],
    ['marketplace_builder/views/pages/a.liquid', 'page', 'a', null],
    ['.platformos-check.yml', 'lint_config', 'lint', null],
  ])('%s is a %s named %s', (path, kind, name, format) => {
    expect(classify(path)).toEqual({ kind, name, format, module: null, visibility: null, override: false })
  })

  it.each([
    ['modules/core/public/views/partials/a/b.liquid', 'partial', 'modules/core/a/b', 'public', false],
    ['modules/core/private/lib/x.liquid', 'partial', 'modules/core/x', 'private', false],
    ['modules/core/public/assets/x.css', 'asset', 'modules/core/x.css', 'public', false],
    ['app/modules/core/public/views/layouts/base.liquid', 'layout', 'modules/core/base', 'public', true],
    ['marketplace_builder/modules/core/private/graphql/q.graphql', 'graphql', 'modules/core/q', 'private', true],
  ])('%s belongs to a module', (path, kind, name, visibility, override) => {
    expect(classify(path)).toEqual({ kind, name, format: null, module: 'core', visibility, override })
  })

  it.each([
    'app/pos-modules.json',
    'marketplace_builder/pos-modules.lock.json',
    'pos-module.json',
    'modules/core/template-values.json',
  ])('%s is no business of the compiler', (path) => expect(classify(path)).toBeNull())

  it.each([
    ['app/graphql/x.yml', 'app/graphql/x.yml', /end in `\.graphql`/, null],
    ['app/schema/x.yaml', 'app/schema/x.yaml', /end in `\.yml`/, null],
    ['app/mailers/a/b.liquid', 'app/mailers', /old sites/, null],
    ['app/viewz/a.liquid', 'app/viewz', /no kind/, 'app/views'],
    ['app/view/pages/a.liquid', 'app/view', /no kind/, 'app/views'],
    ['app/views/partialz/a.liquid', 'app/views/partialz', /views\/partialz/, 'app/views/partials'],
    ['app/views/page/a.liquid', 'app/views/page', /views\/page/, 'app/views/pages'],
    ['app/views/a.liquid', 'app/views', /`views`/, null],
    ['app/Views/pages/a.liquid', 'app/Views', /no kind/, 'app/views'],
    ['app/partials/a.liquid', 'app/partials', /no kind/, 'app/views/partials'],
    ['app/layout/a.liquid', 'app/layout', /no kind/, 'app/views/layouts'],
    ['app/schemas/a.yml', 'app/schemas', /no kind/, 'app/schema'],
    ['app/graphqll/a.graphql', 'app/graphqll', /no kind/, 'app/graphql'],
    ['app/email/a.liquid', 'app/email', /no kind/, 'app/emails'],
    [
      'app/notifications/sms_notification/a.liquid',
      'app/notifications/sms_notification',
      /no kind/,
      'app/notifications/sms_notifications',
    ],
    ['app/documents/a.liquid', 'app/documents', /no kind/, null],
    ['app/__proto__/a.liquid', 'app/__proto__', /no kind/, null],
    ['app/stray.liquid', 'app/stray.liquid', /folder/, null],
    ['app/users.yml', 'app/users.yml', /folder/, 'app/user.yml'],
    ['app/config.yaml', 'app/config.yaml', /folder/, 'app/config.yml'],
    ['modules/core/public/config.yml', 'modules/core/public/config.yml', /only/, null],
    ['modules/core/public/configs.yml', 'modules/core/public/configs.yml', /folder/, null],
    ['modules/core/public/schemas/a.yml', 'modules/core/public/schemas', /no kind/, 'modules/core/public/schema'],
    ['modules/core/views/partials/a.liquid', 'modules/core/views/partials', /`public` or `private`/, null],
    ['modules/core/publc/lib/a.liquid', 'modules/core/publc', /`public` or `private`/, 'modules/core/public'],
    ['app/modules/core/Private/lib/a.liquid', 'app/modules/core/Private', /`public` or/, 'app/modules/core/private'],
  ])('%s is left out with a reason', (path, ignoredPath, reason, suggestion) => {
    expect(classify(path)).toEqual({ path: ignoredPath, reason: expect.stringMatching(reason), suggestion })
  })

  it.each(['README.md', 'seed/x/app/views/pages/x.liquid', 'modules/core/README.md', 'app/views/pages/.keep', 'app'])(
    '%s concerns nobody',
    (path) => expect(classify(path)).toBeNull(),
  )
})

describe('a folder', () => {
  let root = ''
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'site-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('is read in path order, the application before modules, without tools and dot folders', async () => {
    write('modules/a/public/lib/x.liquid', 'm')
    write('app/views/pages/b.liquid', 'b')
    write('app/views/pages/a.liquid', '\ufeffa')
    write('app/views/pages/.hidden/x.liquid', '')
    write('app/node_modules/x.liquid', '')
    write('app/views/pages/.well-known/x.liquid', 'w')
    write('app/config.yml', 'safe_translate: true')
    write('.platformos-check.yml', 'ignore: []')
    write('README.md', 'no')
    const found = await discover(root)
    expect(found.files.map((file) => [file.path, file.text])).toEqual([
      ['.platformos-check.yml', 'ignore: []'],
      ['app/config.yml', 'safe_translate: true'],
      ['app/views/pages/.well-known/x.liquid', 'w'],
      ['app/views/pages/a.liquid', 'a'],
      ['app/views/pages/b.liquid', 'b'],
      ['modules/a/public/lib/x.liquid', 'm'],
    ])
    expect(found.problems).toEqual([])
  })

  it('lists assets without reading them', async () => {
    write('app/assets/img/a.png', new Uint8Array([0xff, 0xfe, 1]))
    const found = await discover(root)
    expect(found.files).toMatchObject([{ path: 'app/assets/img/a.png', kind: 'asset', name: 'img/a.png', text: '' }])
    expect(found.assets).toEqual([{ path: 'app/assets/img/a.png', size: 3, version: expect.any(String) }])
  })

  it('says once what it leaves out of a folder', async () => {
    write('app/mailers/a.liquid', '')
    write('app/mailers/b.liquid', '')
    write('app/graphql/x.yml', '')
    expect((await discover(root)).ignored.map((each) => each.path)).toEqual(['app/graphql/x.yml', 'app/mailers'])
  })

  it('reports what it cannot read and goes on', async () => {
    write('app/views/pages/bad.liquid', new Uint8Array([0x61, 0xff, 0x62]))
    write('app/views/pages/good.liquid', 'x')
    symlinkSync('nowhere', join(root, 'app/views/pages/gone.liquid'))
    symlinkSync('self', join(root, 'app/views/pages/self'))
    symlinkSync('..', join(root, 'app/views/pages/loop'))
    const found = await discover(root)
    expect(found.files).toMatchObject([
      { path: 'app/views/pages/bad.liquid', kind: 'page', text: '', unreadable: 'it is not UTF-8 text' },
      { path: 'app/views/pages/good.liquid', text: 'x' },
    ])
    expect(found.problems).toEqual([
      { path: 'app/views/pages/gone.liquid', message: 'it is a link to nothing' },
      { path: 'app/views/pages/loop', message: 'it is a link to a folder that it stands in' },
      { path: 'app/views/pages/self', message: 'it is a link that leads back to itself' },
    ])
  })

  it('leaves out what lies beside partials and is no text', async () => {
    for (const path of ['app/views/partials/icons/mark.png', 'app/lib/mark.png', 'app/views/layouts/mark.png']) {
      write(path, '')
      writeFileSync(join(root, path), Buffer.from([0x89, 0xff, 0xfe]))
    }
    write('app/views/partials/icons/mark.svg', '<svg/>')
    write('app/views/partials/bad.liquid', '')
    writeFileSync(join(root, 'app/views/partials/bad.liquid'), Buffer.from([0xff]))
    const found = await discover(root)
    expect(found.files.map(({ name, unreadable }) => [name, unreadable])).toEqual([
      ['bad', 'it is not UTF-8 text'],
      ['icons/mark.svg', undefined],
    ])
    expect(found.ignored.map(({ path }) => path)).toEqual([
      'app/lib/mark.png',
      'app/views/layouts/mark.png',
      'app/views/partials/icons/mark.png',
    ])
    expect(found.problems).toEqual([])
  })

  it('follows a link to a folder that is elsewhere', async () => {
    write('shared/card.liquid', 'x')
    mkdirSync(join(root, 'app/views'), { recursive: true })
    symlinkSync('../../shared', join(root, 'app/views/partials'))
    expect((await discover(root)).files.map((file) => file.name)).toEqual(['card'])
  })

  it('that is empty, missing or a file has no files', async () => {
    const nothing = { files: [], assets: [], problems: [], ignored: [] }
    expect(await discover(root)).toMatchObject(nothing)
    expect(await discover(join(root, 'missing'))).toMatchObject(nothing)
    write('app', 'a file')
    expect((await discover(root)).files).toEqual([])
  })

  it('gives one file to a watcher', async () => {
    write('app/lib/x.liquid', 'x')
    const { siteRoot: ground } = await discover(root)
    const read = (path: string) => readSource(root, path, ground)
    expect(await read('app/lib/x.liquid')).toMatchObject({ kind: 'file', file: { name: 'x', text: 'x' } })
    expect(await read('app/lib/y.liquid')).toEqual({ kind: 'none' })
    expect(await read('app/lib')).toEqual({ kind: 'none' })
    expect(await read('app/viewz/a.liquid')).toEqual({ kind: 'none' })
    write('app/viewz/a.liquid', '')
    expect(await read('app/viewz/a.liquid')).toMatchObject({ kind: 'ignored', path: 'app/viewz' })
  })

  it('that is a module itself has its files in the root, by their own paths', async () => {
    write('template-values.json', '{ "machine_name": "shop", "version": "2.0" }')
    write('public/lib/a.liquid', '<%= version =%>')
    write('private/graphql/q.graphql', 'query q { __typename }')
    write('public/viewz/a.liquid', '')
    write('public/config.yml', '')
    write('app/views/pages/a.liquid', '')
    const found = await discover(root)
    expect(found.files.map(({ path, name, visibility, text }) => [path, name, visibility, text])).toEqual([
      ['app/views/pages/a.liquid', 'a', null, ''],
      ['private/graphql/q.graphql', 'modules/shop/q', 'private', 'query q { __typename }'],
      ['public/lib/a.liquid', 'modules/shop/a', 'public', '2.0'],
    ])
    expect(found.ignored.map(({ path, suggestion: meant }) => [path, meant])).toEqual([
      ['public/config.yml', null],
      ['public/viewz', 'public/views'],
    ])
  })

  it('is no module itself where that stands in `modules`, or where no manifest names one', async () => {
    write('pos-module.json', '{ "machine_name": "shop" }')
    write('modules/shop/public/lib/a.liquid', '')
    write('public/lib/b.liquid', '')
    expect((await discover(root)).files.map(({ path }) => path)).toEqual(['modules/shop/public/lib/a.liquid'])
    rmSync(join(root, 'modules'), { recursive: true })
    write('pos-module.json', '{ "machine_name": "../shop" }')
    expect((await discover(root)).files).toEqual([])
  })
})

describe('front matter', () => {
  it.each([
    ['---\nslug: a\n---\nbody', 'slug: a\n', 4, 'body'],
    ['\n \n---\r\nslug: a\r\n---\r\nbody', 'slug: a\r\n', 8, 'body'],
    ['---\n---\nbody', '', 4, 'body'],
    ['---\na: 1\n--- # end\nbody', 'a: 1\n', 4, 'body'],
    ['---\na: 1\n---', 'a: 1\n', 4, ''],
  ])('%j', (text, yaml, start, body) => {
    const cut = cutFrontMatter(text)
    expect(cut.yaml).toEqual({ text: yaml, start })
    expect(text.slice(cut.bodyStart)).toBe(body)
  })

  it.each(['body', '', 'a\n---\nb\n---\n', ' ---\na: 1\n---\n', '----\n'])('%j has none', (text) => {
    expect(cutFrontMatter(text)).toEqual({ yaml: null, bodyStart: 0, unclosed: false })
  })

  it('that never ends is said so', () => {
    expect(cutFrontMatter('---\nslug: a\n<h1>').unclosed).toBe(true)
  })
})

describe('a YAML scalar', () => {
  it.each<[string, unknown, boolean?]>([
    ['yes', true],
    ['Off', false],
    ['TRUE', true],
    ['y', 'y'],
    ['n', 'n'],
    ['~', null],
    ['null', null],
    ['""', ''],
    ['014', 12],
    ['08', '08'],
    ['0x1F', 31],
    ['0b101', 5],
    ['1:30', 5400],
    ['1:30:15', 5415],
    ['1_000', 1000],
    ['1,000', 1000],
    ['-12', -12],
    ['1e3', '1e3'],
    ['1.5', 1.5, true],
    ['3.0', 3, true],
    ['5.', 5, true],
    ['.5', 0.5, true],
    ['1.0e+3', 1000, true],
    ['.inf', Number.POSITIVE_INFINITY, true],
    ['.', '.'],
    ['1.2.3', '1.2.3'],
    ['9007199254740993', 9007199254740993n],
    ['2020-01-02', '2020-01-02'],
    ["'12'", '12'],
    ['!!str 12', '12'],
    ['text # comment', 'text'],
    ['a: b', { a: 'b' }],
    [':symbol', ':symbol'],
  ])('%s', (text, value, float = false) => {
    const { tree, problems } = readYaml(text, 'f', 0)
    expect(problems.filter(({ kind }) => kind !== 'other-scalar')).toEqual([])
    expect(toValue(tree)).toEqual(value)
    if (tree?.kind === 'scalar') expect(tree.float).toBe(float)
  })

  it.each([
    ['yes', true, 'yes'],
    ['tRUE', true, 'tRUE'],
    ['014', 12, '14'],
    ['08', '08', '8'],
    ['1:30', 5400, '1:30'],
    ['1_000', 1000, '1_000'],
    ['0b11', 3, '0b11'],
    ['1e3', '1e3', '1000'],
    ['1.5e3', '1.5e3', '1500'],
  ])('%s is told to be something else in YAML 1.2', (text, read, other) => {
    expect(readYaml(text, 'f', 0).problems).toMatchObject([{ kind: 'other-scalar', text, read, other }])
  })

  it.each([
    'true',
    'False',
    'y',
    '~',
    '0x10',
    '0X10',
    '+12',
    '1.50',
    '.5',
    '5.',
    '1.0e+3',
    '.inf',
    '.NaN',
    'a_1',
    "'yes'",
  ])('%s is the same in both', (text) => expect(readYaml(text, 'f', 0).problems).toEqual([]))
})

describe('YAML', () => {
  const value = (text: string) => toValue(readYaml(text, 'f', 0).tree)

  it('of nothing has no tree', () => {
    for (const text of ['', '\n', '# only a comment', '---\n', '---\n---\n', '---'])
      expect(readYaml(text, 'f', 0)).toEqual({ tree: null, problems: [] })
  })

  it.each<[string, unknown]>([
    ['headers: \'{\n"a": 1\n}\'\nto: x\n', { headers: '{ "a": 1 }', to: 'x' }],
    ['a:\n  b: "x\ny"\n  c: "p\n\nq  \n r" # c\nd: 1\n', { a: { b: 'x y', c: 'p\nq r' }, d: 1 }],
    ["- 'it''s\r\nme'\n- \"a\\\"b\nc\"\n", ["it's me", 'a"b c']],
    ['a: {b: \'x\ny\', c: [ "1\n2" ]}\nz: 1', { a: { b: 'x y', c: ['1 2'] }, z: 1 }],
    ["a: |\n  'x\n   y\nb: it's\nc: 'd\ne'", { a: "'x\n y\n", b: "it's", c: 'd e' }],
  ])('lets the lines of a quoted text begin anywhere: %j', (text, expected) => {
    expect(readYaml(text, 'f', 0).problems).toEqual([])
    expect(value(text)).toEqual(expected)
  })

  it('knows the places behind a quoted text of several lines', () => {
    const text = "a: 'x\ny'\nb: 1\nb: 2\n"
    expect(readYaml(text, 'f', 0).problems).toMatchObject([
      { kind: 'duplicate-key', span: { start: text.lastIndexOf('b') } },
    ])
  })

  it('ends a quoted text at a line of dashes, and reads one that is never closed once', () => {
    for (const text of ["a: 'x\n---\ny'\n", "a: 'never\nclosed\n", `a: "${'\n'.repeat(200_000)}`]) {
      const cost = measureCost()
      expect(readYaml(text, 'f', 0)).toMatchObject({ tree: null, problems: [{ kind: 'syntax' }] })
      expect(cost()).toBeLessThan(3_000)
    }
  })

  it('compares keys by what they are', () => {
    const { tree, problems } = readYaml('yes: a\nTrue: b\n014: c\n12: d\n"yes": e\n', 'f', 0)
    expect(toValue(tree)).toEqual({ true: 'b', 12: 'd', yes: 'e' })
    expect(problems.filter(({ kind }) => kind === 'duplicate-key')).toMatchObject([{ key: 'true' }, { key: '12' }])
  })

  it('may begin and end with dashes', () => {
    expect(value('---\na: 1\n---\n')).toEqual({ a: 1 })
    expect(readYaml('a: 1\n---\nb: 2', 'f', 0).problems).toMatchObject([{ kind: 'syntax' }])
  })

  it('keeps the last of repeated keys and reports it', () => {
    const { tree, problems } = readYaml('a: 1\nb: 2\na: 3\n', 'f', 100)
    expect(toValue(tree)).toEqual({ a: 3, b: 2 })
    expect(problems).toEqual([
      {
        kind: 'duplicate-key',
        key: 'a',
        span: { file: 'f', start: 110, end: 111 },
        first: { file: 'f', start: 100, end: 101 },
      },
    ])
  })

  it('knows where everything stands', () => {
    const text = 'slug: "a/b"\nlist:\n  - one\n'
    const tree = readYaml(text, 'f', 10).tree as YamlMap
    const slice = (span: { start: number; end: number }) => text.slice(span.start - 10, span.end - 10)
    expect(tree.entries.map((entry) => slice(entry.keySpan))).toEqual(['slug', 'list'])
    expect(slice(tree.entries[0]!.value.span)).toBe('"a/b"')
    expect(slice(tree.entries[1]!.value.span).trim()).toBe('- one')
  })

  it('says where the characters of a text stand', () => {
    const text = [
      'a: plain {{ x }}',
      "b: 'quoted'",
      "c: 'it''s'",
      'd: |',
      '  one',
      '   two',
      '',
      '  three',
      'e: >',
      '  f',
      '  g',
      '',
    ].join('\n')
    const tree = readYaml(text, 'f', 0).tree as YamlMap
    const scalar = (key: string) => tree.entries.find((entry) => entry.key === key)!.value as YamlScalar
    const char = (key: string, at: number) => {
      const piece = scalar(key).segments!.findLast((each) => each.textOffset <= at)!
      return text[piece.sourceOffset + at - piece.textOffset]
    }
    for (const key of ['a', 'b', 'd']) {
      const characters = [...scalar(key).text]
      expect(characters.map((_, at) => char(key, at))).toEqual(characters)
    }
    expect(scalar('c').segments).toBeNull()
    // Folded: of two lines, the white space between them stands nowhere.
    expect(scalar('e').text).toBe('f g\n')
    expect([char('e', 0), char('e', 2)]).toEqual(['f', 'g'])
  })

  it.each([
    ['lines of one paragraph', 'a: >\n  one {{ x }}\n  two\n'],
    ['paragraphs, and lines further in', 'a: >-\n  one\n\n\n  two\n    three {{ x }}\n  four  \n  five\n'],
    ['carriage returns', 'a: >\r\n  one\r\n  two {{ x }}\r\n'],
    ['empty lines in front', 'a: >\n\n  one\n  one\n'],
  ])('knows the words of folded texts: %s', (_, text) => {
    const scalar = (readYaml(text, 'f', 0).tree as YamlMap).entries[0]!.value as YamlScalar
    const words = [...scalar.text.matchAll(/\S+/g)]
    const places = words.map(({ index, 0: word }) => {
      const segment = scalar.segments!.findLast((each) => each.textOffset <= index)!
      const source = segment.sourceOffset + index - segment.textOffset
      expect(text.slice(source, source + word.length)).toBe(word)
      return source
    })
    expect(places).toEqual([...text.matchAll(/\S+/g)].slice(2).map(({ index }) => index))
  })

  it('reads block literals of files with carriage returns', () => {
    const text = 'd: |\r\n  one\r\n  two\r\n'
    const scalar = (readYaml(text, 'f', 0).tree as YamlMap).entries[0]!.value as YamlScalar
    expect(scalar.text).toBe('one\ntwo\n')
    expect(scalar.segments?.slice(0, 2)).toEqual([
      { textOffset: 0, sourceOffset: 8 },
      { textOffset: 4, sourceOffset: 15 },
    ])
  })

  it('resolves aliases and merged keys', () => {
    expect(value('base: &b { x: 1, y: 2 }\nmore:\n  <<: *b\n  y: 3\nsame: *b\n')).toEqual({
      base: { x: 1, y: 2 },
      more: { y: 3, x: 1 },
      same: { x: 1, y: 2 },
    })
  })

  it.each<[string, string, RegExp]>([
    ['an open bracket', 'a: [1, 2', /bracket/],
    ['a tab', 'a:\n\tb: 1', /tab/],
    ['two colons', 'a: b: c', /quotes/],
    ['a reserved character', 'a: %{name}', /quotes/],
    ['an open quote', 'a: "b', /quote/],
    ['an unknown alias', 'a: *b', /&b/],
    ['an alias inside of itself', 'a: &x [*x]', /inside/],
    ['an unknown type', 'a: !ruby/object:Gem {}', /Gem/],
    ['a list as a key', '[a]: 1', /key/],
  ])('with %s is refused', (_, text, message) => {
    const { tree, problems } = readYaml(text, 'f', 0)
    expect(tree).toBeNull()
    expect(problems).toMatchObject([{ kind: 'syntax', message: expect.stringMatching(message) }])
    expect(problems[0]!.span.start).toBeLessThan(text.length)
  })

  it('refuses aliases that repeat without end, and nesting without end, quickly', () => {
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let i = 1; i < 12; i++)
      bomb.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      )
    for (const text of [
      bomb.join('\n'),
      '['.repeat(100_000),
      '{'.repeat(5000),
      `${'- '.repeat(3000)}x`,
      `a: ${'['.repeat(900)}`,
    ]) {
      const cost = measureCost()
      expect(readYaml(text, 'f', 0)).toMatchObject({ tree: null, problems: [{ kind: 'syntax' }] })
      expect(cost()).toBeLessThan(2000)
    }
  })

  it.each([
    ['a: {{ x }}', 'bare-liquid', '{{ x }}'],
    ['a: {{ x | default: "y" }}/z', 'bare-liquid', '{{ x | default: "y" }}/z'],
    ['a: {% if x %}y{% endif %}', 'bare-liquid', '{% if x %}y{% endif %}'],
  ])('tells Liquid without quotes apart: %s', (text, kind, written) => {
    expect(readYaml(text, 'f', 0).problems).toMatchObject([
      { kind, text: written, span: { start: 3, end: text.length } },
    ])
  })

  it('gives maps without a prototype', () => {
    expect(Object.getPrototypeOf(value('__proto__: 1'))).toBeNull()
    expect(Object.keys(value('__proto__: 1') as object)).toEqual(['__proto__'])
  })
})
