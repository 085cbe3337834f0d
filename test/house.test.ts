/** The rules of the house, read from the import lines and the texts of its files. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

interface SourceText {
  /** From the project's root. */
  readonly path: string
  readonly text: string
  /** Paths of the project's files that it imports, types included. */
  readonly imports: readonly string[]
  /** Packages and built-in modules that it imports. */
  readonly packages: readonly string[]
}

const IMPORT = /^\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm

function read(folder: string): readonly SourceText[] {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:ts|mjs)$/.test(path),
  )
  return paths.toSorted().map((below) => {
    const path = `${folder}/${below.replaceAll('\\', '/')}`
    const text = readFileSync(join(root, path), 'utf8')
    const named = [...text.matchAll(IMPORT)].map((found) => found[1] ?? found[2] ?? '')
    const inside = named.filter((name) => name.startsWith('.'))
    return {
      path,
      text,
      imports: inside.map((name) => normalize(join(dirname(path), name))),
      packages: named.filter((name) => !name.startsWith('.')),
    }
  })
}

const wings = { compiler: read('compiler'), runtime: read('runtime'), server: read('server') } as const
const product = Object.values(wings).flat()
const everything = [...product, ...read('test')]

/** `compiler/parse`, `runtime/page`; a file that stands in no room is a room of its own. */
function roomOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

