/** The classification of paths, and reading the folder of a site. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { discover, readSource } from '../../../../compiler/core/source/discover.ts'
import { diagnose } from '../../../../compiler/compile.ts'
import { siteOptions } from '../../../../compiler/tools/site-options.ts'
import { classify } from '../../../../compiler/core/source/kinds.ts'
import { readModuleManifests } from '../../../../compiler/core/source/module-manifests.ts'

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
    ['app/graphql/x.yml', 'app/graphql/x.yml', /need the extension `\.graphql`/, null],
    ['app/schema/x.yaml', 'app/schema/x.yaml', /need the extension `\.yml`/, null],
    ['app/mailers/a/b.liquid', 'app/mailers', /obsolete/, null],
    ['app/viewz/a.liquid', 'app/viewz', /not a folder of a site/, 'app/views'],
    ['app/view/pages/a.liquid', 'app/view', /not a folder of a site/, 'app/views'],
    ['app/views/partialz/a.liquid', 'app/views/partialz', /views\/partialz/, 'app/views/partials'],
    ['app/views/page/a.liquid', 'app/views/page', /views\/page/, 'app/views/pages'],
    ['app/views/a.liquid', 'app/views', /`views`/, null],
    ['app/Views/pages/a.liquid', 'app/Views', /not a folder of a site/, 'app/views'],
    ['app/partials/a.liquid', 'app/partials', /not a folder of a site/, 'app/views/partials'],
    ['app/layout/a.liquid', 'app/layout', /not a folder of a site/, 'app/views/layouts'],
    ['app/schemas/a.yml', 'app/schemas', /not a folder of a site/, 'app/schema'],
    ['app/graphqll/a.graphql', 'app/graphqll', /not a folder of a site/, 'app/graphql'],
    ['app/email/a.liquid', 'app/email', /not a folder of a site/, 'app/emails'],
    [
      'app/notifications/sms_notification/a.liquid',
      'app/notifications/sms_notification',
      /not a folder of a site/,
      'app/notifications/sms_notifications',
    ],
    ['app/documents/a.liquid', 'app/documents', /not a folder of a site/, null],
    ['app/__proto__/a.liquid', 'app/__proto__', /not a folder of a site/, null],
    ['app/stray.liquid', 'app/stray.liquid', /folder/, null],
    ['app/users.yml', 'app/users.yml', /folder/, 'app/user.yml'],
    ['app/config.yaml', 'app/config.yaml', /folder/, 'app/config.yml'],
    ['modules/core/public/config.yml', 'modules/core/public/config.yml', /only/, null],
    ['modules/core/public/configs.yml', 'modules/core/public/configs.yml', /folder/, null],
    [
      'modules/core/public/schemas/a.yml',
      'modules/core/public/schemas',
      /not a folder of a site/,
      'modules/core/public/schema',
    ],
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

  it('says so where the manifest of a module does not say what the module is called', async () => {
    write('public/views/pages/a.liquid', 'a')
    write('pos-module.json', '{ "name": "Shop", "version": "1.0.0" }')
    write('modules/core/pos-module.json', '{ "name": "Core" }')
    write('modules/mail/pos-module.json', '{ "name": "Mail", "machine_name": "mail" }')
    const { ignored } = await discover(root)
    expect(ignored.map(({ path, message }) => [path, message])).toEqual([
      ['modules/core/pos-module.json', 'it has no `machine_name`, so the module is named after its folder, `core`'],
    ])
    rmSync(join(root, 'modules'), { recursive: true })
    expect((await discover(root)).ignored).toEqual([
      {
        path: 'pos-module.json',
        message: 'it has no `machine_name`, so `public` and `private` do not belong to a module',
        suggestion: null,
      },
    ])
    write('pos-module.json', '{ "machine_name": "shop" }')
    const { files, ignored: none } = await discover(root)
    expect(files.map(({ path }) => path)).toEqual(['public/views/pages/a.liquid'])
    expect(none).toEqual([])
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
      { path: 'app/views/pages/gone.liquid', message: 'it is a broken symbolic link' },
      { path: 'app/views/pages/loop', message: 'it is a symbolic link to a folder that contains it' },
      { path: 'app/views/pages/self', message: 'it is a symbolic link that leads back to itself' },
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

  it('follows a link to a folder that is elsewhere in the site', async () => {
    write('shared/card.liquid', 'x')
    mkdirSync(join(root, 'app/views'), { recursive: true })
    symlinkSync('../../shared', join(root, 'app/views/partials'))
    expect((await discover(root)).files.map((file) => file.name)).toEqual(['card'])
  })

  describe('does not follow a link out of the site', () => {
    const out = (path: string, to: string) => ({
      path,
      message: expect.stringMatching(new RegExp(`^it is a link to '.*${to}', outside of the site: .* INGOT_LINKS$`)),
    })
    let elsewhere = ''
    beforeEach(() => {
      elsewhere = mkdtempSync(join(tmpdir(), 'ingot-elsewhere-'))
      mkdirSync(join(elsewhere, 'parts'))
      writeFileSync(join(elsewhere, 'parts/card.liquid'), 'secret')
      writeFileSync(join(elsewhere, 'secret.json'), '{"machine_name":"secret"}')
      mkdirSync(join(root, 'app/views/pages'), { recursive: true })
      mkdirSync(join(root, 'app/assets'), { recursive: true })
    })
    afterEach(() => {
      vi.unstubAllEnvs()
      rmSync(elsewhere, { recursive: true, force: true })
    })
    const link = (to: string, at: string): void => symlinkSync(to, join(root, at))

    it('to a file or a folder, by an absolute, a relative and a second link, and says where it leads', async () => {
      link(join(elsewhere, 'secret.json'), 'app/assets/absolute.json')
      link(relative(join(root, 'app/assets'), join(elsewhere, 'secret.json')), 'app/assets/relative.json')
      link('absolute.json', 'app/assets/second.json')
      link(join(elsewhere, 'parts'), 'app/views/partials')
      link(join(elsewhere, 'parts/card.liquid'), 'app/views/pages/card.liquid')
      link(elsewhere, 'modules')
      link(join(elsewhere, 'secret.json'), 'pos-module.json')
      link(join(elsewhere, 'secret.json'), '.platformos-check.yml')
      const found = await discover(root)
      expect(found).toMatchObject({ files: [], assets: [] })
      expect(found.problems).toEqual([
        out('.platformos-check.yml', 'secret.json'),
        ...['absolute', 'relative', 'second'].map((name) => out(`app/assets/${name}.json`, 'secret.json')),
        out('app/views/pages/card.liquid', 'card.liquid'),
        out('app/views/partials', 'parts'),
        out('modules', basename(elsewhere)),
        out('pos-module.json', 'secret.json'),
      ])
      expect(found.siteRoot).toMatchObject({ ownModule: null })
      for (const path of ['app/assets/second.json', 'app/views/partials/card.liquid'])
        expect(readSource(root, path, found.siteRoot)).toMatchObject({ kind: 'problem' })
      expect((await readModuleManifests(root)).size).toBe(0)
    })

    it('also where what it leads to has the name of the site at its beginning', async () => {
      const beside = `${root}-beside`
      mkdirSync(beside)
      writeFileSync(join(beside, 'x.liquid'), 'x')
      link(join(beside, 'x.liquid'), 'app/views/pages/x.liquid')
      expect((await discover(root)).problems).toEqual([out('app/views/pages/x.liquid', 'x.liquid')])
      rmSync(beside, { recursive: true })
    })

    it('but one that comes back is a link among files of the site', async () => {
      write('app/lib/own.liquid', 'own')
      symlinkSync(join(root, 'app/lib/own.liquid'), join(elsewhere, 'back.liquid'))
      link(join(elsewhere, 'back.liquid'), 'app/views/pages/own.liquid')
      const found = await discover(root)
      expect(found.problems).toEqual([])
      expect(found.files.map(({ text }) => text)).toEqual(['own', 'own'])
    })

    it('unless the person allows the folder that it leads to', async () => {
      link(join(elsewhere, 'parts'), 'app/views/partials')
      link(join(elsewhere, 'secret.json'), 'app/assets/secret.json')
      symlinkSync('../secret.json', join(elsewhere, 'parts/further.json'))
      vi.stubEnv('INGOT_LINKS', ` ${join(elsewhere, 'parts')}, ${join(elsewhere, 'missing')}`)
      const found = await discover(root)
      expect(found.files.map(({ name }) => name)).toEqual(['card'])
      expect(found.problems).toEqual([
        out('app/assets/secret.json', 'secret.json'),
        out('app/views/partials/further.json', 'secret.json'),
      ])
    })
  })

  it('that is empty, missing or a file has no files', async () => {
    const nothing = { files: [], assets: [], problems: [], ignored: [] }
    expect(await discover(root)).toMatchObject(nothing)
    expect(await discover(join(root, 'missing'))).toMatchObject(nothing)
    write('app', 'a file')
    expect((await discover(root)).files).toEqual([])
  })

  it('has the partials that request tests run, which are then not unused', async () => {
    write('app/views/pages/index.liquid', 'x')
    for (const name of ['made', 'named', 'old']) write(`app/lib/test/${name}.liquid`, "{% function _x = 'inner' %}")
    write('app/lib/inner.liquid', '{% return 1 %}')
    write(
      'app/lib/test/pages_test.yml',
      '- GET: /\n- run: test/made\n  as: dish\n- as: x\n  run: "test/named" # first\n',
    )
    const found = await discover(root)
    expect(found.testRuns).toEqual(['test/made', 'test/named'])
    const unused = diagnose(found.files, siteOptions(found)).filter(({ code }) => code === 'unused-partial')
    expect(unused.map(({ span }) => span.file)).toEqual(['app/lib/test/old.liquid'])
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
