/** Custom checks: what they find, where the settings name them, and how their findings are reported, suppressed and fixed. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { JsonDiagnostic } from '../../../../compiler/core/diagnostics/json.ts'
import { GUIDES } from '../../../../compiler/tools/docs/guides/index.ts'
import { moduleWith, writeSite } from '../../../support/custom-checks.ts'
import { shownFiles } from '../../../support/documented-site.ts'
import { product, write } from '../../../support/product.ts'

const ingot = product()
afterAll(() => ingot.clean())

const PAGE = 'app/views/pages/index.liquid'
const SETTINGS = '.platformos-check.yml'

/** A package with three checks: templates with a fix, queries, and YAML with settings. */
const PACKAGE_CHECKS = `
const NoBreak = {
  meta: { code: 'NoBreak', aliases: ['BreakTag'], name: 'No breaks', docs: { description: 'x' }, type: 'LiquidHtml', severity: 1, schema: {}, targets: [] },
  create(context) {
    return {
      async HtmlVoidElement(node) {
        if (node.name !== 'br') return
        const { start, end } = node.position
        context.report({ message: 'Write a paragraph.', startIndex: start, endIndex: end, fix: (corrector) => corrector.replace(start, end, '<hr>') })
      },
    }
  },
}
const NamedQuery = {
  meta: { code: 'NamedQuery', name: 'Named queries', docs: { description: 'x' }, type: 'GraphQL', severity: 0, schema: {} },
  create: (context) => ({
    async onCodePathEnd(file) {
      for (const { kind, name, loc } of file.ast.document?.definitions ?? [])
        if (kind === 'OperationDefinition' && name === undefined)
          context.report({ message: 'Name the query in ' + context.toRelativePath(file.uri) + '.', startIndex: loc.start, endIndex: loc.start + 5 })
    },
  }),
}
const ShortText = {
  meta: {
    code: 'ShortText', name: 'Short texts', docs: { description: 'x' }, type: 'YAML', severity: 2,
    schema: { maxLength: { type: 'number', defaultValue: 5 }, exceptKeys: { options: { type: 'array', itemType: { options: { type: 'string' } } }, defaultValue: () => [] } },
  },
  create: ({ report, settings, fileType }) => ({
    async Property({ key, value }) {
      if (fileType() !== 'Translation' || value.type !== 'Literal' || settings.exceptKeys?.includes(key.value)) return
      if (value.value.length > settings.maxLength)
        report({ message: key.value + ' has ' + value.value.length + ' characters.', startIndex: value.loc.start.offset, endIndex: value.loc.end.offset })
    },
  }),
}
`

const PACKAGE = 'node_modules/@acme/platformos-check-house'
const HOUSE = {
  'package.json': JSON.stringify({ devDependencies: { '@acme/platformos-check-house': '1.0.0' } }),
  [`${PACKAGE}/package.json`]: JSON.stringify({ name: '@acme/platformos-check-house', main: 'index.js' }),
  [`${PACKAGE}/index.js`]: `${PACKAGE_CHECKS}\nexports.checks = [NoBreak, NamedQuery, ShortText]\n`,
  [`${PACKAGE}/recommended.yml`]:
    'NoBreak:\n  enabled: true\nNamedQuery:\n  enabled: true\n  severity: 1\nShortText:\n  max_length: 8\n',
}
/** The same package as an ES module, which only \`import\` finds. */
const MODULE_HOUSE = {
  ...HOUSE,
  [`${PACKAGE}/package.json`]: JSON.stringify({
    name: '@acme/platformos-check-house',
    type: 'module',
    exports: { '.': { import: './index.js' } },
  }),
  [`${PACKAGE}/index.js`]: `${PACKAGE_CHECKS}\nexport const checks = [NoBreak, NamedQuery, ShortText]\n`,
}
const CONTENTS = {
  [PAGE]: `ä😀<br>{% graphql r = 'list' %}{{ r }}{{ 'long' | t }}{{ 'short' | t }}`,
  'app/graphql/list.graphql': 'query { records(per_page: 1) { total_entries } }',
  'app/translations/en.yml': 'en:\n  long: "nine chars"\n  short: abc\n',
}