/**
 * Which rooms a room may import, itself aside. Arrows run down only: what a room lists stands above it here. `runtime` stands for all
 * rooms of that wing.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  // compiler: source and model at the bottom, then the language, then the phases, which never see each other.
  'compiler/source': [],
  'compiler/diagnostics': ['source'],
  'compiler/model': ['source'],
  'compiler/syntax': ['source', 'model'],
  'compiler/types': ['source', 'model'],
  'compiler/settings': ['source', 'diagnostics', 'model', 'syntax', 'types'],
  'compiler/tags': ['source', 'diagnostics', 'model', 'syntax', 'types'],
  'compiler/language.ts': ['tags'],
  'compiler/parse': ['source', 'diagnostics', 'model', 'syntax', 'types', 'settings', 'tags', 'language.ts'],
  'compiler/link': ['source', 'diagnostics', 'model', 'types', 'settings'],
  'compiler/bind': ['source', 'model', 'types', 'tags', 'language.ts'],
  'compiler/check': ['source', 'diagnostics', 'model', 'types', 'settings', 'tags', 'language.ts'],
  // Behind the check there is no news for the author: emit reports nothing.
  'compiler/emit': ['source', 'model', 'types', 'tags'],
  'compiler/compile.ts': [
    'source',
    'diagnostics',
    'model',
    'types',
    'language.ts',
    'parse',
    'link',
    'bind',
    'check',
    'emit',
  ],
  'compiler/bundle': ['source', 'model', 'emit'],
  'compiler/watch': ['source', 'diagnostics', 'model', 'emit', 'compile.ts', 'bundle'],
  'compiler/engine.ts': ['source', 'diagnostics', 'model', 'settings', 'emit', 'compile.ts'],
  'compiler/explain.ts': ['diagnostics'],
  'compiler/init.ts': ['source'],
  'compiler/docs': ['source', 'diagnostics', 'model', 'types', 'settings', 'tags', 'compile.ts'],
  'compiler/cli.ts': [
    'source',
    'diagnostics',
    'emit',
    'compile.ts',
    'bundle',
    'watch',
    'explain.ts',
    'init.ts',
    'docs',
  ],
  // server
  'server/start-error.ts': [],
  'server/settings.ts': ['start-error.ts'],
  'server/listen-error.ts': ['settings.ts', 'start-error.ts'],
  'server/store': ['start-error.ts'],
  'server/queue': ['store'],
  'server/database.ts': ['store', 'settings.ts'],
  'server/with-store.ts': ['store', 'settings.ts', 'start-error.ts', 'database.ts'],
  'server/http': [],
  // What rooms tell each other and ask of each other, whoever does it: no adapter stands here, and no contract in services.
  'server/contracts': [],
  'server/services': ['contracts', 'settings.ts'],
  // Other servers, under the guard of our own network.
  'server/net': ['start-error.ts'],
  'server/site': ['http', 'contracts', 'services', 'settings.ts', 'start-error.ts'],
  'server/cache': ['services', 'store', 'settings.ts'],
  'server/logs': ['contracts', 'services', 'store', 'settings.ts', 'start-error.ts', 'with-store.ts'],
  'server/files': ['http', 'store', 'net', 'settings.ts'],
  'server/graphql': ['http', 'contracts', 'services', 'site', 'files', 'store', 'queue', 'start-error.ts'],
  'server/accounts': ['http', 'contracts', 'site', 'store', 'graphql'],
  'server/forms': ['http', 'site', 'graphql', 'files', 'queue'],
  'server/notifications': [
    'http',
    'contracts',
    'site',
    'files',
    'graphql',
    'forms',
    'net',
    'queue',
    'store',
    'settings.ts',
  ],
  'server/rest': ['http', 'contracts', 'site', 'store', 'graphql', 'forms'],
  'server/data': ['store', 'start-error.ts'],
  'server/explain': ['store', 'start-error.ts'],
  'server/open-site.ts': ['site', 'data', 'with-store.ts', 'settings.ts', 'start-error.ts'],
  'server/openapi.ts': ['http', 'site', 'start-error.ts'],
  'server/app.ts': [
    'openapi.ts',
    'cache',
    'logs',
    'net',
    'queue',
    'notifications',
    'http',
    'contracts',
    'services',
    'site',
    'files',
    'store',
    'graphql',
    'accounts',
    'forms',
    'rest',
    'settings.ts',
  ],
  // What processes that answer and threads of jobs have in common.
  'server/parts.ts': [
    'cache',
    'logs',
    'contracts',
    'store',
    'queue',
    'graphql',
    'files',
    'accounts',
    'net',
    'notifications',
    'site',
    'app.ts',
    'settings.ts',
  ],
  'server/cluster': ['site', 'settings.ts', 'start-error.ts'],
  'server/dev': ['http', 'site', 'files', 'notifications', 'app.ts', 'cluster', 'start-error.ts'],
  'server/jobs': [
    'http',
    'contracts',
    'services',
    'site',
    'store',
    'queue',
    'graphql',
    'forms',
    'files',
    'accounts',
    'notifications',
    'cache',
    'logs',
    'net',
    'app.ts',
    'parts.ts',
    'cluster',
    'dev',
    'with-store.ts',
    'open-site.ts',
    'settings.ts',
    'start-error.ts',
  ],
  'server/worker.ts': [
    'jobs',
    'cache',
    'logs',
    'net',
    'queue',
    'notifications',
    'http',
    'contracts',
    'services',
    'site',
    'app.ts',
    'parts.ts',
    'store',
    'data',
    'graphql',
    'files',
    'accounts',
    'cluster',
    'dev',
    'settings.ts',
    'start-error.ts',
    'listen-error.ts',
  ],
  'server/serve.ts': ['contracts', 'services', 'site', 'cluster', 'database.ts', 'settings.ts', 'start-error.ts'],
  'server/dev.ts': [
    'contracts',
    'services',
    'cluster',
    'database.ts',
    'dev',
    'serve.ts',
    'settings.ts',
    'start-error.ts',
  ],
  'server/demo.ts': ['services', 'data', 'database.ts', 'open-site.ts', 'serve.ts', 'settings.ts', 'start-error.ts'],
  'server/token.ts': ['services', 'store', 'with-store.ts', 'settings.ts', 'start-error.ts'],
  'server/main.ts': [
    'jobs',
    'logs',
    'data',
    'explain',
    'open-site.ts',
    'serve.ts',
    'dev.ts',
    'demo.ts',
    'token.ts',
    'openapi.ts',
    'settings.ts',
    'start-error.ts',
  ],
  'server/bin.mjs': [],
}

/** The compiler reads the runtime as text; these run it, name its types, or write its version. */
const RUNS_RUNTIME: readonly string[] = [
  'compiler/model/operation.ts',
  'compiler/model/settings.ts',
  'compiler/model/form-rules.ts',
  'compiler/settings/option-values.ts',
  'compiler/link/operations.ts',
  'compiler/link/unique.ts',
  'compiler/emit/manifest-parts.ts',
  'compiler/engine.ts',
  'compiler/bundle/bundle.ts',
  'compiler/bundle/operation-types.ts',
  'compiler/diagnostics/suggest.ts',
  'compiler/source/kinds.ts',
  'compiler/source/html-text.ts',
  'compiler/types/context.ts',
  'compiler/tags/background.ts',
  'compiler/tags/form.ts',
  'compiler/tags/spam_protection.ts',
  'compiler/settings/form.ts',
]

