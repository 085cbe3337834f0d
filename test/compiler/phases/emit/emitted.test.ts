/**
 * The emitted code is valid TypeScript: the modules of every fixture pass `tsc --strict`, in one run. Also tests that faults name their
 * templates.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Compiled, type CompileOptions, compile, compileEarly } from '../../../../compiler/compile.ts'
import { bundle } from '../../../../compiler/phases/bundle/bundle.ts'
import { total } from '../../../../compiler/phases/emit/coverage.ts'
import { printModule } from '../../../../compiler/phases/emit/emit.ts'
import { createEngine, LiquidError } from '../../../../compiler/tools/engine.ts'
import { Memory } from '../../../../compiler/core/model/memo.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { createSourceLocator } from '../../../../runtime/page/locate.ts'
import { readCases, sourceFiles } from '../../../support/case-file.ts'
import { looseTypes } from '../../../support/loose-types.ts'
import { OPERATION_TYPES } from '../../../../compiler/phases/emit/operation.ts'
import { TypeCheck } from '../../../support/type-check.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const sites = join(root, 'fixtures/sites')

/** Returns the compiled fixtures by name, in both error modes. */
async function everything(): Promise<ReadonlyMap<string, Compiled>> {
  const all = new Map<string, Compiled>()
  const base = { syntax: 'lax', keepGoing: true } as const
  for (const site of readdirSync(sites, { withFileTypes: true }).filter((each) => each.isDirectory())) {
    const { files } = await discover(join(sites, site.name))
    // The two modes differ only in the emitted code, so the earlier phases run only once.
    const memo = new Memory()
    for (const raise of [true, false]) {
      const options: CompileOptions = { ...base, dialect: 'platform', openEntries: false, raise }
      all.set(`sites/${site.name}/${raise ? 'raise' : 'inline'}`, compileEarly(files, options, memo).compiledSite)
    }
  }
  for (const { name, files, options } of readCases()) {
    const { dialect = 'platform', syntax = 'lax' } = options
    const input = sourceFiles(files, dialect)
    const format = dialect === 'liquid' ? 'plain' : 'html'
    const memo = new Memory()
    for (const raise of dialect === 'liquid' ? [false] : [true, false]) {
      const mode = raise ? 'raise' : 'inline'
      const given: CompileOptions = { ...base, dialect, syntax, openEntries: true, raise, format }
      all.set(`cases/${name}/${mode}`, compileEarly(input, given, memo).compiledSite)
    }
  }
  return all
}

/** Returns templates whose types the compiler distinguishes in another way than TypeScript. */
function apart(): ReadonlyMap<string, Compiled> {
  const page = 'app/views/pages/index.liquid'
  const partials = [
    ['app/views/partials/nothing.liquid', '{% comment %}{% endcomment %}'],
    ['app/views/partials/setting.liquid', '{% assign a = 1 %}'],
  ]
  const templates = [
    // A counter whose variable is not set at first.
    '{% decrement a %}{% assign a = context.params.h | hash_except: context.params.k %}{{ a }}',
    '{% assign a = context.params.words | array_select %}{% increment a %}',
    '{% increment a %}{% assign a = context.params.words | compact %}{{ a }}',
    // TypeScript narrows a variable to the last assigned value.
    `{% function a = 'nothing' %}{% if "x {{ a }}<" == a %}{% assign a = context.params.b | type_of %}{% endif %}`,
    `{% function a = 'nothing' %}{% if a == 'b' %}{% assign a = context.params.b | type_of %}{% endif %}`,
    // The value has no type, although the filter has one. The partial sets only its argument.
    `{% assign a = context.params.h | hash_merge %}{% include 'setting', a: 2 %}`,
  ]
  const options: CompileOptions = { syntax: 'lax', keepGoing: true, dialect: 'platform', openEntries: false }
  const compiled = templates.map((template) =>
    compile(sourceFiles(Object.fromEntries([[page, template], ...partials]), 'platform'), options),
  )
  return new Map(compiled.map((each, at) => [`${APART}${at}`, each]))
}

const APART = 'apart/'

