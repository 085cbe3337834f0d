/** Settings of the whole site: its configuration, translations and linter configuration. */
import { describe, expect, it } from 'vitest'
import { Report } from '../../../../compiler/core/diagnostics/diagnostic.ts'
import { lintConfig } from '../../../../compiler/language/settings/lint_config.ts'
import { mergeTranslations, translationAt } from '../../../../compiler/language/settings/translations.ts'
import { readSettingsFile, formatDiagnostic } from '../../../support/compiler/settings.ts'

describe('the configuration', () => {
  const config = (yaml: string) => readSettingsFile('app/config.yml', 'config', yaml)

  it('has defaults', () => {
    expect(config('').settings).toEqual({
      kind: 'config',
      liquidRaiseMode: true,
      raiseQueries: false,
      liquidCheckMode: 'error',
      graphqlArgumentTypeMismatchMode: 'error',
      argumentMismatchWritten: false,
      requireTableForRecordDeleteMutation: true,
      sanitizeOutput: false,
      safeTranslate: true,
      slugExactMatch: false,
      htmlFormatExactMatch: false,
      redirectTrailingSlash: false,
      defaultLayout: 'application',
      computedLayout: null,
      rejectNullGeojsonCoordinates: false,
      stringInterpolation: false,
      liquidAddOldVariables: null,
      themeSearchPaths: [],
      maintenance: { enabled: false, passwordConstant: 'MAINTENANCE_PASSWORD', partial: 'maintenance' },
      studio: null,
      searchIndexes: [],
      cookiesSameSite: 'Lax',
      doNotAddReturnTo: false,
      migrationsStrict: false,
      websocketsRequireCsrfToken: true,
      websocketsRequireSubscribedPartial: true,
    })
  })

  it('lets queries that fail raise only where that is written', () => {
    const raises = (text: string) => config(text).settings?.raiseQueries
    expect(['', 'liquid_raise_mode: true', 'liquid_raise_mode: false', 'liquid_raise_mode:'].map(raises)).toEqual([
      false,
      true,
      false,
      false,
    ])
  })

  it('maps the fields of search indexes to types', () => {
    const { settings, said } = config(`
search_indexes:
- books:
    settings: { number_of_shards: 1 }
    properties:
      title: { type: text, analyzer: english, fields: { raw: { type: keyword } } }
      pages: { type: long }
      author:
        properties:
          born: { type: date, format: yyyy-MM-dd }
      shop.city: { type: keyword }
- films:
    mappings:
      properties: { cast: { type: nested, properties: { age: { type: integer } } }, seen: { type: boolean } }
- empty:
`)
    expect(said).toEqual([])
    expect(settings?.searchIndexes).toEqual([
      {
        name: 'books',
        fields: [
          { name: 'title', path: ['title'], type: 'text' },
          { name: 'title.raw', path: ['title'], type: 'keyword' },
          { name: 'pages', path: ['pages'], type: 'integer' },
          { name: 'author.born', path: ['author', 'born'], type: 'date' },
          { name: 'shop.city', path: ['shop', 'city'], type: 'keyword' },
        ],
      },
      {
        name: 'films',
        fields: [
          { name: 'cast.age', path: ['cast', 'age'], type: 'integer' },
          { name: 'seen', path: ['seen'], type: 'boolean' },
        ],
      },
      { name: 'empty', fields: [] },
    ])
  })

  it('knows the types of documented mappings, such as `string`', () => {
    const { settings, said } = config(`
search_indexes:
- docs:
    properties:
      author: { type: object, properties: { uuid: { type: string }, name: { type: text, analyzer: english } } }
      weight: { type: half_float }
      place: { type: geo_point }
`)
    expect(said).toEqual([])
    expect(settings?.searchIndexes).toEqual([
      {
        name: 'docs',
        fields: [
          { name: 'author.uuid', path: ['author', 'uuid'], type: 'text' },
          { name: 'author.name', path: ['author', 'name'], type: 'text' },
          { name: 'weight', path: ['weight'], type: 'float' },
        ],
      },
    ])
  })

  it.each([
    [
      'search_indexes: [{ books: { properties: { title: { type: text }, kind: { type: keywrd } } } }]',
      /^setting-value «keywrd»: The setting `search_indexes\.0\.books\.properties\.kind\.type` takes one of keyword,/,
    ],
    [
      'search_indexes: { books: { properties: { kind: { type: keywrd } } } }',
      /^setting-value «keywrd»: The setting `search_indexes\.books\.properties\.kind\.type` takes one of keyword,/,
    ],
    [
      'search_indexes: [{ films: {}, books: { properties: [title] } }]',
      /^setting-value «properties»: The setting `search_indexes\.0\.books\.properties` takes a mapping of fields,/,
    ],
    ['search_indexes: [books]', /^setting-value «books»: The setting `search_indexes\.0` takes a list of mappings/],
    ['search_indexes: books', /^setting-value «books»: The setting `search_indexes` takes a list of mappings/],
    [
      'search_indexes: [{ books: { properties: { title: keyword } } }]',
      /^setting-value «keyword»: The setting `search_indexes\.0\.books\.properties\.title` takes a mapping with/,
    ],
  ])('names the entry that is not a mapping: %s', (yaml, message) => {
    const { settings, said } = config(yaml)
    expect(said).toEqual([expect.stringMatching(message)])
    expect(settings?.searchIndexes).toEqual([])
  })

  it('says what it says', () => {
    const { settings, said } = config(`---
liquid_raise_mode: false
string_interpolation: yes
liquid_add_old_variables: true
theme_search_paths: ['', "modules/{{ context.constants.THEME }}"]
cookies_same_site: none
maintenance: { enabled: true }
---
`)
    expect(said).toEqual([expect.stringMatching(/^yaml-scalar «yes»/)])
    expect(settings).toMatchObject({
      liquidRaiseMode: false,
      stringInterpolation: true,
      liquidAddOldVariables: true,
      themeSearchPaths: [{ text: '' }, { text: 'modules/{{ context.constants.THEME }}' }],
      cookiesSameSite: 'None',
      maintenance: { enabled: true, partial: 'maintenance' },
    })
  })

  it('takes a path and a policy for the studio, and never one without the other', () => {
    const { settings, said } = config('studio: { path: /internal/desk, policy: staff }')
    expect(said).toEqual([])
    expect(settings?.studio).toMatchObject({ path: '/internal/desk', policy: { name: 'staff' } })
    for (const off of ['studio:', 'liquid_raise_mode: true']) expect(config(off).settings?.studio).toBeNull()
  })

  it.each([
    [
      'studio: { path: /internal }',
      'missing-setting «studio»: A configuration needs the setting `studio.policy`. Write `policy:` and the authorization policy that decides who may use the studio.',
    ],
    [
      'studio: { path: "", policy: staff }',
      'missing-setting «path»: A configuration needs the setting `studio.path`. Write `path:` and the path below which the studio is served, such as `path: /internal`.',
    ],
    [
      'studio: /internal',
      'setting-refused «/internal»: The setting `studio` takes a mapping of `path` and `policy`, but this is `/internal`.',
    ],
    ...[
      'internal',
      '/',
      '/internal/',
      '/a//b',
      '/../x',
      '/a/../b',
      '/a?b',
      '/a#b',
      '/%61',
      '/_ingot',
      '/a/:id',
      '/a b',
      '//a',
    ].map((path) => [
      `studio: { path: '${path}', policy: staff }`,
      `setting-refused «'${path}'»: \`${path}\` is not a path for the studio. Write a path such as \`/internal\`: letters, digits, \`-\`, \`_\`, \`.\`, \`~\` and \`/\`.`,
    ]),
    ...[
      '/api',
      '/api/studio',
      '/assets',
      '/assets/x',
      '/uploads',
      '/uploads/x',
      '/maintenance',
      '/websocket',
      '/sw.js',
    ].map((path) => [
      `studio: { path: ${path}, policy: staff }`,
      `setting-refused «${path}»: The server handles \`${path}\` itself. Write a path such as \`/internal\`: letters, digits, \`-\`, \`_\`, \`.\`, \`~\` and \`/\`.`,
    ]),
  ])('the studio is refused: %s', (yaml, words) => {
    const { settings, said } = config(`${yaml}\n`)
    expect(said).toEqual([words])
    expect(settings?.studio).toBeNull()
  })

  it.each([
    [
      'skip_elasticsearch: true',
      'ignored-setting «skip_elasticsearch»: The setting `skip_elasticsearch` has no effect here.',
    ],
    [
      'safe_translat: true',
      'unknown-setting «safe_translat»: A configuration has no setting `safe_translat`. Did you mean `safe_translate`?',
    ],
  ])('%s is remarked on', (yaml, words) => {
    expect(config(`${yaml}\n`).said).toEqual([words])
  })
})