const site = (files: Readonly<Record<string, string>>): string => writeSite(ingot.folder(), files)

async function check(folder: string, ...args: readonly string[]) {
  const { code, out, err } = await ingot.run(['check', folder, '--format', 'json', ...args])
  const all = JSON.parse(out) as readonly JsonDiagnostic[]
  return { code, err, all, custom: all.filter((each) => each.code.startsWith('custom-check')) }
}

const shown = (all: readonly JsonDiagnostic[]): readonly string[] =>
  all.map(
    ({ file, line, column, endColumn, severity, message }) =>
      `${file}:${line}:${column}-${endColumn} ${severity} ${message}`,
  )

describe('a package with checks', () => {
  const expected = [
    'app/graphql/list.graphql:1:1-6 warning `NamedQuery`: Name the query in app/graphql/list.graphql.',
    // The emoji has two UTF-16 units.
    `${PAGE}:1:4-8 warning \`NoBreak\`: Write a paragraph.`,
    'app/translations/en.yml:2:9-21 info `ShortText`: long has 10 characters.',
  ]

  test.each([
    ['of CommonJS', HOUSE],
    ['of ES modules', MODULE_HOUSE],
  ])('%s runs with the settings that it recommends', async (_, house) => {
    const folder = site({
      ...house,
      ...CONTENTS,
      [SETTINGS]: "extends:\n  - platformos-check:recommended\n  - '@acme/platformos-check-house/recommended.yml'\n",
    })
    const { custom, code } = await check(folder)
    expect(shown(custom)).toEqual(expected)
    expect(custom.map((each) => each.check)).toEqual(['NamedQuery', 'NoBreak', 'ShortText'])
    expect(code).toBe(0)
  })

  test('runs what the settings name, with their severities, values and patterns', async () => {
    const folder = site({
      ...HOUSE,
      ...CONTENTS,
      'app/graphql/other.graphql': 'query { records(per_page: 2) { total_entries } }',
      [SETTINGS]: `NoBreak: { enabled: false }
NamedQuery: { severity: error, ignore: [app/graphql/other.graphql] }
ShortText: { max_length: 2, except_keys: [long], severity: 1 }
`,
    })
    const { custom, code } = await check(folder)
    expect(shown(custom)).toEqual([
      'app/graphql/list.graphql:1:1-6 error `NamedQuery`: Name the query in app/graphql/list.graphql.',
      'app/translations/en.yml:3:10-13 warning `ShortText`: short has 3 characters.',
    ])
    expect(code).toBe(1)
    expect((await check(folder, '--no-custom-checks')).custom).toEqual([])
    write(folder, { [SETTINGS]: 'ignore: [app/graphql/*]\nBreakTag: {}\nNamedQuery: {}\n' })
    expect(shown((await check(folder)).custom)).toEqual([expected[1]])
  })

  test('runs nothing that the settings do not name', async () => {
    const folder = site({ ...HOUSE, ...CONTENTS, [SETTINGS]: 'UnusedAssign: { enabled: true }\n' })
    const { custom } = await check(folder)
    expect(custom.map(({ severity, message, hint }) => [severity, message, hint])).toEqual([
      [
        'info',
        'No check of `@acme/platformos-check-house` is enabled. It has `NoBreak`, `NamedQuery` and `ShortText`.',
        'To run a check, name it in this file: `NoBreak: { enabled: true }`.',
      ],
    ])
  })

  test('reports settings that its checks do not take', async () => {
    const folder = site({ ...HOUSE, ...CONTENTS, [SETTINGS]: 'ShortText:\n  max_length: many\n  maxLines: 3\n' })
    const { all } = await check(folder)
    expect(
      all
        .filter(({ file }) => file === SETTINGS)
        .map(({ code, line, column, message }) => [code, line, column, message]),
    ).toEqual([
      ['setting-value', 2, 15, 'The setting `max_length` takes a number, but this is `many`.'],
      ['unknown-setting', 3, 3, 'A check `ShortText` has no setting `maxLines`.'],
    ])
    // The default is used.
    expect(all.some(({ message }) => message === '`ShortText`: long has 10 characters.')).toBe(true)
  })
})

