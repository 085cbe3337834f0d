/** The examples of the library's guide print the documented output. `package.test.ts` checks their types. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUIDE, guideExamples } from './guide-examples.ts'

const run = promisify(execFile)
/** Sources of the entries that examples import. */
const ENTRIES = {
  ingot: resolve('compiler/tools/engine.ts'),
  'ingot/express': resolve('compiler/tools/adapters/express.ts'),
  'ingot/fastify': resolve('compiler/tools/adapters/fastify.ts'),
}

const examples = guideExamples()
/** Inside the project, so that packages are found from there. */
const folder = mkdtempSync(resolve('node_modules', '.guide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the examples in one process, which loads the engine once. @returns the output of each example, by its line */
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
  })

  it('has examples, and each says what it prints', () => {
    expect(examples.length).toBeGreaterThan(5)
    expect(examples.filter(({ prints }) => prints.length === 0).map(({ line }) => line)).toEqual([])
  })

  it.for(examples)('prints what it says in the example of line $line', ({ line, prints }) => {
    const lines = printed.get(line)?.split('\n') ?? []
    expect(lines.map((each) => each.trim()).filter((each) => each !== '')).toEqual(prints)
  })
})
