/** The guide for contributors is correct: each addition is one file and one line in a registry, and the commands exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { KINDS } from '../../compiler/language/settings/index.ts'
import type { SettingKeys } from '../../compiler/language/settings/setting.ts'
import { product } from './sources.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = (path: string) => readFileSync(root + path, 'utf8')
const filesBelow = (folder: string): readonly string[] =>
  readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)

const guide = text('.github/CONTRIBUTING.md')

/** The rows of the guide's first table: the kind of addition, the pattern of its file, and the registry that has a line for it. */
const rows = [...guide.matchAll(/^\| (an? [^|]+) \| `([^`]+)` \| `([^`]+)` \|$/gm)].map(
  ([, what = '', file = '', registry = '']) => ({ what, file, registry }),
)

/** Files next to registered ones that are not registered themselves: contracts, and shared helpers. */
const HELPERS: Readonly<Record<string, readonly string[]>> = {
  'compiler/language/tags': ['arguments', 'counting', 'dish-files', 'options', 'scored', 'tag'],
  'runtime/page/filters': ['array/distinct', 'translation/lookup', 'translation/translate', 'web/clean'],
  'runtime/data/forms/validators': ['among', 'moments', 'options', 'pattern', 'validator'],
}

/** Returns whether a file in the folder of filters exports a function with the file's name. Other files are shared helpers. */
function isFilter(path: string): boolean {
  const name = /(\w+)\.ts$/.exec(path)?.[1]
  return new RegExp(`^export (?:async )?(?:function|const) ${name}_?\\b|^export \\{[^}]*\\b${name}_?\\b`, 'm').test(
    text(path),
  )
}

describe('the guide for contributors', () => {
  it('has a row for each kind of thing that is added', () => {
    expect(rows.map(({ what }) => what)).toEqual([
      'a tag',
      'a filter',
      'a diagnostic of the parser, settings or links',
      'a rule about templates',
      'a field of GraphQL',
      'a validation of forms',
      'a resource of the REST API',
    ])
  })

  it.each(rows)('is right that $what is one file and one line', ({ file, registry }) => {
    const folder = file.slice(0, file.indexOf('/<'))
    const form = new RegExp(`^${file.replaceAll('.', '\\.').replace(/<\w+>/g, '[^/]+')}$`)
    const helpers = new Set((HELPERS[folder] ?? []).map((name) => `${folder}/${name}.ts`))
    const candidates = filesBelow(folder).filter(
      (path) => form.test(path) && path !== registry && (folder !== 'runtime/page/filters' || isFilter(path)),
    )
    expect([...helpers].filter((path) => !candidates.includes(path))).toEqual([])

    const here = registry.slice(0, registry.lastIndexOf('/'))
    const lines = text(registry)
      .split('\n')
      .filter((line) => /^(?:export|import)\b/.test(line))
    const registered = lines.map((line) => {
      const from = /^export (?:\{.+\}|\* as \w+) from '\.\/(.+)'$/.exec(line)?.[1]
      return from === undefined ? `not one line of its own: ${line}` : `${here}/${from}`
    })
    expect(registered.length).toBeGreaterThan(3)
    const entries = candidates.filter((path) => !helpers.has(path))
    // This also finds a helper file that is registered by mistake.
    expect(registered.toSorted()).toEqual(entries.toSorted())
  })

  it('is right that a setting is read where it is declared', () => {
    const files = filesBelow('compiler/language/settings').map((path) => ({
      name: path.split('/').at(-1) ?? '',
      body: text(path),
    }))
    for (const [kind, reader] of Object.entries(KINDS)) {
      if (!('kind' in reader)) continue
      const keys: SettingKeys = reader.kind.keys
      const own = files.filter(({ body }) => body.includes(`'${reader.kind.description.replaceAll("'", "\\'")}'`))
      expect(own.length, kind).toBe(1)
      // Emails, text messages and API calls share entries, which are in a file that their files import.
      const around = files.filter((file) => own.includes(file) || own[0]?.body.includes(`'./${file.name}'`))
      const somewhere = (pattern: string) => around.some(({ body }) => new RegExp(pattern, 'm').test(body))
      const readHere = (name: string) => somewhere(`^ {2}${name}: `) && somewhere(`\\w\\((?:'\\w+', )*'${name}'`)
      const current = Object.entries(keys).filter(([, key]) => key.unread !== true && key.ignored !== true)
      expect(current.filter(([name]) => !readHere(name)).map(([name]) => `${kind}: ${name}`)).toEqual([])
    }
  })

  it('is right that a setting of pages is in four files', () => {
    const listed = [...guide.matchAll(/^ {4}(\S+\.ts)$/gm)].map((found) => found[1])
    // The query `pages` has a field with the same name. It is in `runtime/data`, which is left out here.
    const rooms = ['compiler', 'runtime/page', 'server'].flatMap(filesBelow)
    expect(listed.length).toBe(4)
    expect(rooms.filter((path) => /\bsearchable\b/.test(text(path))).toSorted()).toEqual(listed.toSorted())
  })

  it('is right about the file of each common change', () => {
    const changes = [...guide.matchAll(/^\| [^|]+ \| `([^`|]+)` \| `(\w+)` \|$/gm)]
    expect(changes.length).toBeGreaterThanOrEqual(10)
    for (const [, file = '', name = ''] of changes) {
      const definition = (prefix: string) =>
        product.filter(({ text: body }) => new RegExp(`^${prefix}(?:const|function) ${name}\\b`, 'm').test(body))
      const exported = definition('export ')
      const found = exported.length > 0 ? exported : definition('')
      expect(
        found.map(({ path }) => path),
        name,
      ).toEqual([file])
    }
  })

  it('lists commands that there are', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
    const commands = [...guide.matchAll(/^\| `npm (?:run )?(\w+)`/gm)].map((found) => found[1] ?? '')
    expect(commands.length).toBeGreaterThan(5)
    expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
    for (const [, name = ''] of guide.matchAll(/`node build\.mjs (\w+)`/g))
      expect(text('build.mjs')).toContain(`command === '${name}'`)
  })

  it('names files and folders that are there', () => {
    const paths = [...guide.matchAll(/`((?:\.ci|compiler|fixtures|runtime|server|test)\/[\w./-]+)`/g)].map(
      (found) => found[1] ?? '',
    )
    expect(paths.length).toBeGreaterThan(15)
    expect(paths.filter((path) => !existsSync(root + path))).toEqual([])
    const links = [...guide.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map((found) => found[1] ?? '')
    expect(links.filter((path) => !existsSync(root + path))).toEqual([])
  })
})

describe('the workflow', () => {
  const workflow = parse(text('.github/workflows/ci.yml')) as {
    readonly jobs: Readonly<
      Record<
        string,
        {
          readonly 'runs-on': string
          readonly strategy: { readonly matrix: { readonly node: readonly string[] } }
          readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
        }
      >
    >
  }

  it('runs what a change must pass, on the oldest Node that is supported and on newer ones', () => {
    const { engines } = JSON.parse(text('package.json')) as { engines: { node: string } }
    for (const { steps, strategy, 'runs-on': system } of Object.values(workflow.jobs)) {
      expect(system).toMatch(/^ubuntu-\d+\.\d+$/)
      expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/run'])
      expect(strategy.matrix.node[0]).toBe(engines.node.replace('>=', ''))
      expect(strategy.matrix.node.length).toBeGreaterThan(1)
    }
  })
})
