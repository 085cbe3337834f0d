/** Tests the engine in a browser: cases of both dialects print the same output as in Node, and compiled modules need no `eval`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../compiler/compile.ts'
import { printModule } from '../../compiler/phases/emit/emit.ts'
import * as inNode from '../../compiler/tools/engine.ts'
import { readCases, sourceFiles } from '../support/case-file.ts'
import { browserProgram } from './program.ts'
import { LONG, launchBrowser, type SuiteBrowser } from './visitors.ts'

const program = browserProgram()
const reason = program === null ? ' (left out: no chromium on the PATH)' : ''
const dist = fileURLToPath(new URL('../../dist/browser/', import.meta.url))

/** Globals of the page that loads the engine. */
declare const ingot: typeof inNode

/** Pages by their paths: the policy for their scripts, and what the script does. The title of a page tells that its script has finished. */
const PAGES: Readonly<Record<string, { readonly policy: string; readonly script: string }>> = {
  '/engine': {
    policy: "script-src 'self' 'unsafe-eval'",
    script: "import * as ingot from '/ingot.mjs'; globalThis.ingot = ingot; document.title = 'ready'",
  },
  '/refused': {
    policy: "script-src 'self'",
    script: `import { createEngine } from '/ingot.mjs'
try { document.title = createEngine({ files: { main: 'printed' } }).renderSync('main') } catch (error) { document.title = String(error) }`,
  },
  '/compiled': { policy: "script-src 'self'", script: "import '/compiled.mjs'" },
}

/** A case that a page renders, as JSON. */
interface Asked {
  readonly main: string
  readonly options: Readonly<Record<string, unknown>>
  readonly now: string | null
  readonly data: unknown
}

interface Answered {
  readonly found: readonly string[]
  readonly text: string | null
  readonly error: string | null
}

/** Encodes values as JSON, including those that JSON lacks. */
function plain(value: unknown): unknown {
  if (value instanceof inNode.Float) return { kind: 'float', of: value.$value }
  if (typeof value === 'bigint') return { kind: 'integer', of: String(value) }
  if (Array.isArray(value)) return { kind: 'list', of: value.map(plain) }
  if (typeof value !== 'object' || value === null) return value
  return { kind: 'hash', of: Object.entries(value).map(([key, each]) => [key, plain(each)]) }
}

/** Returns true if a page can receive the same value. Objects with numeric keys are excluded, because their order would change. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof inNode.Float) return true
  return Object.entries(value).every(([key, each]) => (Array.isArray(value) || !/^\d+$/.test(key)) && isPlain(each))
}

/** Renders the cases. Runs in the page, and in Node for comparison. */
async function answerAll(asked: readonly Asked[]): Promise<readonly Answered[]> {
  const { createEngine, Float, LiquidError } = ingot
  const real = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const { kind, of } = value as { kind: string; of: unknown }
    if (kind === 'float') return new Float(Number(of))
    if (kind === 'integer') return BigInt(String(of))
    if (kind === 'list') return (of as readonly unknown[]).map(real)
    return Object.fromEntries((of as readonly (readonly [string, unknown])[]).map(([key, each]) => [key, real(each)]))
  }
  const answers: Answered[] = []
  for (const { main, options, now, data } of asked) {
    const engine = createEngine({ ...options, ...(now !== null && { now: new Date(now) }) })
    // The bundle for browsers lacks the checks of tainted values, and of changes that pages make.
    const inNodeAlone =
      /^(?:unescaped-input|unsafe-place|shown-secret|change-on-get|unguarded-change|form-without-token|second-answer|effect-after-redirect|network-in-transaction)$/
    const found = engine.diagnostics
      .filter(({ code }) => !inNodeAlone.test(code))
      .map(({ file, code, line, column }) => `${code} ${file === main ? '' : `${file}:`}${line}:${column}`)
    try {
      const text = await engine.render(main, real(data) as Record<string, unknown>)
      answers.push({ found, text, error: null })
    } catch (error) {
      const place = error instanceof LiquidError ? `${error.file}:${error.line} ` : ''
      answers.push({ found, text: null, error: place + (error instanceof Error ? error.message : String(error)) })
    }
  }
  return answers
}