/** Which rooms of the check phase see which: what is inferred knows nothing of what is reported. */
const IN_CHECK: Readonly<Record<string, readonly string[]>> = {
  'compiler/check/piece.ts': [],
  'compiler/check/infer': ['compiler/check/infer/', 'compiler/check/piece.ts'],
  'compiler/check/rules': ['compiler/check/rules/', 'compiler/check/infer/', 'compiler/check/piece.ts'],
}

const PHASES = ['parse', 'link', 'bind', 'check', 'emit'].map((name) => `compiler/${name}`)

describe('arrows', () => {
  it('run down only', () => {
    const wrong = [...wings.compiler, ...wings.server].flatMap(({ path, imports }) => {
      const room = roomOf(path)
      const wing = room.split('/')[0] as string
      const allowed = ARROWS[room]?.map((name) => `${wing}/${name}`)
      if (allowed === undefined) return [`${room} has no row in the table of arrows`]
      const others = imports.filter((target) => target.startsWith(`${wing}/`) && roomOf(target) !== room)
      return others.filter((target) => !allowed.includes(roomOf(target))).map((target) => `${path} imports ${target}`)
    })
    expect([...new Set(wrong)]).toEqual([])
  })

  it('lead from the table down to what stands above it', () => {
    const rooms = Object.keys(ARROWS)
    for (const [at, room] of rooms.entries()) {
      const wing = room.split('/')[0] as string
      for (const below of ARROWS[room] as readonly string[])
        expect(rooms.indexOf(`${wing}/${below}`), `${room} → ${below}`).toBeLessThan(at)
    }
  })

  it('never lead from one phase to another', () => {
    for (const phase of PHASES)
      expect(ARROWS[phase]?.filter((below) => PHASES.includes(`compiler/${below}`))).toEqual([])
  })

  it('lead in the check phase from what reports to what is inferred, and never back', () => {
    const wrong = wings.compiler.flatMap(({ path, imports }) => {
      const allowed = IN_CHECK[path.split('/').slice(0, 3).join('/')]
      const inside = imports.filter((target) => target.startsWith('compiler/check/'))
      return allowed === undefined
        ? []
        : inside
            .filter((target) => !allowed.some((room) => target.startsWith(room)))
            .map((target) => `${path} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('cross from a wing to the runtime only', () => {
    const crossing = (files: readonly SourceText[], others: readonly string[]) =>
      files.flatMap(({ path, imports }) =>
        imports
          .filter((target) => others.some((wing) => target.startsWith(`${wing}/`)))
          .map((target) => `${path} imports ${target}`),
      )
    expect(crossing(wings.compiler, ['server', 'test'])).toEqual([])
    expect(crossing(wings.server, ['compiler', 'test'])).toEqual([])
    expect(crossing(wings.runtime, ['compiler', 'server', 'test'])).toEqual([])
  })

  it('lead to the runtime from few rooms of the compiler', () => {
    const running = wings.compiler
      .filter(({ imports }) => imports.some((target) => target.startsWith('runtime/')))
      .map(({ path }) => path)
    expect(running.toSorted()).toEqual(RUNS_RUNTIME.toSorted())
  })

  it('make no circle, not even of types', () => {
    const imports = new Map(everything.map((file) => [file.path, file.imports]))
    expect(circles(imports)).toEqual([])
  })

  it('make no circle of rooms either, at whatever depth they lie', () => {
    const folders = new Set(product.flatMap(({ path }) => foldersAround(path)))
    const found = [...folders].flatMap((folder) => circles(roomsOf(folder)).map((circle) => `${folder}: ${circle}`))
    expect(found).toEqual([])
  })

  it('of the runtime run from data to page, and none back', () => {
    const storeys = new Set(wings.runtime.map(({ path }) => roomOf(path)))
    expect([...storeys].toSorted()).toEqual(['runtime/data', 'runtime/index.ts', 'runtime/page'])
    const wrong = wings.runtime
      .filter(({ path }) => roomOf(path) !== 'runtime/data')
      .flatMap(({ path, imports }) =>
        imports.filter((target) => roomOf(target) === 'runtime/data').map((target) => `${path} imports ${target}`),
      )
    expect(wrong).toEqual([])
  })

  it('never lead to the index of the own room', () => {
    const own = product.flatMap(({ path, imports }) =>
      imports.filter((target) => target === `${dirname(path)}/index.ts`).map(() => path),
    )
    expect(own).toEqual([])
  })

  it('lead to files that are there', () => {
    const known = new Set(everything.map(({ path }) => path))
    const missing = product.flatMap(({ path, imports }) =>
      imports
        .filter((target) => !known.has(target) && target !== 'build.mjs' && target !== 'fixtures/filters.json')
        .map((target) => `${path} imports ${target}`),
    )
    expect(missing).toEqual([])
  })
})

describe('the picture of the house', () => {
  const drawn = readFileSync(join(root, '.github/house-light.svg'), 'utf8')
  const rooms = [...drawn.matchAll(/data-room="([^"]+)"(?: data-layer="(\d+)")?/g)].map(([, room = '', layer]) => ({
    room,
    layer: layer === undefined ? null : Number(layer),
  }))

  it('is the same by day and by night, colours aside', () => {
    const shapes = (svg: string) => svg.replace(/#[\da-f]{6}\b/g, 'a colour')
    const dark = readFileSync(join(root, '.github/house-dark.svg'), 'utf8')
    expect(shapes(dark)).toBe(shapes(drawn))
    expect(dark).not.toBe(drawn)
    expect(drawn).toMatch(/<title id="title">[^<]+<\/title>\s*<desc id="description">[^<]+<\/desc>/)
    for (const scheme of ['light', 'dark'])
      expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`".github/house-${scheme}.svg"`)
  })

  it('draws arrows that there are, between rooms that there are', () => {
    const arrows = [...drawn.matchAll(/data-from="([^"]+)" data-to="([^"]+)"/g)].map(([, from = '', to = '']) => ({
      from,
      to,
    }))
    expect(arrows.length).toBeGreaterThan(20)
    const imports = (from: string, to: string) =>
      product.some(
        (file) =>
          (file.path === from || file.path.startsWith(`${from}/`)) &&
          file.imports.some((target) => target === to || target.startsWith(`${to}/`)),
      )
    expect(arrows.filter(({ from, to }) => !imports(from, to))).toEqual([])
    const inServer = arrows.filter(({ from }) => from.startsWith('server/'))
    expect(inServer.filter(({ from, to }) => !ARROWS[from]?.includes(to.slice('server/'.length)))).toEqual([])
    const known = new Set(product.map(({ path }) => roomOf(path)))
    expect(rooms.filter(({ room }) => !known.has(room))).toEqual([])
  })

  it('has each room of the server above all that it may import', () => {
    const layers = new Map(rooms.flatMap(({ room, layer }) => (layer === null ? [] : [[room, layer] as const])))
    expect(layers.size).toBeGreaterThan(20)
    const wrong = [...layers].flatMap(([room, layer]) =>
      (ARROWS[room] ?? [])
        .filter((name) => (layers.get(`server/${name}`) ?? Number.POSITIVE_INFINITY) <= layer)
        .map((name) => `${room} → ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('has the phases of the compiler in their order, with what each hands on', () => {
    const readme = readFileSync(join(root, 'compiler/README.md'), 'utf8')
    const told = [...readme.matchAll(/^\| (\w+) \| `(\w+)\/`[^|]*\| (.+) \|$/gm)]
    expect(rooms.map(({ room }) => room).filter((room) => room.startsWith('compiler/'))).toEqual(
      told.map(([, , folder]) => `compiler/${folder}`),
    )
    const labels = [...drawn.matchAll(/class="label"[^>]*>([\w.]+(?:\[\])?(?:, \w+)?)</g)].map(
      (found) => found[1] ?? '',
    )
    expect(labels.length).toBe(told.length)
    for (const [at, label] of labels.entries())
      for (const name of label.split(', ')) expect(told[at]?.[3]).toContain(`\`${name}\``)
  })
})

/** `compiler`, `compiler/check`, … for a file below them. */
function foldersAround(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** The files and folders that lie in a folder, with those beside them that they, or what lies below them, import. */
function roomsOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const rooms = new Map<string, Set<string>>()
  const below = (path: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : null)
  for (const { path, imports } of product) {
    const room = below(path)
    if (room === null || room === undefined) continue
    const others = rooms.get(room) ?? new Set()
    rooms.set(room, others)
    for (const target of imports.map(below))
      if (target !== null && target !== undefined && target !== room) others.add(target)
  }
  return new Map([...rooms].map(([room, others]) => [room, [...others]]))
}

/** Groups that import each other, over any number of others. */
function circles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const walk = (path: string, above: readonly string[]): void => {
    if (state.get(path) === 'done') return
    if (state.get(path) === 'open') {
      found.push([...above.slice(above.indexOf(path)), path].join(' → '))
      return
    }
    state.set(path, 'open')
    for (const target of imports.get(path) ?? []) walk(target, [...above, path])
    state.set(path, 'done')
  }
  for (const path of imports.keys()) walk(path, [])
  return found
}

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
            !/^(?:compiler\/(?:tags|settings)|runtime\/(?:page\/filters\/[a-z]+|data\/query\/fields))\/[a-z0-9_]+\.ts$/.test(
              path,
            ),
        ),
    ).toEqual([])
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
        imports.filter((target) => !/\.(?:ts|mjs|json)$/.test(target)).map((target) => `${path} imports ${target}`),
      ),
    ).toEqual([])
  })

  it('keep no finding of the type checker quiet', () => {
    const quiet = new RegExp(`@ts-(?:${['ig' + 'nore', 'no' + 'check', 'expect-' + 'error'].join('|')})`)
    const loose = /@(?:type|param|returns|typedef) \{[^\n}]*(?:\bany\b|\*\})/
    const texts = [...everything, { path: 'build.mjs', text: readFileSync(join(root, 'build.mjs'), 'utf8') }]
    expect(texts.filter(({ text }) => quiet.test(text)).map(({ path }) => path)).toEqual([])
    const scripts = texts.filter(({ path }) => path.endsWith('.mjs'))
    expect(scripts.filter(({ text }) => loose.test(text)).map(({ path }) => path)).toEqual([])
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
    // Sessions of transactions wrap the client, so that every statement is answered.
    expect(naming.map(({ path }) => path)).toEqual(['server/store/send.ts', 'server/store/transaction-session.ts'])
    const calling = naming.filter(({ text }) => /\.\s*unsafe\b/.test(text))
    expect(calling.map(({ path }) => path)).toEqual(['server/store/send.ts'])
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

  /** Methods that have the name of a tag are none: `sql(form: Form): Sql`, `sql(build) {`. */
  function withoutMethods(text: string): string {
    return text.replace(/^ +\w+\([^()]*\)(?:: \w+| \{)$/gm, '')
  }

  /** What a file calls the tags that make SQL. */
  function tagsIn(text: string): readonly string[] {
    const names = [...text.matchAll(/\bimport \{([^}]*)\} from '[^']*\/sql\/sql\.ts'/g)].map(([, list = '']) => list)
    const tags = names.join(',').matchAll(/(?<=^|,)\s*(sql|raw)(?: as (\w+))?\s*(?=,|$)/g)
    return [...tags].map(([, tag = '', alias = tag]) => alias)
  }
})

