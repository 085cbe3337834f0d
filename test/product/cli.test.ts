/**
 * Tests the command line: output and exit codes. Each command runs at least once in a process of its own, as users run it. The others run in
 * processes that have run commands before.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ABI } from '../../runtime/page/site.ts'
import { type CommandResult, waitForExit, product, write } from '../support/product.ts'

const ingot = product()
/** Runs a command in a process of its own. */
const ALONE = { ownProcess: true }
/** The files at the root of a new site. */
const NEW = ['.gitignore', 'AGENTS.md', 'app', 'seed']
/** The folder of a small site without diagnostics, as `ingot init` wrote it. */
let kitchen = ''

beforeAll(async () => {
  const parent = ingot.folder()
  kitchen = join(parent, 'kitchen')
  expect(await ingot.run(['init', 'kitchen'], { cwd: parent, ...ALONE })).toMatchObject({ code: 0, err: '' })
  // All commands of the product share a database, so its rows exist for every copy of the site.
  const sown = site()
  expect(await ingot.run(['build', sown], ALONE)).toMatchObject({ code: 0 })
  expect(await ingot.run(['data', 'seed', sown], ALONE)).toMatchObject({ code: 0 })
})

afterAll(() => ingot.clean())

/** Returns the folder of a copy of the site, with other files added. */
function site(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = ingot.folder()
  cpSync(kitchen, folder, { recursive: true })
  write(folder, files)
  return folder
}