describe('translations', () => {
  const translation = (yaml: string, path = 'app/translations/en.yml') => readSettingsFile(path, 'translation', yaml)

  it('begin with their language', () => {
    const { settings, said } = translation('en:\n  a: A\npl:\n  a: B\n')
    expect([settings.locales.map((each) => each.locale), said]).toEqual([['en', 'pl'], []])
    expect(translation('js:\n  a: A\njp:\n  a: A\nen-GB_x:\n  a: A\n').said).toEqual([])
    expect(translation('"e n":\n  a: A\n').said).toEqual([
      expect.stringMatching(/^translation-locale «.*»: `e n` is not a locale/),
    ])
    expect(translation('- a\n').said).toEqual([expect.stringMatching(/must begin with the code of its language/)])
    expect(translation('en: text\n').said).toHaveLength(1)
    expect(translation('en:\n').said).toEqual([])
    expect(translation('en:\n  a: A\n', 'app/translations/pl/home.yml').said).toEqual([
      expect.stringMatching(/This file is for `en`, but its path says `pl`/),
    ])
    expect(translation('en:\n  a: A\n', 'app/translations/ui/home.yml').said).toEqual([])
  })

  it('of a site are one tree', () => {
    const files = [
      translation('en:\n  cart: { title: Cart }\n'),
      translation('en:\n  cart: { empty: Empty }\n', 'app/translations/more.yml'),
      translation('en:\n  title: Module\n  more: M\n', 'modules/shop/public/translations/en.yml'),
      translation('en:\n  title: Ours\n', 'app/modules/shop/public/translations/en2.yml'),
      translation('en:\n  cart: { title: Twice }\n', 'app/translations/third.yml'),
    ]
    const report = new Report()
    const tree = mergeTranslations(files, report).get('en')
    const at = (key: string) => translationAt(tree, key)
    expect(at('cart.title')).toMatchObject({ kind: 'value', value: 'Cart' })
    expect(at('cart.empty')).toMatchObject({ value: 'Empty' })
    expect(at('modules/shop/title')).toMatchObject({ value: 'Ours' })
    expect(at('modules/shop/more')).toMatchObject({ value: 'M' })
    expect(at('cart')).toMatchObject({ kind: 'map' })
    expect([at('nope'), at('cart.title.x'), translationAt(undefined, 'a')]).toEqual([null, null, null])
    expect(report.diagnostics).toMatchObject([
      {
        code: 'duplicate-translation',
        span: { file: 'app/translations/third.yml' },
        related: [{ span: { file: 'app/translations/en.yml' } }],
      },
    ])
  })
})