describe('findings', () => {
  const files = { ...HOUSE, ...CONTENTS, [SETTINGS]: 'NoBreak: { severity: error }\n' }

  test('are found again when the compiler has nothing to do', async () => {
    const folder = site(files)
    const first = await check(folder)
    const again = await check(folder)
    expect(again.all).toEqual(first.all)
    expect(again.custom).toHaveLength(1)
    // The compiler's own findings are cached, and those of the checks are not among them.
    expect(existsSync(join(folder, '.ingot/cache'))).toBe(true)
    expect((await check(folder, '--no-custom-checks')).custom).toEqual([])
    // A changed check has other findings, though the site is the same.
    write(folder, {
      [`${PACKAGE}/index.js`]: `${PACKAGE_CHECKS.replace('a paragraph', 'something else')}\nexports.checks = [NoBreak]`,
    })
    expect(shown((await check(folder)).custom)).toEqual([`${PAGE}:1:4-8 error \`NoBreak\`: Write something else.`])
  })

  test('are suppressed by comments with the code of the check', async () => {
    const page = (comment: string) =>
      `a<br>\n{% # platformos-check-disable ${comment} %}<br>\n{% # platformos-check-enable ${comment} %}<br>`
    const folder = site({ ...files, [PAGE]: page('NoBreak') })
    const lines = async () =>
      (await check(folder)).all.filter(({ file }) => file === PAGE).map(({ line, code }) => [line, code])
    const left = [
      [1, 'custom-check'],
      [3, 'custom-check'],
    ]
    expect(await lines()).toEqual(left)
    write(folder, { [PAGE]: page('') })
    expect(await lines()).toEqual(left)
    for (const common of ['custom-check', 'CustomCheck']) {
      write(folder, { [PAGE]: page(common) })
      expect(await lines()).toEqual(left)
    }
    write(folder, { [PAGE]: page('NoOther') })
    expect(await lines()).toEqual([left[0], [2, 'custom-check'], left[1]])
    // Neither is such a comment useless for a program that runs no custom checks, unlike one that names a check of the compiler.
    write(folder, { [PAGE]: '\n\na {% # platformos-check-disable NoBreak, UnknownFilter %}<hr>' })
    const { all } = await check(folder, '--no-custom-checks')
    expect(all.filter(({ file }) => file === PAGE).map(({ message }) => message)).toEqual([
      'This comment suppresses `UnknownFilter`, but nothing of that kind is found here.',
    ])
  })

  test('are fixed, together with those of the compiler', async () => {
    const folder = site({ ...files, [PAGE]: `a<br>b<br>{% liquid\n  echo 'x' | upcas\n%}` })
    const { err, custom } = await check(folder, '--fix')
    expect(readFileSync(join(folder, PAGE), 'utf8')).toBe(`a<hr>b<hr>{% liquid\n  echo 'x' | upcase\n%}`)
    expect(err).toContain('Made 3 changes in 1 file.')
    expect(custom).toEqual([])
  })

  test('a fix that does not help is not made, and a suggestion is only offered', async () => {
    const folder = site({
      [PAGE]: 'a<br>b<wbr>c',
      [SETTINGS]: 'require: [./fixes.js, ./suggests.js]\nUseless: {}\nSuggests: {}\n',
      'fixes.js': moduleWith(
        'Useless',
        `async HtmlVoidElement({ name, position: { start, end } }) {
          if (name === 'br') context.report({ message: 'x', startIndex: start, endIndex: end, fix: (f) => f.insert(end, ' ') })
        }`,
      ),
      'suggests.js': moduleWith(
        'Suggests',
        `async HtmlVoidElement({ name, position: { start, end } }) {
          if (name === 'wbr') context.report({ message: 'y', startIndex: start, endIndex: end, suggest: [{ message: 'Remove the element.', fix: (f) => f.remove(start, end) }] })
        }`,
      ),
    })
    const { custom, err } = await check(folder, '--fix')
    expect(readFileSync(join(folder, PAGE), 'utf8')).toBe('a<br>b<wbr>c')
    expect(err).toBe('Nothing was fixed: no finding has a safe change.\n')
    expect(custom.map(({ check, hint, fix }) => [check, hint, fix?.safe])).toEqual([
      ['Useless', null, true],
      ['Suggests', 'Remove the element.', false],
    ])
  })

  test('are in every format, in the baseline, and for the chosen files only', async () => {
    const folder = site({ ...files, 'app/views/pages/other.liquid': '---\nslug: other\n---\n<br>' })
    const formats = ['text', 'github', 'sarif'].map((format) => ingot.run(['check', folder, '--format', format]))
    for (const { out, code } of await Promise.all(formats)) {
      expect(out).toContain('custom-check')
      expect(out).toContain('Write a paragraph.')
      expect(code).toBe(1)
    }
    expect((await check(join(folder, PAGE))).custom).toHaveLength(1)
    const baseline = join(folder, 'known.json')
    await ingot.run(['check', folder, '--write-baseline', baseline])
    expect((await check(folder, '--baseline', baseline)).all).toEqual([])
  })

  test('are about unsaved texts', async () => {
    const folder = site(files)
    const { out } = await ingot.run(['check', join(folder, PAGE), '--stdin', '--format', 'json'], { input: 'x\n <br>' })
    expect(
      (JSON.parse(out) as readonly JsonDiagnostic[]).map(({ code, line, column }) => [code, line, column]),
    ).toEqual([['custom-check', 2, 2]])
  })

  test('name the check when many are folded', async () => {
    const folder = site({ ...files, [PAGE]: '<br>'.repeat(8) })
    const { out } = await ingot.run(['check', folder])
    expect(out).toContain('`NoBreak`: Write a paragraph.')
    expect(out).toContain('7 more of custom-check:')
  })
})

