/** The rules of the project for single files: their lengths, names, packages and words. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { everything, product, root, type SourceText, wings } from './sources.ts'

describe('files', () => {
  it('have at most 500 lines', () => {
    const long = product
      .filter(({ path, text }) => text.split('\n').length > 500 && !path.endsWith('.generated.ts'))
      .map(({ path }) => path)
    expect(long).toEqual([])
  })

  it('open with what they are for', () => {
    const silent = product.filter(({ text }) => !/^(?:#!.*\n)?(?:\/\*\*|\/\/)/.test(text)).map(({ path }) => path)
    expect(silent).toEqual([])
  })

  it('are named in kebab-case, or as what an author types', () => {
    expect(
      everything
        .map(({ path }) => path)
        .filter(
          (path) =>
            !/^[a-z0-9/.-]+$/.test(path) &&
            !/^(?:compiler\/language\/(?:tags|settings)|runtime\/(?:page\/filters\/[a-z]+|data\/query\/fields))\/[a-z0-9_]+\.ts$/.test(
              path,
            ),
        ),
    ).toEqual([])
  })

  it('have no twin for another platform: programs pass what differs', () => {
    expect(everything.map(({ path }) => path).filter((path) => /\.(?:browser|node)\.\w+$/.test(path))).toEqual([])
  })

  it('export names only', () => {
    expect(
      product
        .filter(({ path, text }) => /^export default\b/m.test(text) && path !== 'server/bin.mjs')
        .map(({ path }) => path),
    ).toEqual([])
    expect(
      product
        // Texts in the language of GraphQL schemas have enums.
        .filter(({ path }) => !path.startsWith('runtime/data/query/sdl/'))
        .filter(({ text }) => /^(?:export )?(?:const )?(?:enum|namespace) \w/m.test(text))
        .map(({ path }) => path),
    ).toEqual([])
  })

  it('write import paths out', () => {
    expect(
      everything.flatMap(({ path, imports }) =>
        imports
          .filter((target) => !/\.(?:ts|mjs|json|md|css|html)$/.test(target))
          .map((target) => `${path} imports ${target}`),
      ),
    ).toEqual([])
  })

  it('keep no finding of the type checker quiet', () => {
    const quiet = new RegExp(`@ts-(?:${['ig' + 'nore', 'no' + 'check', 'expect-' + 'error'].join('|')})`)
    const loose = /@(?:type|param|returns|typedef) \{[^\n}]*(?:\bany\b|\*\})/
    const scripts = ['build.mjs'].map((path) => ({
      path,
      text: readFileSync(join(root, path), 'utf8'),
    }))
    const texts = [...everything, ...scripts]
    expect(texts.filter(({ text }) => quiet.test(text)).map(({ path }) => path)).toEqual([])
    const plain = texts.filter(({ path }) => path.endsWith('.mjs'))
    expect(plain.filter(({ text }) => loose.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('promise nothing for later', () => {
    const marker = new RegExp(
      `\\b(?:${['TO', 'FIX', 'XX'].map((begin, at) => begin + ['DO', 'ME', 'X'][at]).join('|')})\\b|\\b(?:it|describe|test)\\.(?:only|todo)\\b`,
    )
    expect(everything.filter(({ text }) => marker.test(text)).map(({ path }) => path)).toEqual([])
  })
})

describe('SQL', () => {
  const ROOM = 'runtime/data/sql/sql.ts'

  it('is handed to the client in one place', () => {
    const naming = product.filter(({ text }) => /\bunsafe\b(?!-)/.test(text))
    // Sessions of transactions wrap the client, so they also name its method.
    expect(naming.map(({ path }) => path)).toEqual([
      'server/data/store/send.ts',
      'server/data/store/transaction-session.ts',
      'server/tools/testing/test-connection.ts',
    ])
    const calling = naming.filter(({ text }) => /\.\s*unsafe\b/.test(text))
    expect(calling.map(({ path }) => path)).toEqual(['server/data/store/send.ts'])
  })

  it('is written between backticks: its tags are never called with a text that was made elsewhere', () => {
    const using = product.filter(({ imports }) => imports.includes(ROOM))
    const called = using.flatMap(({ path, text }) =>
      tagsIn(text)
        .filter((tag) => new RegExp(`(?<![.\\w])${tag}\\s*\\(`).test(withoutMethods(text)))
        .map((tag) => `${path} calls ${tag}`),
    )
    expect(using.length).toBeGreaterThan(30)
    expect(called).toEqual([])
    const templates = product.filter(({ path, text }) => path !== ROOM && /\bTemplateStringsArray\b/.test(text))
    expect(templates.map(({ path }) => path)).toEqual([])
  })

  /** Removes methods that have the name of an SQL tag, such as `sql(form: Form): Sql` and `sql(build) {`. */
  function withoutMethods(text: string): string {
    return text.replace(/^ +\w+\([^()]*\)(?:: \w+| \{)$/gm, '')
  }

  /** Returns the names under which a file imports the tags that build SQL. */
  function tagsIn(text: string): readonly string[] {
    const names = [...text.matchAll(/\bimport \{([^}]*)\} from '[^']*\/sql\/sql\.ts'/g)].map(([, list = '']) => list)
    const tags = names.join(',').matchAll(/(?<=^|,)\s*(sql|raw)(?: as (\w+))?\s*(?=,|$)/g)
    return [...tags].map(([, tag = '', alias = tag]) => alias)
  }
})

