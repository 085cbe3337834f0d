/** Modules that are not installed: each causes one message, and nothing that depends on them is reported. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { createEngine } from '../../../../compiler/tools/engine.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { checkFiles, type Files, problems } from '../../../support/compiler/check.ts'

const PAGE = 'app/views/pages/index.liquid'

/** Returns the severity, code and file of each diagnostic. */
function told(files: Files): readonly string[] {
  return checkFiles(files).diagnostics.map(({ severity, code, span }) => `${severity} ${code} ${span.file}`)
}

function hints(files: Files): readonly string[] {
  return checkFiles(files).diagnostics.map(({ message }) => message)
}

describe('a module that is not installed', () => {
  it('is one message for all its names, at the first that a page comes to', () => {
    const files = {
      'app/lib/idle.liquid': `{% function r = 'modules/shop/idle' %}{% return r %}`,
      [PAGE]: `{% liquid
        function a = 'modules/shop/find', id: 1
        graphql b = 'modules/shop/all'
        include 'modules/shop/card'
        echo 'modules/shop/title' | t
        echo 'modules/shop/logo.svg' | asset_url
        function c = 'modules/mail/send'
      %}{{ a.x }}{{ b.y }}{{ c }}{% include_form 'modules/shop/order' %}`,
    }
    expect(told(files)).toEqual([`error absent-module ${PAGE}`, `error absent-module ${PAGE}`])
    expect(hints(files)).toEqual([
      'The module `shop` is not installed, so these names are unknown: `find`, `all`, `card`, `order`, `idle`, `title` and `logo.svg`.',
      'The module `mail` is not installed, so these names are unknown: `send`.',
    ])
  })

  it('counts the names beyond ten', () => {
    const calls = Array.from({ length: 13 }, (_, at) => `{% render 'modules/shop/part${at}' %}`).join('')
    expect(hints({ [PAGE]: calls })).toEqual([expect.stringMatching(/`part9` and 3 more\.$/)])
  })

  it('says the command that installs it', () => {
    const [found] = checkFiles(`{% render 'modules/shop/card' %}`).diagnostics
    expect(found?.hint).toBe('Install the module into `modules/shop` with `ingot modules install shop`.')
  })

  it.each<readonly [path: string, manifest: unknown, begins: string]>([
    [
      'pos-module.json',
      { dependencies: { shop: '^1.2.0' } },
      '`pos-module.json` requires the module (`^1.2.0`). Install',
    ],
    ['pos-module.json', { devDependencies: { shop: '' } }, '`pos-module.json` requires the module. Install'],
    [
      'app/pos-modules.json',
      { modules: { shop: '1.5.0' } },
      '`app/pos-modules.json` requires the module (`1.5.0`). Install',
    ],
    [
      'modules/cart/pos-module.json',
      { dependencies: { shop: '2' } },
      '`modules/cart/pos-module.json` requires the module (`2`). Install',
    ],
    ['pos-module.json', { dependencies: ['shop'] }, 'Install'],
    ['pos-module.json', { dependencies: { shop: 3 } }, '`pos-module.json` requires the module. Install'],
    ['pos-module.json', { dependencies: { mail: '1' } }, 'Install'],
  ])('names the manifest that requires it: %s %j', async (path, manifest, begins) => {
    const root = await mkdtemp(join(tmpdir(), 'ingot-absent-'))
    try {
      for (const [file, text] of [
        [path, JSON.stringify(manifest)] as const,
        [PAGE, `{% render 'modules/shop/card' %}`] as const,
      ]) {
        await mkdir(join(root, dirname(file)), { recursive: true })
        await writeFile(join(root, file), text)
      }
      const { files, siteRoot: ground } = await discover(root)
      const { diagnostics } = compile(files, {
        dialect: 'platform',
        syntax: 'lax',
        keepGoing: false,
        openEntries: false,
        requiredModules: ground.manifests.requiredModules,
      })
      expect(diagnostics.map(({ hint }) => hint)).toEqual([
        expect.stringMatching(new RegExp(`^${begins.replace(/[.^$()]/g, '\\$&')}`)),
      ])
    } finally {
      await rm(root, { recursive: true })
    }
  })

  it.each<readonly [string, Files]>([
    [
      'a job',
      { [PAGE]: 'x', 'app/migrations/20200101000000_seed.liquid': `{% function r = 'modules/shop/seed' %}{{ r }}` },
    ],
    ['a theme', { [PAGE]: `{% theme_render_rc 'modules/shop/card' %}` }],
    ['a name in a variable', { [PAGE]: `{% assign n = 'modules/shop/card' %}{% function r = n %}{{ r }}` }],
    ['a document in a variable', { [PAGE]: `{% assign n = 'modules/shop/all' %}{% graphql r = n %}{{ r }}` }],
    [
      'a computed name on the way',
      {
        [PAGE]: `{% assign n = 'a/' | append: context.params.n %}{% function r = n %}{{ r }}`,
        'app/lib/a/b.liquid': `{% function r = 'modules/shop/seed' %}{% return r %}`,
      },
    ],
    ['a text of a translation', { [PAGE]: `{{ 'modules/shop/title' | t }}` }],
    [
      'pages of a module that is a site of its own',
      { 'modules/cart/public/views/pages/cart.liquid': `{% function r = 'modules/shop/find' %}{{ r }}` },
    ],
  ])('is a warning where only %s comes to it', (_name, files) => {
    expect(told(files).filter((each) => !each.startsWith('info'))).toEqual([
      expect.stringMatching(/^warning absent-module /),
    ])
  })

  it.each<readonly [string, Files]>([
    ['a layout', { [PAGE]: `---\nlayout: modules/shop/plain\n---\nx` }],
    ['a policy', { [PAGE]: `---\nauthorization_policies:\n  - modules/shop/open\n---\nx` }],
    [
      'the layout of a page',
      {
        [PAGE]: 'x',
        'app/views/layouts/application.liquid': `{% render 'modules/shop/head' %}{{ content_for_layout }}`,
      },
    ],
    [
      'a partial of a partial',
      { [PAGE]: `{% render 'a' %}`, 'app/views/partials/a.liquid': `{% render 'modules/shop/b' %}` },
    ],
    [
      'a table in a document',
      {
        [PAGE]: `{% graphql g = 'all' %}{{ g.records.total_entries }}`,
        'app/graphql/all.graphql':
          '{ records(per_page: 1, filter: { table: { value: "modules/shop/item" } }) { total_entries } }',
      },
    ],
    [
      'a page of another module',
      { [PAGE]: 'x', 'modules/cart/public/views/pages/cart.liquid': `{% function r = 'modules/shop/find' %}{{ r }}` },
    ],
  ])('is an error where a page comes to it by %s', (_name, files) => {
    expect(told(files)).toEqual([expect.stringMatching(/^error absent-module /)])
  })

  it.each<readonly [string, string]>([
    ['what an include sets', `{% assign found = nil %}{% include 'modules/shop/setup' %}{% if found %}a{% endif %}`],
    ['what an include reads', `{% assign shown = 1 %}{% include 'modules/shop/card' %}`],
    ['what a function gives', `{% function r = 'modules/shop/find' %}{{ r.a.b | size }}`],
    ['what fills a block', `{% render 'modules/shop/head' %}{% yield 'head' %}`],
    ['who prints a block', `{% render 'modules/shop/head' %}{% content_for 'head' %}a{% endcontent_for %}`],
    ['what a link leads to', `{% render 'modules/shop/head' %}<a href="/cart">a</a>`],
    [
      'what is put into the request',
      `{% render 'modules/shop/head' %}{% assign a = 1 %}{% export a %}{{ context.exports.cart.total }}`,
    ],
  ])('leaves unknown %s', (_name, page) => {
    const found = problems(page)
    expect(found).toEqual([expect.stringMatching(/^absent-module /)])
  })

  it('leaves unknown what calls the files of the site', () => {
    const files = {
      [PAGE]: `{% render 'modules/shop/card' %}`,
      'app/lib/hooks/price.liquid': '{% return 1 %}',
      'app/graphql/one.graphql': '{ current_user { id } }',
    }
    expect(problems(files)).toEqual(['absent-module 1:11'])
  })

  it('is silent about names that begin like those of any module', () => {
    expect(
      problems(
        `{% assign n = 'modules/pay_' | append: context.params.n | append: '/run' %}{% function r = n %}{{ r }}`,
      ),
    ).toEqual([])
  })

  it('does not stop the layout of a page from printing it', () => {
    const files = {
      [PAGE]: 'x',
      'app/views/layouts/application.liquid': `{% include 'modules/shop/body' %}`,
    }
    expect(problems(files)).toEqual([expect.stringMatching(/^absent-module /)])
  })

  it('is another matter where some file of it is there', () => {
    const files = {
      [PAGE]: `{% render 'modules/shop/card' %}`,
      'app/modules/shop/public/views/partials/cart.liquid': 'x',
    }
    expect(problems(files)).toContain('missing-partial 1:11')
  })

  it('fails at the call, and names what is missing', () => {
    const engine = createEngine({ files: { 'app/views/partials/a.liquid': `a{% render 'modules/shop/b' %}` } })
    expect(() => engine.renderSync('a')).toThrow(/modules\/shop/)
  })
})