describe('a check', () => {
  test('visits nodes in the order of the checker for which it was written, with their ancestors', async () => {
    const folder = site({
      [PAGE]: '---\nslug: /\n---\n<div class="a">{% if context.params.a %}{{ b | upcase }}{% endif %}</div>',
      'app/views/pages/broken.liquid': '{% if %}<div>',
      [SETTINGS]: 'require: ./order.js\nOrder: {}\n',
      'order.js': moduleWith(
        'Order',
        `async onCodePathStart(file) { context.report({ message: 'start ' + typeof file.source, startIndex: 0, endIndex: 0 }) },
        async LiquidTag(node, ancestors) { context.report({ message: 'tag in ' + ancestors.map(({ type }) => type).join(' '), startIndex: node.position.start }) },
        async LiquidFilter(node) { context.report({ message: 'filter ' + node.name, startIndex: node.position.start, endIndex: node.position.end }) },
        async 'LiquidTag:exit'(node) { context.report({ message: 'end of ' + node.name, startIndex: node.position.end, endIndex: node.position.end }) },
        async 'HtmlElement:exit'(node) { context.report({ message: 'end of ' + node.name[0].value, startIndex: node.position.end, endIndex: node.position.end }) },
        async onCodePathEnd({ ast, uri }) { context.report({ message: 'end ' + ast.type + ' ' + uri.startsWith('file://'), startIndex: 9e9, endIndex: 9e9 }) }`,
      ),
    })
    const { custom } = await check(folder)
    const of = (path: string) =>
      custom.filter(({ file }) => file === path).map(({ message }) => message.replace('`Order`: ', ''))
    expect(of('app/views/pages/broken.liquid')).toEqual(['start string'])
    expect(of(PAGE)).toEqual([
      'start string',
      'tag in Document HtmlElement',
      'filter upcase',
      'end of if',
      'end of div',
      'end Document true',
    ])
  })

  test('reads other files, texts and the folder', async () => {
    const folder = site({
      ...CONTENTS,
      [PAGE]: "{% render 'part' %}",
      'app/views/partials/part.liquid': 'part',
      'notes.txt': 'notes',
      [SETTINGS]: 'require: ./reads.js\nReads: {}\n',
      'reads.js': moduleWith(
        'Reads',
        `async onCodePathEnd(file) {
          const { app, fs, toUri, fileExists, getDefaultTranslations, fileType } = context
          if (context.toRelativePath(file.uri) !== '${PAGE}') return
          const part = toUri('app/views/partials/part.liquid')
          const said = [
            app.get(part).source, app.get(part).fileType, app.partials().length, fileType(), app.get(toUri('app/translations/en.yml')).ast.type,
            await fileExists(part), await fileExists(toUri('app/none.liquid')), await fs.readFile(toUri('notes.txt')),
            (await fs.readDirectory(toUri('app'))).length, (await fs.stat(part)).size, (await getDefaultTranslations()).short,
            file.relativePath, app.get(part).ast instanceof Error,
          ]
          context.report({ message: said.join(' '), startIndex: 0, endIndex: 1 })
        }`,
      ),
    })
    expect(shown((await check(folder)).custom)).toEqual([
      `${PAGE}:1:1-2 error \`Reads\`: part Partial 1 Page Object true false notes 3 4 abc ${PAGE} true`,
    ])
  })

  test('gets no secrets of the environment', async () => {
    const folder = site({
      [PAGE]: 'x',
      [SETTINGS]: 'require: ./env.js\nEnv: {}\n',
      'env.js': moduleWith(
        'Env',
        `async onCodePathStart() { context.report({ message: JSON.stringify(process.env), startIndex: 0, endIndex: 0 }) }`,
      ),
    })
    const secrets = {
      INGOT_SECRET: 'hush',
      DATABASE_URL: 'postgres://hush',
      PGPASSWORD: 'hush',
      MPKIT_TOKEN: 'hush',
      GITHUB_TOKEN: 'hush',
      AWS_ACCESS_KEY_ID: 'hush',
    }
    const { out } = await ingot.run(['check', folder, '--format', 'json'], {
      env: { ...secrets, SHOWN: 'seen' },
      ownProcess: true,
    })
    expect(out).toContain('seen')
    expect(out).not.toContain('hush')
  })
})