describe('emitted modules', () => {
  let fixtures: ReadonlyMap<string, Compiled> = new Map()
  let check: TypeCheck
  /** The errors of the type check of all fixtures. */
  let complaints: readonly string[] = []
  beforeAll(async () => {
    fixtures = await everything()
    check = new TypeCheck()
    for (const [name, compiled] of [...fixtures, ...apart()]) await check.add(name, compiled)
    complaints = await check.errors()
    return () => check.close()
  })

  it('pass the strict type check, of which nothing is kept', () => {
    expect(check.count).toBeGreaterThan(700)
    // Texts that are the same in both modes are read only once.
    const texts = new Map([...check.texts].map(([path, text]) => [text, path]))
    const loose = [...texts].flatMap(([text, path]) => looseTypes(text).map((each) => `${path}:${each}`))
    expect(loose.slice(0, 40)).toEqual([])
    expect(complaints.filter((line) => !line.startsWith(APART)).slice(0, 40)).toEqual([])
  })

  it('have no line over 120 characters in whole sites', () => {
    const long = [...check.texts].flatMap(([path, text]) =>
      path.startsWith('sites/') && !path.endsWith(OPERATION_TYPES)
        ? text.split('\n').flatMap((line) => (line.length > 120 ? [`${path}: ${line}`] : []))
        : [],
    )
    expect(long.slice(0, 10)).toEqual([])
  })

  it('pass it where types are told apart in other ways than TypeScript does', () => {
    expect(complaints.filter((line) => line.startsWith(APART))).toEqual([])
  })

  it.each([
    ['let a: any = 1', '1: any'],
    ['function f(...rest: readonly any[]) {}', '1: any'],
    ['const a = 1\nconst b = a as unknown', '2: as'],
    ['const a = <unknown>1', '1: a type assertion'],
    ['f(a!)', '1: a non-null assertion'],
    ['let a!: string', '1: a definite variable'],
    ['const a = 1 satisfies unknown', '1: satisfies'],
    ['const f = (a: unknown): a is string => true', '1: a type predicate'],
    ['declare const a: string', '1: declare'],
    [`// @ts-${'nocheck'}\nf()`, '1: a comment that silences'],
    [`f()\n// @ts-${'ignore'}\ng()`, '2: a comment that silences'],
    [`f(\n  /* @ts-${'expect-error'} */\n  a,\n)`, '2: a comment that silences'],
    [`const any: unknown = { as: '// @ts-${'ignore'}' }`, undefined],
  ])('that say %j would be found', (text, found) => {
    expect(looseTypes(text)).toEqual(found === undefined ? [] : [found])
  })

  it('go by types in most of the demo', () => {
    // The configuration of this site makes faults throw.
    const { total: all, typedCount } = total(fixtures.get('sites/marketplace/raise')?.coverage() ?? new Map())
    expect(all).toBeGreaterThan(3000)
    expect(typedCount / all).toBeGreaterThanOrEqual(0.6)
  })

  it('say on their first line where they come from', () => {
    for (const { modules } of fixtures.values()) {
      for (const module of modules)
        expect(printModule(module).text.split('\n')[0]).toBe(`// ${module.source ?? 'the site'}`)
    }
  })
})

describe('a fault', () => {
  const files = {
    'app/views/pages/index.liquid':
      '---\nslug: a\n---\n{% for i in list %}\n  {% render "cards/card", n: i %}\n{% endfor %}',
    'app/views/partials/cards/card.liquid': '<p>\n{% function r = "halve",\n  by: n %}\n{{ r }}</p>',
    'app/lib/halve.liquid': '{% liquid\n  assign x = 1\n  assign y = x | divided_by: by\n  return y\n%}',
  }
  const failing = (errors: 'raise' | 'inline') => createEngine({ files, errors })

  it('names the template and its line, and the files that led there', () => {
    const engine = failing('raise')
    const error = caught(() => engine.renderSync('app/views/pages/index.liquid', { list: [1, 0] }))
    expect(error).toMatchObject({ file: 'app/lib/halve.liquid', line: 3, message: 'divided by 0' })
    expect(error.frames).toEqual([
      { file: 'app/lib/halve.liquid', line: 3 },
      { file: 'app/views/partials/cards/card.liquid', line: 2 },
      { file: 'app/views/pages/index.liquid', line: 5 },
    ])
    expect(error.located).toBe('Liquid error (app/lib/halve.liquid:3): divided by 0')
  })

  it('does so behind an await', async () => {
    const engine = createEngine({
      files: { a: 'x\n{% cache k %}\n{% render "b", z: z %}{% endcache %}', b: '\n\n{{ 1 | divided_by: z }}' },
    })
    const error = await engine.render('a', { k: 'k', z: 0 }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ file: 'b', line: 3 })
  })

  it('is of its own file in a bundle, also where it fails before the first tag', async () => {
    const out = mkdtempSync(join(tmpdir(), 'ingot-emitted-'))
    const input = sourceFiles(
      {
        'app/views/pages/index.liquid': '{% render "a" %}{% include "b" %}',
        'app/views/partials/a.liquid': '\n\n{{ context.params.x }}',
        'app/views/partials/b.liquid':
          '\n{% if context.params.more %}{% include "b" %}{% endif %}{% for i in (1..2) %}{% render "a" %}{% endfor %}',
      },
      'platform',
    )
    const options: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }
    const { modules, operations } = compile(input, options)
    await bundle({ modules, files: input, operations, out })
    const map = JSON.parse(readFileSync(join(out, 'site.mjs.map'), 'utf8'))
    const places = createSourceLocator(
      () => map,
      (source) => source.slice(source.lastIndexOf('app/')),
    )
    // Each module has its map beside it.
    const module = readFileSync(join(out, 'modules/app/views/partials/a.ts'), 'utf8')
    expect(module.split('\n').at(-2)).toBe('//# sourceMappingURL=a.ts.map')
    const moduleMap = JSON.parse(readFileSync(join(out, 'modules/app/views/partials/a.ts.map'), 'utf8'))
    expect(moduleMap.sources).toContain('../../../../../app/views/partials/a.liquid')
    const lines = readFileSync(join(out, 'site.mjs'), 'utf8').split('\n')
    const entered = lines.flatMap((line, at) =>
      line.includes('r.enter()') ? [places.find('site.mjs', at + 1, line.indexOf('enter') + 1)] : [],
    )
    rmSync(out, { recursive: true })
    expect(entered.length).toBeGreaterThan(0)
    for (const place of entered) expect(place).toEqual({ file: 'app/views/partials/b.liquid', line: 2 })
  })

  it('is one of a limit too', () => {
    const engine = createEngine({
      files: { a: '\n{% for i in (1..1000000) %}{{ i }}{% endfor %}' },
      limits: { steps: 5000 },
    })
    expect(caught(() => engine.renderSync('a'))).toMatchObject({ file: 'a', line: 2, limit: 'steps' })
  })
})

function caught(run: () => unknown): LiquidError {
  try {
    run()
  } catch (error) {
    if (error instanceof LiquidError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