/** Returns the files of a folder with their texts. Two builds with equal contents are the same. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const paths = files.map((each) => join(each.parentPath, each.name))
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]))
}

const BROKEN = {
  'app/views/pages/filter.liquid': "<p>one</p>\n{{ 'a' | upcas }}\n",
  'app/views/pages/open.liquid': '<p>one</p>\n{% if true %}\n<p>two</p>\n',
  'app/views/pages/half.liquid': "<p>half</p>{% if context.params.x %}{% render 'nowhere' %}{% endif %}\n",
}

describe('a new site', () => {
  test('is clean, builds, and is not written over', async () => {
    const before = contents(kitchen)
    const [check, again] = await Promise.all([ingot.run(['check', kitchen], ALONE), ingot.run(['init', kitchen])])
    expect(check).toEqual({
      code: 0,
      out: `No problems in ${Object.keys(before).filter((path) => path.startsWith(join(kitchen, 'app'))).length} files.\n`,
      err: '',
    })
    expectSentence(again, 'already holds a site')
    // A check caches its findings for the next one.
    expect(readdirSync(join(kitchen, '.ingot'))).toEqual(['cache'])
    rmSync(join(kitchen, '.ingot'), { recursive: true })
    expect(contents(kitchen)).toEqual(before)
    const dir = site()
    const built = await ingot.run(['build'], { cwd: dir })
    expect(built).toMatchObject({ code: 0, err: '' })
    expect(built.out).toMatch(/^Built 4 templates into \.ingot in \d+\.\d s\.\n$/)
    expect(readdirSync(dir)).not.toContain(expect.stringMatching(/^\.ingot-/))
  })
})

describe('a site with errors', () => {
  test('is refused with code 1, and the build that was there stays', async () => {
    const dir = site()
    expect((await ingot.run(['build', dir])).code).toBe(0)
    const before = contents(join(dir, '.ingot'))
    write(dir, BROKEN)
    const built = await ingot.run(['build', dir])
    expect(built).toMatchObject({ code: 1, out: '' })
    expect(built.err).toContain('app/views/pages/filter.liquid:2:10  error  unknown-filter')
    expect(built.err).toContain('did you mean `upcase`?')
    expect(built.err).toContain('Nothing was built.')
    expect(built.err).not.toContain('\u001b')
    expect(contents(join(dir, '.ingot'))).toEqual(before)
    expect(readdirSync(dir).sort()).toEqual(['.gitignore', '.ingot', 'AGENTS.md', 'app', 'seed'])
  })

  test('is reported in four formats', async () => {
    const dir = site(BROKEN)
    const [text, json, github, sarif] = await Promise.all(
      ['text', 'json', 'github', 'sarif'].map((format) => ingot.run(['check', dir, '--format', format])),
    )
    for (const each of [text, json, github, sarif]) expect(each).toMatchObject({ code: 1, err: '' })
    expect(text?.out).toMatch(/^3 errors in 3 files$/m)

    const list = JSON.parse(json?.out ?? '') as unknown[]
    expect(list).toHaveLength(3)
    expect(list[0]).toEqual({
      code: 'unknown-filter',
      severity: 'error',
      message: 'There is no filter named `upcas`.',
      hint: 'Did you mean `upcase`?',
      check: 'UnknownFilter',
      file: 'app/views/pages/filter.liquid',
      line: 2,
      column: 10,
      endLine: 2,
      endColumn: 15,
      related: [],
      fix: {
        title: 'Write `upcase`',
        safe: true,
        edits: [
          {
            file: 'app/views/pages/filter.liquid',
            ...{ start: 20, end: 25, line: 2, column: 10, endLine: 2, endColumn: 15 },
            text: 'upcase',
          },
        ],
      },
    })

    const commands = (github?.out ?? '').trim().split('\n')
    expect(commands).toHaveLength(3)
    for (const line of commands)
      expect(line).toMatch(
        /^::error file=app\/views\/pages\/\w+\.liquid,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=[a-z-]+::\S.*$/,
      )

    const log = JSON.parse(sarif?.out ?? '') as Sarif
    expect(log.version).toBe('2.1.0')
    const { results, tool } = log.runs[0]!
    expect(results.map((result) => result.ruleId).sort()).toEqual(['missing-partial', 'unclosed-tag', 'unknown-filter'])
    for (const result of results) {
      expect(result.level).toBe('error')
      expect(result.locations[0]!.physicalLocation.artifactLocation.uri).toMatch(/^app\/views\/pages\/\w+\.liquid$/)
      expect(tool.driver.rules.map((rule) => rule.id)).toContain(result.ruleId)
    }
  })

  test('tells by --stats how much goes by types', async () => {
    const dir = site({
      'app/views/pages/index.liquid': "{% assign a = 1 | plus: 2 %}{{ a }}{{ context.params.b | append: 'c' }}",
    })
    const { out } = await ingot.run(['build', dir, '--stats'])
    expect(out).toMatch(/^variable +\d+ of +\d+ +\d+ %\nproperty +\d+ of +\d+ +\d+ %\nfilter +\d+ of +\d+ +\d+ %$/m)
    expect(out).toMatch(/^arithmetic +1 of +1 +100 %\nall +\d+ of +\d+ +\d+ %$/m)
  })

  test('is built by --keep-going: the good pages are served, the others fail at their places', async () => {
    const dir = site(BROKEN)
    const out = join(ingot.folder(), 'elsewhere')
    const built = await ingot.run(['build', dir, '--keep-going', '--out', out])
    expect(built.code).toBe(0)
    expect(built.err).toMatch(/^3 errors in 3 files$/m)
    expect(existsSync(join(dir, '.ingot'))).toBe(false)
    const { url, stop } = await ingot.serve(['serve', dir, '--out', out], { env: { INGOT_ENV: 'development' } })
    const get = async (path: string): Promise<readonly [number, string]> => {
      const reply = await fetch(url + path)
      return [reply.status, await reply.text()]
    }
    expect(await get('/')).toEqual([200, expect.stringContaining('Tomato soup')])
    expect(await get('/dishes/2')).toEqual([200, expect.stringContaining('Baked trout')])
    expect(await get('/half')).toEqual([200, expect.stringContaining('<p>half</p>')])

    const [status, unclosed] = await get('/open')
    expect(status).toBe(500)
    expect(unclosed).toContain('The tag `if` is never closed.')
    expect(unclosed).toContain('app/views/pages/open.liquid:2')
    const [, filter] = await get('/filter')
    expect(filter).toContain('unknown filter upcas')
    expect(filter).toContain('app/views/pages/filter.liquid:2')
    const [, half] = await get('/half?x=1')
    expect(half).toContain('find partial nowhere')
    expect(half).toContain('app/views/pages/half.liquid:1')
    expect(await stop()).toBe(0)
  })
})

interface Sarif {
  readonly version: string
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
    readonly results: readonly {
      readonly ruleId: string
      readonly level: string
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } }
      }[]
    }[]
  }[]
}

describe('the folder of a build', () => {
  test('that a killed build left half-written has another name, and the next build clears it away', async () => {
    // The site compiles quickly, but takes long to write.
    const assets = Array.from({ length: 1000 }, (_, at) => [`app/assets/${at}.txt`, `asset ${at}`])
    const dir = site(Object.fromEntries(assets))
    const out = join(dir, '.ingot')
    // The old files have other contents than the build, so that it is visible who wrote each of them.
    write(out, { 'manifest.json': '"old"', 'site.mjs': 'old', 'modules/a.ts': 'old' })
    // The compiler's cache is not a part of the build.
    const built = () => Object.entries(contents(out)).filter(([path]) => !path.startsWith(join(out, 'cache/')))
    const before = built()
    const child = ingot.begin(['build', dir])
    const end = waitForExit(child)
    const half = (): string | undefined => readdirSync(dir).find((name) => name.startsWith('.ingot-'))
    while (half() === undefined && child.exitCode === null) await sleep(1)
    child.kill('SIGKILL')
    await end
    expect(child.signalCode).toBe('SIGKILL')
    expect(half()).toMatch(/^\.ingot-\d+-\w+$/)
    expect(built()).toEqual(before)

    expect(await ingot.run(['build', dir])).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(dir).filter((name) => name.startsWith('.ingot'))).toEqual(['.ingot'])
    expect(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))).toMatchObject({ abi: ABI })
  })

  test('takes the place of an earlier build only', async () => {
    const dir = site()
    const notes = ingot.folder({ 'notes.txt': 'mine' })
    const [self, other, file] = await Promise.all(
      [dir, notes, join(notes, 'notes.txt')].map((out) => ingot.run(['build', dir, '--out', out])),
    )
    expectSentence(self, 'holds other files')
    expectSentence(other, 'holds other files')
    expectSentence(file, 'is not a folder')
    expect(readdirSync(dir).sort()).toEqual(NEW)
    expect(contents(notes)).toEqual({ [join(notes, 'notes.txt')]: 'mine' })
  })

  test('is whole after two builds at the same moment', async () => {
    const dir = site()
    const both = await Promise.all([ingot.run(['build', dir]), ingot.run(['build', dir])])
    for (const built of both) expect(built).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(dir).sort()).toEqual(['.gitignore', '.ingot', 'AGENTS.md', 'app', 'seed'])
    expect(readdirSync(join(dir, '.ingot')).sort()).toEqual([
      '.gitignore',
      'assets',
      'manifest.json',
      'modules',
      'site.mjs',
      'site.mjs.map',
      'sources.json',
    ])
  })
})

describe('explain', () => {
  test('shows a wrong and a right example', async () => {
    const { code, out, err } = await ingot.run(['explain', 'unknown-filter'], ALONE)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^unknown-filter \(error\)\n[\s\S]*\nWrong:\n {4}\S[\s\S]*\nRight:\n {4}\S/)
  })

  test('knows the name that was meant', async () => {
    expectSentence(await ingot.run(['explain', 'unknown-filtr']), "did you mean 'unknown-filter'?")
  })
})

describe('what cannot run ends with code 2, one sentence and no stack', () => {
  const manifest = (abi: number): string => JSON.stringify({ abi, builtBy: '0.0.1', createdAt: '' })

  test('a folder that is not there, or no folder, or no site', async () => {
    const file = join(ingot.folder({ 'a.txt': 'text' }), 'a.txt')
    const empty = ingot.folder()
    const cases: [string[], string][] = [
      [['check', '/nowhere/at/all'], "There is no folder '/nowhere/at/all'"],
      [['build', '/nowhere/at/all'], "There is no folder '/nowhere/at/all'"],
      [['dev', '/nowhere/at/all'], "There is no folder '/nowhere/at/all'"],
      [['check', file], 'belongs to no site'],
      [['init', file], 'is not a folder'],
      [['build', empty], 'There is no site'],
      [['serve', empty], 'Nothing is built'],
    ]
    await inTurn(cases, async ([args, words]) => expectSentence(await ingot.run(args), words))
    expect(readdirSync(empty)).toEqual([])
  })

  test('options and commands that do not exist', async () => {
    const cases: [string[], string][] = [
      [['check', '--fromat', 'json'], "'--fromat'"],
      [['check', kitchen, '--format', 'yaml'], "There is no format 'yaml'"],
      [['build', kitchen, '--out'], '--out'],
      [['check', kitchen, kitchen], 'takes one folder'],
      [['init'], 'takes one DIR'],
    ]
    await inTurn(cases, async ([args, words]) => expectSentence(await ingot.run(args), words))
  })

  test('files that cannot be read', async () => {
    const dir = site()
    symlinkSync('again', join(dir, 'app/again'))
    symlinkSync('..', join(dir, 'app/views/up'))
    symlinkSync('nothing.liquid', join(dir, 'app/views/pages/gone.liquid'))
    expect(await ingot.run(['build', dir])).toEqual({
      code: 2,
      out: '',
      err: [
        "'app/again': it is a symbolic link that leads back to itself; fix or remove it.",
        "'app/views/pages/gone.liquid': it is a broken symbolic link; fix or remove it.",
        "'app/views/up': it is a symbolic link to a folder that contains it; fix or remove it.",
        '',
      ].join('\n'),
    })
    expect(readdirSync(dir).sort()).toEqual(NEW)
  })

  test('links out of the site, unless the person allows where they lead', async () => {
    const elsewhere = ingot.folder({ 'parts/card.liquid': 'shared', 'seed.json': '{}' })
    const dir = site({ 'app/views/pages/cards.liquid': "{% render 'shared/card' %}" })
    symlinkSync(join(elsewhere, 'parts'), join(dir, 'app/views/partials/shared'))
    const problem =
      /^'app\/views\/partials\/shared': it is a link to '.*\/parts', outside of the site: .* INGOT_LINKS.*\n$/
    for (const command of ['check', 'build', 'format', 'routes'])
      expect(await ingot.run([command, dir], ALONE)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(problem),
      })
    expect(existsSync(join(dir, '.ingot/build'))).toBe(false)
    const env = { INGOT_LINKS: join(elsewhere, 'parts') }
    expect(await ingot.run(['build', dir], { env })).toMatchObject({ code: 0 })
    // The site itself must not be able to allow links.
    writeFileSync(join(dir, '.env'), `INGOT_LINKS=${elsewhere}\n`)
    expect(await ingot.run(['build', dir])).toMatchObject({ code: 2 })
    symlinkSync(join(elsewhere, 'seed.json'), join(dir, 'seed/more.json'))
    expect(await ingot.run(['data', 'seed', dir], { env })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/more\.json' is a link to '.*seed\.json'/),
    })
  })

  test('a file of another encoding is one message at the file, and the rest is checked', async () => {
    const latin = Uint8Array.from([0x63, 0x61, 0x66, 0xe9])
    const dir = site({
      'app/views/pages/old.liquid': latin,
      'app/views/pages/fine.liquid': "{% render 'note' %}{% render 'deep' %}{{ 'x' | nothing }}{{ 'own.text' | t }}",
      'app/views/pages/asks.liquid':
        "{% graphql g = 'ask' %}{{ g.errors.size }} errors{% graphql d = 'dishes' %}{{ d.records.results[0].name }}",
      'app/views/partials/note.liquid': latin,
      'app/views/partials/deep.liquid': 'deep',
      'app/views/partials/unused.liquid': latin,
      'app/graphql/ask.graphql': latin,
      'app/graphql/dishes.graphql':
        'query { records(per_page: 1, filter: { table: { value: "plate" } }) { results { name: property(name: "name") } } }',
      'app/schema/plate.yml': latin,
      'app/translations/en.yml': latin,
    })
    const { code, out } = await ingot.run(['check', dir, '--format', 'json'])
    expect(code).toBe(1)
    const said = JSON.parse(out) as { file: string; code: string; severity: string }[]
    const at = (ending: string) =>
      said.filter(({ file }) => file.endsWith(ending)).map((each) => [each.code, each.severity])
    for (const path of ['pages/old.liquid', 'note.liquid', 'ask.graphql', 'plate.yml', 'en.yml'])
      expect(at(path), path).toEqual([['unreadable-file', 'error']])
    // An unreadable file that nothing uses does not prevent a build.
    expect(at('unused.liquid')).toEqual([['unreadable-file', 'warning']])
    expect(at('fine.liquid')).toEqual([['unknown-filter', 'error']])
    expect(at('asks.liquid')).toEqual([])
    expect(await ingot.run(['build', dir])).toMatchObject({ code: 1 })
    expect(await ingot.run(['build', dir, '--keep-going'])).toMatchObject({ code: 0 })
    const server = await ingot.serve(['serve', dir], { env: { INGOT_ENV: 'development' } })
    const ask = async (path: string) => {
      const reply = await fetch(server.url + path)
      return [reply.status, await reply.text()] as const
    }
    for (const path of ['/old', '/fine'])
      expect(await ask(path)).toEqual([500, expect.stringContaining('This file cannot be read: it is not UTF-8 text.')])
    // Failed queries have `errors` in their results.
    expect(await ask('/asks')).toEqual([200, expect.stringContaining('1 errors')])
    expect((await ask('/'))[0]).toBe(200)
    await server.stop()
  })

  test('a build of another version, and one that was damaged', async () => {
    const other = site({ '.ingot/manifest.json': manifest(ABI + 1), '.ingot/site.mjs': '' })
    const damaged = site({ '.ingot/manifest.json': '{', '.ingot/site.mjs': '' })
    const broken = site({ '.ingot/manifest.json': manifest(ABI), '.ingot/site.mjs': 'export default (' })
    const cases: [string, string][] = [
      [other, `was built by Ingot 0.0.1 in format ${ABI + 1}, and this server reads format ${ABI}: run`],
      [damaged, 'is damaged: run'],
      [broken, 'does not load'],
    ]
    await inTurn(cases, async ([dir, words]) => expectSentence(await ingot.run(['serve', dir]), words))
  })

  test('a port in use', async () => {
    const dir = site()
    await ingot.run(['build', dir])
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const words = `Port ${port} is in use already`
    await inTurn(['serve', 'dev'], async (command) => {
      // By then, the compiler of `dev` may have printed that it has built the site. This output is ignored.
      const told = await ingot.run([command, dir, '--port', String(port)])
      expectSentence({ ...told, out: '' }, words)
    })
    await new Promise((done) => other.close(done))
  })

  // Root can read everything, so the command runs as another user if that user can read the project's files.
  const nobody = process.getuid?.() === 0 ? 65_534 : undefined
  const able = process.platform !== 'win32' && (nobody === undefined || runsAs(nobody))
  test.skipIf(!able)(
    `a folder that may not be read${able ? '' : ' (left out: this user may read everything)'}`,
    async () => {
      const dir = site()
      chmodSync(dir, 0o755)
      chmodSync(join(dir, 'app/graphql'), 0)
      const options = nobody === undefined ? {} : { uid: nobody }
      try {
        expectSentence(await ingot.run(['check', dir], options), "'app/graphql': there is no permission to read it")
        chmodSync(join(dir, 'app/graphql'), 0o755)
        chmodSync(dir, 0o555)
        expectSentence(await ingot.run(['build', dir], options), 'cannot be read or written: change its permissions')
      } finally {
        chmodSync(dir, 0o755)
        chmodSync(join(dir, 'app/graphql'), 0o755)
      }
      expect(readdirSync(dir).sort()).toEqual(NEW)
    },
  )
})

/** Checks the output of a refused command: exit code 2, and only one sentence, which contains the words. */
function expectSentence(result: CommandResult | undefined, words: string): void {
  expect(result).toMatchObject({ code: 2, out: '' })
  const { err } = result as CommandResult
  expect(err).toContain(words)
  expect(err.trimEnd().split('\n'), err).toHaveLength(1)
  expect(err).not.toMatch(/^\s+at |node:internal|\.ts:\d|\.mjs:\d/m)
}

/** Runs two commands at a time, because the machine has few cores and each command is a process. */
async function inTurn<T>(all: readonly T[], one: (each: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += 2) await Promise.all(all.slice(at, at + 2).map(one))
}

/** Returns whether a user can run the command. That depends on the folder of the project. */
function runsAs(uid: number): boolean {
  return spawnSync(process.execPath, [ingot.bin, 'explain', 'unknown-filter'], { uid, gid: uid }).status === 0
}
