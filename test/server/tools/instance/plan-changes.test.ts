/** Tests the texts and paths of files that mutations change, with the compiler's own readers of paths, front matter and YAML. */
import { type GraphQLInputObjectType, isInputObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { cutFrontMatter } from '../../../../compiler/core/source/front-matter.ts'
import { classify } from '../../../../compiler/core/source/kinds.ts'
import { readYaml, toValue } from '../../../../compiler/core/source/yaml.ts'
import { CHANGED_TYPES, type SiteChange } from '../../../../runtime/data/query/change-model.ts'
import { schema } from '../../../../runtime/data/query/schema.ts'
import { FILE_TYPES } from '../../../../server/tools/instance/deploys/changes/file-types.ts'
import { planChanges } from '../../../../server/tools/instance/deploys/changes/plan.ts'
import { cutFrontMatter as cutInServer } from '../../../../server/web/site/front-matter.ts'

type Files = Readonly<Record<string, string>>

/** Any asset was uploaded. */
const sent = async (names: readonly string[]) => new Map(names.map((name) => [name, { digest: '', size: 0 }]))

/** Plans changes on a site of these files. Returns the changed files. */
async function planned(files: Files, ...changes: readonly Partial<SiteChange>[]) {
  const tree = new Map(Object.keys(files).map((path) => [path, { digest: '', size: 0 }]))
  const whole = changes.map(
    (change): SiteChange => ({
      type: 'page',
      action: 'create',
      files: [],
      isMatch: false,
      values: {},
      property: null,
      ...change,
    }),
  )
  const { texts, uploaded, changed } = await planChanges(whole, {
    tree,
    read: async (path) => files[path] ?? '',
    sent,
  })
  return { texts: Object.fromEntries(texts), uploaded: [...uploaded.keys()], changed }
}

/** The settings and the body of a template, as the compiler reads them. */
function read(text: string): { readonly settings: unknown; readonly body: string } {
  const { yaml, bodyStart, unclosed } = cutFrontMatter(text)
  expect(unclosed).toBe(false)
  const { tree, problems } = readYaml(yaml?.text ?? '', 'x', 0)
  expect(problems).toEqual([])
  return { settings: plain(toValue(tree)), body: text.slice(bodyStart) }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

const PAGE = 'app/views/pages/a.liquid'

const HOSTILE: readonly string[] = [
  '',
  ' ',
  'plain',
  'a: b',
  'a #b',
  '# a',
  '- a',
  '? a',
  '---',
  '---\nslug: evil\n---\n',
  'a\n---\nslug: evil',
  '...\n---\n',
  '"',
  "'",
  '\\',
  '\\n',
  '"\nslug: evil\n"',
  "'\nslug: evil",
  '{{ "a" | t: \'b\' }}',
  '{% if true %}\n  a\n{% endif %}\n',
  '{% if true %}\n  a\n{% endif %}\n\n',
  '  indented\nless',
  'trailing \nspace',
  'tab\tand\r\ncarriage\rreturn',
  'yes',
  'No',
  'null',
  '~',
  'true',
  '0x1f',
  '017',
  '1_000',
  '1:30',
  '1e3',
  '.5',
  '2020-01-01',
  '<<',
  '=',
  '&a',
  '*a',
  '!ruby/object:Object {}',
  '@a',
  '`a`',
  '%a',
  '[a]',
  '{a}',
  ':symbol',
  'żółć 🚀 漢',
  'next\u0085line\u2028and\u2029more\ufeff\u007f\u0001',
  'x'.repeat(5_000),
  `${'word '.repeat(200)}\nsecond line that is long too\n---\nslug: evil`,
]

describe('values', () => {
  test.each(HOSTILE)('are read by the compiler as they were given: %j', async (value) => {
    const values = { subdomain: value, metadata: { [value]: [value, { deep: value }] }, content: value }
    const { texts } = await planned({}, { values: { physical_file_path: PAGE, ...values } })
    const created = texts[PAGE] ?? ''
    const settings = { subdomain: value, metadata: { [value]: [value, { deep: value }] } }
    expect(read(created)).toEqual({ settings, body: value })
    const old = '---\n# comment\nslug: a\nsubdomain: "old" # kept\nlayout: >\n  folded\n  text\n---\nold'
    const { texts: updated } = await planned({ [PAGE]: old }, { action: 'update', files: [PAGE], values })
    expect(read(updated[PAGE] ?? '')).toEqual({
      settings: { slug: 'a', layout: 'folded text\n', ...settings },
      body: value,
    })
    // A body without settings begins nothing.
    const { texts: bare } = await planned({}, { values: { physical_file_path: PAGE, content: value } })
    expect(read(bare[PAGE] ?? '').body).toBe(value)
  })

  test('other than texts keep their types', async () => {
    const metadata = {
      i: 5,
      f: 1.5,
      big: 1e21,
      small: 1e-9,
      yes: true,
      no: false,
      none: null,
      list: [],
      map: {},
      text: '5',
    }
    const { texts } = await planned({}, { values: { physical_file_path: PAGE, metadata, max_deep_level: 2 } })
    expect(read(texts[PAGE] ?? '').settings).toEqual({ metadata, max_deep_level: 2 })
  })

  test('that are removed leave nothing, and older names go', async () => {
    const old =
      '---\npath: a\nlayout_name: b\nhandler: markdown\ncache_for: 5\nredirect_url: /\ndynamic_cache:\n  key: a\n  expire: 5\nslug: x\nslug: y\n---\nbody'
    const change = (values: object) =>
      planned({ [PAGE]: old }, { action: 'update', files: [PAGE], values: { ...values } }).then(({ texts }) =>
        read(texts[PAGE] ?? old),
      )
    expect(
      await change({
        slug: 'n',
        layout: 'l',
        handler: 'liquid',
        static_cache_expire: 7,
        redirect_to: '/x',
        dynamic_cache_key: null,
      }),
    ).toEqual({
      settings: {
        slug: 'n',
        layout: 'l',
        static_cache: { expire: 7 },
        redirect_to: '/x',
        dynamic_cache: { expire: 5 },
      },
      body: 'body',
    })
    const all = {
      slug: null,
      layout: null,
      handler: null,
      static_cache_expire: null,
      redirect_to: null,
      dynamic_cache_key: null,
      dynamic_cache_expire: null,
    }
    const { texts } = await planned({ [PAGE]: old }, { action: 'update', files: [PAGE], values: all })
    expect(texts[PAGE]).toBe('---\n---\nbody')
  })

  test('leave front matter as it is when only the body changes, also when it is no YAML', async () => {
    const old = '\n---  \nslug: {{ x }}\n\tbad\n--- end\nbody'
    const { texts } = await planned({ [PAGE]: old }, { action: 'update', files: [PAGE], values: { content: 'new' } })
    expect(texts[PAGE]).toBe('\n---  \nslug: {{ x }}\n\tbad\n--- end\nnew')
    const refused = planned({ [PAGE]: old }, { action: 'update', files: [PAGE], values: { slug: 'x' } })
    await expect(refused).rejects.toThrow(`\`${PAGE}\` has settings that are not YAML`)
    const unclosed = planned({ [PAGE]: '---\nslug: a' }, { action: 'update', files: [PAGE], values: { slug: 'x' } })
    await expect(unclosed).rejects.toThrow('has front matter that is not closed')
    const list = planned({ [PAGE]: '---\n- a\n---\n' }, { action: 'update', files: [PAGE], values: { slug: 'x' } })
    await expect(list).rejects.toThrow('has settings that are not a mapping')
  })

  test('are cut from templates like in the compiler', () => {
    for (const text of [
      'a',
      '---\na: b\n---\nc',
      '\r\n---\r\na: b\r\n---\r\nc',
      '---',
      '---\na',
      ' ---\n',
      '---\n---',
      '---x\n',
    ])
      expect(cutInServer(text).bodyStart, text).toBe(cutFrontMatter(text).bodyStart)
  })
})

describe('paths', () => {
  const SITE = { [PAGE]: '', 'app/views/pages/plain': '' }
  const create = (path: string, type: SiteChange['type'] = 'page', files: Files = SITE) =>
    planned(files, { type, values: { physical_file_path: path, path: 'x' } })

  test.each([
    ['../x.liquid', 'leads out of the site'],
    ['views/pages/../../config.yml', 'leads out of the site'],
    ['app/views/pages/../x.liquid', 'leads out of the site'],
    ['/etc/passwd', 'is absolute'],
    ['C:\\x.liquid', 'is absolute'],
    ['views\\pages\\x.liquid', 'not a valid path'],
    ['views/pages//x.liquid', 'not a valid path'],
    ['views/pages/./x.liquid', 'not a valid path'],
    ['views/pages/a\nb.liquid', 'not a valid path'],
    ['', 'not a valid path'],
    ['config.yml', 'must be in the folder `views/pages`'],
    ['app/config.yml', 'must be in the folder `views/pages`'],
    ['app/user.yml', 'must be in the folder `views/pages`'],
    ['migrations/20300101000000_x.liquid', 'must be in the folder `views/pages`'],
    ['assets/x.liquid', 'must be in the folder `views/pages`'],
    ['lib/x.liquid', 'must be in the folder `views/pages`'],
    ['modules/m/x.liquid', 'must be in the folder `views/pages`'],
    ['modules/m/views/pages/x.liquid', 'must be in the folder `views/pages`'],
    ['template-values.json', 'must be in the folder `views/pages`'],
    ['views/pages', 'must be in the folder `views/pages`'],
    ['views/pages/x.html', 'must end with `.liquid`'],
    ['views/pages/.liquid', 'must not begin with a dot'],
    ['views/pages/.hidden/x.liquid', 'must not begin with a dot'],
    ['views/pages/a.liquid', 'There is already a file'],
    ['views/pages/a.liquid/b.liquid', 'names of folders must not end with'],
    ['views/pages/plain/b.liquid', 'cannot both exist'],
    [`views/pages/${'x'.repeat(300)}.liquid`, 'not a valid path'],
  ])('are refused: %j', async (path, message) => {
    await expect(create(path)).rejects.toThrow(message)
    await expect(
      planned(SITE, { action: 'update', files: [PAGE], values: { physical_file_path: path } }).then(({ texts }) => {
        // A move to its own place changes nothing.
        if (path !== 'views/pages/a.liquid') throw new Error('moved')
        expect(texts).toEqual({})
        throw new Error(message)
      }),
    ).rejects.toThrow(message)
    if (path !== 'views/pages/a.liquid')
      for (const action of ['update', 'delete'] as const)
        await expect(planned({ 'app/config.yml': '', 'app/user.yml': '' }, { action, files: [path] })).rejects.toThrow()
  })

  test('lie where the compiler finds files of their type', async () => {
    const kinds: Readonly<Record<string, string>> = {
      liquid_partial: 'partial',
      liquid_layout: 'layout',
      email_notification: 'email',
      sms_notification: 'sms',
      api_call_notification: 'api_call',
      model_schema: 'table',
    }
    for (const type of CHANGED_TYPES) {
      if (type === 'property') continue
      const { folders, extension } = FILE_TYPES[type]
      for (const folder of folders)
        for (const root of ['', 'app/', 'modules/m/public/', 'modules/m/private/', 'app/modules/m/public/']) {
          const file = { physical_file_path: `${root}${folder}/deep/x${extension}` }
          const values = type === 'asset' ? { assets: [{ name: 'x', ...file }] } : file
          const { texts, uploaded } = await planned({ 'app/x': '' }, { type, values })
          const [path = ''] = [...Object.keys(texts), ...uploaded]
          const module = root.includes('modules/') ? 'modules/m/' : ''
          expect(classify(path), path).toMatchObject({ kind: kinds[type] ?? type, name: `${module}deep/x` })
        }
    }
  })

  test('of older sites stay in their folder', async () => {
    const { texts } = await create('views/pages/b.liquid', 'page', { 'marketplace_builder/views/pages/a.liquid': '' })
    expect(Object.keys(texts)).toEqual(['marketplace_builder/views/pages/b.liquid'])
  })

  test('of partials come from their names, and policies from theirs', async () => {
    const paths = async (type: SiteChange['type'], values: object) =>
      Object.keys((await planned({}, { type, values: { ...values } })).texts)
    expect(await paths('liquid_partial', { path: 'a/b' })).toEqual(['app/views/partials/a/b.liquid'])
    expect(await paths('liquid_partial', { path: 'modules/m/b', format: 'json' })).toEqual([
      'modules/m/public/views/partials/b.json.liquid',
    ])
    expect(await paths('authorization_policy', { name: 'p', content: 'true' })).toEqual([
      'app/authorization_policies/p.liquid',
    ])
    await expect(paths('authorization_policy', { content: 'true' })).rejects.toThrow('Give the `physical_file_path`')
    await expect(paths('liquid_partial', { path: '../../config' })).rejects.toThrow('leads out of the site')
    const alias = await planned(
      {},
      { type: 'liquid_partial', values: { path: 'other', physical_file_path: 'lib/x.liquid', body: 'b' } },
    )
    expect(read(alias.texts['app/lib/x.liquid'] ?? '')).toEqual({ settings: { path: 'other' }, body: 'b' })
  })
})

describe('changes', () => {
  test('see the ones before them', async () => {
    const at = { action: 'update', files: ['views/pages/new.liquid'] } as const
    const { texts, changed } = await planned(
      { [PAGE]: 'a' },
      { values: { physical_file_path: 'views/pages/new.liquid', content: 'one' } },
      { ...at, values: { slug: 's' } },
      { ...at, values: { physical_file_path: 'views/pages/moved.liquid', content: 'two' } },
      { action: 'delete', files: [PAGE] },
      { values: { physical_file_path: PAGE, content: 'again' } },
    )
    expect(texts).toEqual({
      'app/views/pages/new.liquid': null,
      'app/views/pages/moved.liquid': '---\nslug: s\n---\ntwo',
      [PAGE]: 'again',
    })
    expect(changed).toEqual([
      ['app/views/pages/new.liquid'],
      ['app/views/pages/new.liquid'],
      ['app/views/pages/moved.liquid'],
      [PAGE],
      [PAGE],
    ])
    await expect(
      planned({ [PAGE]: 'a' }, { action: 'delete', files: [PAGE] }, { ...at, files: [PAGE] }),
    ).rejects.toMatchObject({ change: 1 })
  })

  test('move and remove files with any bytes, also one after the other', async () => {
    const asset = { type: 'asset', action: 'update' } as const
    const site = { 'app/assets/a.png': 'a', 'app/assets/b.png': 'b', 'app/assets/c.png': 'c' }
    const tree = new Map(Object.keys(site).map((path) => [path, { digest: '', size: 0 }]))
    const change = (values: Partial<SiteChange>): SiteChange => ({
      ...asset,
      files: [],
      isMatch: false,
      values: {},
      property: null,
      ...values,
    })
    const to = (path: string, from: string) => change({ files: [from], values: { physical_file_path: path } })
    const { texts, moved } = await planChanges(
      [
        to('assets/deep/a.png', 'app/assets/a.png'),
        to('assets/a.png', 'assets/b.png'),
        to('app/assets/x.png', 'assets/deep/a.png'),
        change({ action: 'delete', files: ['assets/c.png'] }),
        to('modules/m/public/assets/c.png', 'assets/a.png'),
        to('app/assets/x.png', 'app/assets/x.png'),
      ],
      { tree, read: async () => '', sent },
    )
    expect(Object.fromEntries(moved)).toEqual({
      'app/assets/x.png': 'app/assets/a.png',
      'modules/m/public/assets/c.png': 'app/assets/b.png',
    })
    expect(Object.fromEntries(texts)).toEqual({
      'app/assets/a.png': null,
      'app/assets/b.png': null,
      'app/assets/c.png': null,
      'app/assets/deep/a.png': null,
    })
    await expect(
      planned(site, { ...asset, files: ['assets/a.png'], values: { physical_file_path: 'views/pages/a.liquid' } }),
    ).rejects.toThrow('must be in the folder `assets`')
    await expect(
      planned(site, { ...asset, files: ['assets/a.png'], values: { cache_control: 'no-store' } }),
    ).rejects.toThrow('`cache_control` is refused')
  })

  test('of files that have matched a filter leave out the ones that are gone', async () => {
    const change = { action: 'delete', files: [PAGE, 'app/views/pages/b.liquid'], isMatch: true } as const
    expect((await planned({ [PAGE]: '' }, change)).changed).toEqual([[PAGE]])
  })

  test('of properties keep comments, order and older names of keys', async () => {
    const old =
      '---\n# Items\nname: item\ncustom_attributes:\n  # The title\n  - name: title\n    type: text\n\n  - {name: rank, type: integer}\n'
    const file = 'app/custom_model_types/item.yml'
    const property = { type: 'property', files: [file] } as const
    const { texts } = await planned(
      { [file]: old },
      { ...property, values: { name: 'done', attribute_type: 'boolean', default_value: 'false', belongs_to: null } },
      { ...property, action: 'update', property: 'rank', values: { name: 'order', default_value: '05' } },
      { ...property, action: 'update', property: 'title', values: { metadata: { 'a b': [] } } },
    )
    expect(texts[file]).toBe(
      '---\n# Items\nname: item\ncustom_attributes:\n  # The title\n  - name: title\n    type: text\n    metadata:\n      "a b": []\n\n  - { name: order, type: integer, default_value: 5 }\n  - name: done\n    type: boolean\n    default_value: false\n',
    )
    for (const [change, message] of [
      [{ action: 'create', values: { name: 'title' } }, 'already has a property `title`'],
      [{ action: 'update', property: 'rank', values: { name: 'title' } }, 'already has a property `title`'],
      [{ action: 'delete', property: 'none' }, 'has no property `none`'],
      [{ action: 'create', values: { name: 'x' }, files: ['app/config.yml'] }, 'is not the path of'],
      [{ action: 'create', values: { name: 'x' }, files: ['modules/m/public/user.yml'] }, 'is not the path of'],
      [{ action: 'create', values: { name: 'x' }, files: ['app/schema/none.yml'] }, 'There is no file'],
    ] as const)
      await expect(planned({ [file]: old, 'app/config.yml': '' }, { ...property, ...change })).rejects.toThrow(message)
  })

  test('have a setting, or a reason to be refused, for every argument', async () => {
    const own = new Set(['physical_file_path', 'path', 'properties', 'fields', 'authorization_policy_ids', 'format'])
    for (const type of CHANGED_TYPES) {
      if (type === 'property') continue
      for (const action of ['create', 'update']) {
        const field = schema().getMutationType()?.getFields()[`admin_${type}_${action}`]
        const input = field?.args
          .map((argument) => schema().getType(String(argument.type).replace('!', '')))
          .find(isInputObjectType) as GraphQLInputObjectType
        // No mutation creates assets.
        if (field === undefined) continue
        const { settings, body } = FILE_TYPES[type]
        const missing = Object.keys(input.getFields()).filter(
          (name) => name !== body && !own.has(name) && !Object.hasOwn(settings, name),
        )
        expect(missing, `${type} ${action}`).toEqual([])
      }
    }
  })
})
