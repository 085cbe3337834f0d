/** The examples of the library's guide print what they say, and are right under the strictest types. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const GUIDE = 'compiler/engine/README.md'
/** Sources of the entries that examples import. */
const ENTRIES = {
  ingot: resolve('compiler/engine.ts'),
  'ingot/express': resolve('compiler/adapters/express.ts'),
  'ingot/fastify': resolve('compiler/adapters/fastify.ts'),
}

interface GuideExample {
  /** Line of the guide on which it begins. */
  readonly line: number
  readonly code: string
  readonly prints: readonly string[]
}

function examplesOf(text: string): readonly GuideExample[] {
  return [...text.matchAll(/^```ts\n([^]*?)^```$/gm)].map((found) => {
    const code = found[1] ?? ''
    return {
      line: text.slice(0, found.index).split('\n').length + 1,
      code,
      prints: [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, printed = '']) => printed),
    }
  })
}

const examples = examplesOf(readFileSync(GUIDE, 'utf8'))
/** Below the project, so that packages are found from there. */
const folder = mkdtempSync(resolve('node_modules', '.guide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Runs the examples one after another in one process, which loads the engine once.
 * @returns what each printed, by its line
 */
async function runExamples(): Promise<ReadonlyMap<number, string>> {
  const files = examples.map(({ line }) => line)
  writeFileSync(
    join(folder, 'run.mjs'),
    `import { format } from 'node:util'
    const printed = new Map()
    globalThis.consoleOf = (line) => ({
      log: (...values) => printed.set(line, (printed.get(line) ?? '') + format(...values) + '\\n'),
    })
    for (const line of ${JSON.stringify(files)}) await import(\`./line-\${line}.mjs\`)
    // Some print when a server has answered.
    process.once('beforeExit', () => process.stdout.write(JSON.stringify([...printed])))`,
  )
  const { stdout } = await run(process.execPath, ['run.mjs'], { cwd: folder })
  return new Map(JSON.parse(stdout) as [number, string][])
}

describe(GUIDE, () => {
  let printed: ReadonlyMap<number, string> = new Map()

  beforeAll(async () => {
    for (const { line, code } of examples)
      writeFileSync(join(folder, `line-${line}.ts`), `const console = globalThis.consoleOf(${line})\n${code}`)
    await build({
      entryPoints: examples.map(({ line }) => join(folder, `line-${line}.ts`)),
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      chunkNames: 'chunk-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      alias: ENTRIES,
      logLevel: 'error',
    })
    printed = await runExamples()
  }, 180_000)

  it('has examples, and each says what it prints', () => {
    expect(examples.length).toBeGreaterThan(5)
    expect(examples.filter(({ prints }) => prints.length === 0).map(({ line }) => line)).toEqual([])
  })

  it.for(examples)('prints what it says in the example of line $line', ({ line, prints }) => {
    const lines = printed.get(line)?.split('\n') ?? []
    expect(lines.map((each) => each.trim()).filter((each) => each !== '')).toEqual(prints)
  })

  it('is right under strict types', async () => {
    const project = mkdtempSync(join(tmpdir(), 'ingot-guide-'))
    try {
      const paths = Object.fromEntries(Object.entries(ENTRIES).map(([name, source]) => [name, [source]]))
      const compilerOptions = { noEmit: true, paths, typeRoots: [resolve('node_modules/@types')] }
      const files = examples.map(({ line }) => `line-${line}.ts`)
      for (const { line, code } of examples) writeFileSync(join(project, `line-${line}.ts`), code)
      writeFileSync(
        join(project, 'tsconfig.json'),
        JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, files, include: [] }),
      )
      writeFileSync(join(project, 'package.json'), '{"type":"module"}')
      symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
      const told = await run(resolve('node_modules/.bin/tsc'), ['--project', project]).then(
        () => '',
        (error: { readonly stdout: string }) => error.stdout,
      )
      expect(told).toBe('')
    } finally {
      rmSync(project, { recursive: true, force: true })
    }
  }, 180_000)
})