describe('a folder of modules alone', () => {
  const page = 'modules/shop/public/views/pages/cart.liquid'

  it('has one warning for all that it uses of the application', () => {
    const files = {
      [page]: `{% liquid
        function a = 'contacts/find', id: 1
        graphql b = 'contacts/all'
        include 'header'
        echo 'menu.title' | t
      %}{{ a.x }}{{ b.y }}{% include_form 'contact' %}`,
      'modules/shop/public/graphql/contacts.graphql':
        'query { records(per_page: 1, filter: { table: { value: "contact" } }) { results { id } } }',
    }
    expect(told(files)).toContain(`warning absent-module modules/shop/public/graphql/contacts.graphql`)
    expect(told(files).filter((each) => each.startsWith('error'))).toEqual([])
    expect(hints(files)[0]).toBe(
      'This folder contains only modules, not their application. So these names are unknown: `contact`, `contacts/find`, `contacts/all`, `header` and `menu.title`.',
    )
  })

  it('still has errors for what is missing in its own modules', () => {
    expect(told({ [page]: `{% render 'modules/shop/none' %}` })).toEqual([`error missing-partial ${page}`])
  })

  it('may belong to an application that lets variables of another type pass', () => {
    const query = 'query ($more: Boolean) { current_user { id email @include(if: $more) } }'
    const path = 'modules/shop/public/graphql/user.graphql'
    const files = { [path]: query, [page]: `{% graphql g = 'modules/shop/user' %}{{ g }}` }
    expect(told(files)).toEqual([`warning query-variable-type ${path}`])
    expect(told({ ...files, 'app/views/partials/a.liquid': '' })).toContain(`error query-variable-type ${path}`)
  })
})

describe('a table whose name is written for people', () => {
  it('is found by small letters and underscores', () => {
    const files = {
      'app/schema/post.yml': 'name: Blog Post\nproperties:\n  - { name: title, type: string }\n',
      'app/user_profile_schemas/admin.yml': 'name: Site Admin\nproperties:\n  - { name: level, type: integer }\n',
      'app/graphql/posts.graphql':
        'query { records(per_page: 1, filter: { table: { value: "blog_post" } }) { results { title: property(name: "title") } } }',
      'app/graphql/admins.graphql':
        'query { users(per_page: 1) { results { admin: profile(profile_type: "site_admin") { level: property_int(name: "level") } } } }',
      [PAGE]: `{% graphql a = 'posts' %}{% graphql b = 'admins' %}{{ a.records.results }}{{ b.users.results }}`,
    }
    expect(problems(files).filter((each) => each.includes('unknown'))).toEqual([])
  })
})