describe('the configuration of checks', () => {
  const lint = (yaml: string) => {
    const { file, tree, report } = readSettingsFile('.platformos-check.yml', 'lint_config', yaml)
    return {
      config: lintConfig(file, tree, report),
      said: report.diagnostics.map((each) => formatDiagnostic(each, file)),
    }
  }

  it('is read', () => {
    const { config, said } = lint(`extends: platformos-check:nothing
ignore: [modules/**]
require: []
UnusedAssign:
  enabled: false
MissingAsset: { severity: suggestion, ignore: 'app/x/*', whatever: 1 }
MissingPage: { severity: 0 }
`)
    expect(said).toEqual([])
    expect(config).toEqual({
      base: 'none',
      ignore: ['modules/**'],
      checks: new Map([
        ['UnusedAssign', { enabled: false, severity: null, ignore: [] }],
        ['MissingAsset', { enabled: true, severity: 'info', ignore: ['app/x/*'] }],
        ['MissingPage', { enabled: true, severity: 'error', ignore: [] }],
      ]),
    })
  })

  it('leaves out what it does not understand', () => {
    const { config, said } = lint('UnusedAssign: { severity: loud }\nignore: { a: 1 }\n')
    expect(config).toEqual({ base: 'all', ignore: [], checks: new Map() })
    expect(said).toHaveLength(2)
  })
})