/** Compiles a template that loops, filters and fails, and bundles its modules as one file for a page. */
async function compiledPage(folder: string): Promise<void> {
  const files = sourceFiles(
    {
      list: "{% for i in items %}{{ i | upcase }}{% unless forloop.last %}, {% endunless %}{% endfor %}{% render 'sum', n: 2 %}",
      sum: ' {{ n | plus: 40 }}',
    },
    'liquid',
  )
  const { modules, diagnostics } = compile(files, {
    dialect: 'liquid',
    syntax: 'lax',
    keepGoing: true,
    openEntries: true,
    format: 'plain',
    raise: false,
  })
  expect(diagnostics).toEqual([])
  for (const module of modules) {
    mkdirSync(dirname(join(folder, module.path)), { recursive: true })
    writeFileSync(join(folder, module.path), printModule(module).text)
  }
  writeFileSync(
    join(folder, 'entry.ts'),
    `import { createRenderer } from 'ingot/runtime'
import { site } from './site.ts'
document.title = createRenderer(site).renderSync('list', { items: ['a', 'b'] })`,
  )
  await build({
    entryPoints: [join(folder, 'entry.ts')],
    outfile: join(folder, 'compiled.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    alias: { 'ingot/runtime': `${dist}runtime.mjs`, 'ingot/runtime/filters': `${dist}filters.mjs` },
    logLevel: 'error',
  })
}

describe.skipIf(program === null)(`the engine in a browser${reason}`, () => {
  let server: Server
  let browser: SuiteBrowser
  let page: Page
  let folder: string
  let address: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ingot-browser-'))
    await compiledPage(folder)
    server = createServer(({ url = '/' }, response) => {
      const { policy, script } = PAGES[url.replace(/\.script$/, '')] ?? { policy: '', script: null }
      const text =
        script === null
          ? readFileSync(url === '/compiled.mjs' ? join(folder, url) : join(dist, url))
          : url.endsWith('.script')
            ? script
            : `<!doctype html><title>waiting</title><script type="module" src="${url}.script"></script>`
      response.writeHead(200, {
        'content-security-policy': `default-src 'none'; ${policy}`,
        'content-type': url in PAGES ? 'text/html' : 'text/javascript',
      })
      response.end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchBrowser()
    page = await browser.newPage()
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Opens a page, and returns its title after its script has finished. */
  async function open(path: string): Promise<string> {
    await page.goto(address + path)
    await expect.poll(() => page.title(), LONG).not.toBe('waiting')
    return page.title()
  }

  for (const dialect of ['platform', 'liquid'] as const) {
    it(`compiles and renders the cases in the dialect ${dialect} as Node does`, async () => {
      // Skips cases that use ports of a host or query a database, because the page has neither.
      const cases = readCases().filter(
        ({ effects, answers, data }) => effects === null && answers.size === 0 && isPlain(data()),
      )
      const asked = cases.map(({ main, files, options, outputs, data }): Asked => {
        const { now = 0, ...rest } = options
        return {
          main,
          options: { files, format: outputs[0]?.format ?? 'html', ...rest, dialect },
          now: new Date(Number(now)).toISOString(),
          data: plain(data()),
        }
      })
      expect(await open('/engine')).toBe('ready')
      const answers = await page.evaluate(answerAll, asked)
      Object.assign(globalThis, { ingot: inNode })
      const expected = await answerAll(asked)
      const there = cases.flatMap(({ name }, at) => {
        const [answer, inNode] = [answers[at], expected[at]]
        return answer?.found.some((line) => line.startsWith('needs-server ')) ? [] : [{ name, answer, inNode }]
      })
      expect(there.filter(({ answer, inNode }) => JSON.stringify(answer) !== JSON.stringify(inNode))).toEqual([])
      expect(there.length).toBeGreaterThan(250)
      expect(there.filter(({ answer }) => answer?.text !== null).length).toBeGreaterThan(200)
    })
  }

  it('says of a filter that it does not have, and of a query, that it needs a server', async () => {
    expect(await open('/engine')).toBe('ready')
    const [answer] = await page.evaluate(answerAll, [
      {
        main: 'main',
        options: {
          files: {
            main: "{{ 'a' | encrypt: 'aes-128-ecb', key }}{% graphql q = 'find' %}",
            'app/graphql/find.graphql': '{ a }',
          },
        },
        now: null,
        data: plain({ key: 'k' }),
      },
    ])
    expect(answer?.found).toContain('needs-server 1:10')
    expect(answer?.found).toContain('needs-server app/graphql/find.graphql:1:1')
    expect(answer?.error).toContain('runs only on a server')
  })

  it('runs compiled modules where the page allows no evaluation of texts', async () => {
    const troubles: string[] = []
    page.on('console', (message) => troubles.push(message.text()))
    expect(await open('/compiled')).toBe('A, B 42')
    expect(troubles).toEqual([])
    // The content security policy is enforced. An engine compiles templates in the page, so it cannot render here.
    expect(await open('/refused')).toContain('unsafe-eval')
  })
})
