/**
 * Compiling: a generated site of 1,000 templates, in one run as `ingot build` does it, against esbuild alone bundling the
 * emitted modules; then one changed template, as `ingot dev` compiles it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundle, writeModules } from '../../compiler/bundle/bundle.ts'
import { type CompileOptions, compile } from '../../compiler/compile.ts'
import { MANIFEST } from '../../compiler/emit/manifest.ts'
import { Memory } from '../../compiler/model/memo.ts'
import type { SourceFile } from '../../compiler/source/file.ts'
import { classify } from '../../compiler/source/kinds.ts'
import { devModule } from '../../compiler/watch/dev-module.ts'
import { median } from './measure.ts'
import { generateSite } from './site.ts'
import { printTable } from './table.ts'

const COUNT = 1000
const OPTIONS: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }

function sourceFile(path: string, text: string): SourceFile {
  const kind = classify(path)
  if (kind === null || 'ignored' in kind) throw new Error(`${path} is no file of a site`)
  return { path, text, ...kind }
}

const files = generateSite(COUNT).map(({ path, text }) => sourceFile(path, text))
const templates = files.filter((file) => file.text !== '')
const bytes = templates.reduce((sum, file) => sum + file.text.length, 0)
const folder = mkdtempSync(join(tmpdir(), 'ingot-bench-'))
try {
  await run()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const started = performance.now()
  const { modules, diagnostics } = compile(files, OPTIONS)
  const compiled = performance.now()
  if (modules.length === 0) throw new Error(diagnostics.find((each) => each.severity === 'error')?.message ?? 'no modules')
  await bundle({ modules, files, root: folder, out: join(folder, 'out') })
  const bundled = performance.now()

  const alone = join(folder, 'alone')
  await writeModules(modules, files, folder, alone)
  const turns: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    const before = performance.now()
    await build({
      entryPoints: [join(alone, MANIFEST)],
      outfile: join(alone, `site-${turn}.mjs`),
      bundle: true,
      format: 'esm',
      platform: 'node',
      sourcemap: 'linked',
      logLevel: 'silent',
    })
    turns.push(performance.now() - before)
  }
  const esbuild = median(turns)

  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
  const row = (what: string, ms: number, goal = '') => [what, seconds(ms), `${(ms / esbuild).toFixed(1)}x`, goal]
  console.log(`${templates.length} templates of ${Math.round(bytes / templates.length)} bytes, ${diagnostics.length} diagnostics`)
  printTable(
    ['one run', 'time', 'of esbuild alone', 'goal'],
    [
      row('parse, check, emit', compiled - started),
      row('write and bundle', bundled - compiled),
      row('together', bundled - started, '7x'),
      row('esbuild alone', esbuild),
    ],
  )
  changes()
}

/** Times one changed template after another, with what `ingot dev` keeps from one build to the next. */
function changes(): void {
  const memory = new Memory()
  let current: readonly SourceFile[] = files
  let before = new Map(compile(current, OPTIONS, memory).modules.map((module) => [module.path, module]))
  const turns: number[] = []
  let written = 0
  for (let turn = 0; turn < 15; turn++) {
    const at = files.indexOf(templates[(turn * 61 + 7) % templates.length]!)
    const changed = sourceFile(files[at]!.path, files[at]!.text.replace('</p>', `</p><b>${turn}</b>`))
    current = current.map((file, index) => (index === at ? changed : file))
    const started = performance.now()
    const { modules } = compile(current, OPTIONS, memory)
    const texts = new Map(current.map((file) => [file.path, file.text]))
    for (const module of modules)
      if (module.source !== null && before.get(module.path) !== module) written += devModule(module, join(folder, 'm.mjs'), folder, texts).length
    turns.push(performance.now() - started)
    before = new Map(modules.map((module) => [module.path, module]))
  }
  if (written === 0) throw new Error('no module changed')
  console.log(`\none changed template: ${median(turns).toFixed(0)} ms (at worst ${Math.max(...turns).toFixed(0)} ms; goal: under 100 ms to a served page)`)
}