test('the example of the guide reports what it says', async () => {
  const files = shownFiles(GUIDES).filter(({ page }) => page === 'guides/checks.html')
  const { [SETTINGS]: settings = '', 'checks/no-breaks.js': module = '' } = Object.fromEntries(
    files.map(({ path = '', text }) => [path, text]),
  )
  const folder = site({ [PAGE]: '<br><br>a<br>', [SETTINGS]: settings, 'checks/no-breaks.js': module })
  const { custom } = await check(folder)
  expect(shown(custom)).toEqual([`${PAGE}:1:10-14 warning \`NoBreaks\`: Write a paragraph.`])
  expect(custom[0]?.hint).toBe('Remove the element.')
})

test('500 files are checked in little time', async () => {
  const pages = Array.from({ length: 500 }, (_, at) => [
    `app/views/pages/p${at}.liquid`,
    `---\nslug: p${at}\n---\n<p>{{ 'a' | upcase }}<br>{% if context.params.a %}<br>{% endif %}</p>`,
  ])
  const folder = site({ ...HOUSE, ...Object.fromEntries(pages), [SETTINGS]: 'NoBreak: {}\n' })
  const { custom } = await check(folder, '--custom-check-seconds', '120')
  expect(custom).toHaveLength(1_000)
  expect(new Set(custom.map(({ file }) => file)).size).toBe(500)
}, 180_000)