/** A page for the browser: its packages are in the bundle that is delivered, and nothing installs them with it. */
const BUNDLED = 'server/dev/graphiql/'

describe('packages', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >
  const packageOf = (name: string) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/')
  const external = ({ packages }: SourceText) =>
    packages.filter((name) => !name.startsWith('node:') && !name.startsWith('#')).map(packageOf)

  it('are all named with an exact version', () => {
    const unknown = product.flatMap((file) =>
      external(file)
        .filter((name) => !Object.hasOwn(file.path.startsWith(BUNDLED) ? devDependencies : dependencies, name))
        .map((name) => `${file.path} imports ${name}`),
    )
    expect(unknown).toEqual([])
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[a-z0-9.]+)?$/)
  })

  it('are few in the runtime', () => {
    const values = wings.runtime.filter(({ path }) => !path.startsWith('runtime/page/filters/'))
    const planner = values.filter(({ path }) => path.startsWith('runtime/data/query/'))
    const forms = values.filter(({ path }) => path.startsWith('runtime/data/forms/'))
    const regex = values.filter(({ path }) => path.startsWith('runtime/page/regex/'))
    const named = new Set([...planner, ...forms, ...regex])
    expect(values.filter((file) => !named.has(file)).flatMap(external)).toEqual([])
    expect([...new Set(regex.flatMap(external))]).toEqual(['re2js'])
    expect([...new Set(planner.flatMap(external))]).toEqual(['graphql'])
    expect([...new Set(forms.flatMap(external))].toSorted()).toEqual(['libphonenumber-js'])
  })
})

describe('words', () => {
  // Written in pieces, so that this file does not hold them.
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

  /** Texts that are not code: pages, fixtures, settings. */
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