describe('packages', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'optionalDependencies' | 'devDependencies',
    Record<string, string>
  >
  // Bundled packages are not installed with the package, so they are development dependencies.
  const versions = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies }
  const packageOf = (name: string) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/')
  const external = ({ packages }: SourceText) =>
    // `$` begins a placeholder in an example of the reference.
    packages.filter((name) => !/^(?:node:|[#$])/.test(name)).map(packageOf)

  it('are all named with an exact version', () => {
    const unknown = product.flatMap((file) =>
      external(file)
        // The editor brings its own module to its extensions.
        .filter((name) => !Object.hasOwn(versions, name) && name !== 'vscode')
        .map((name) => `${file.path} imports ${name}`),
    )
    expect(unknown).toEqual([])
    for (const [name, version] of Object.entries(versions))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[a-z0-9.]+)?$/)
  })

  it('are few in the runtime', () => {
    const values = wings.runtime.filter(({ path }) => !path.startsWith('runtime/page/filters/'))
    const planner = values.filter(({ path }) => path.startsWith('runtime/data/query/'))
    const forms = values.filter(({ path }) => path.startsWith('runtime/data/forms/'))
    const regex = values.filter(({ path }) => path.startsWith('runtime/page/regex/'))
    const browser = values.filter(({ path }) => path.startsWith('runtime/page/browser/'))
    const named = new Set([...planner, ...forms, ...regex, ...browser])
    expect(values.filter((file) => !named.has(file)).flatMap(external)).toEqual([])
    expect([...new Set(regex.flatMap(external))]).toEqual(['re2js'])
    expect([...new Set(browser.flatMap(external))]).toEqual(['@noble/hashes'])
    expect([...new Set(planner.flatMap(external))]).toEqual(['graphql'])
    expect([...new Set(forms.flatMap(external))].toSorted()).toEqual(['libphonenumber-js'])
  })
})

describe('words', () => {
  // The words are split into pieces, so that this file does not contain them.
  const foreign = [
    ['/wo', 'rk/'],
    ['/ro', 'ot/'],
    ['/ho', 'me/'],
    ['/Us', 'ers/'],
    ['registry', '.npmjs'],
    ['local', 'host:4873'],
    ['arti', 'factory'],
    ['claude', '.ai'],
    ['anth', 'ropic'],
    ['open', 'ai.com'],
  ].map((pieces) => pieces.join(''))

  /** Returns texts that are not code: pages, fixtures, settings. */
  function others(folder: string): readonly { readonly path: string; readonly text: string }[] {
    const entries = readdirSync(join(root, folder), { withFileTypes: true })
    return entries.flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) return /^(?:\.git|node_modules|dist|\.ingot)$/.test(entry.name) ? [] : others(path)
      return /\.(?:md|json|liquid|yml|case|txt|svg|css|js|mjs|html|graphql)$/.test(path) && path !== 'package-lock.json'
        ? [{ path, text: readFileSync(join(root, path), 'utf8') }]
        : []
    })
  }

  it('of the places where the project is made stand nowhere', () => {
    const found = [...everything, ...others('')].flatMap(({ path, text }) =>
      foreign.filter((word) => text.includes(word)).map((word) => `${path}: ${word}`),
    )
    expect(found).toEqual([])
  })

  it('tell no numbers of issues', () => {
    const found = product
      .filter(({ text }) =>
        /(?:\bissues?|\bPR|\bpull request|\bticket)\s*#?\d+|\bGH-\d+|(?<![\w&`'"/(])#\d{2,}\b/i.test(text),
      )
      .map(({ path }) => path)
    expect(found).toEqual([])
  })
})
