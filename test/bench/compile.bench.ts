/**
 * Compiling: a generated site of 1,000 templates, each time in a process of its own as `ingot build` runs, against esbuild
 * alone bundling the emitted modules.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { bundle, writeModules } from '../../compiler/bundle/bundle.ts'
import { type CompileOptions, compile } from '../../compiler/compile.ts'
import { MANIFEST } from '../../compiler/emit/manifest.ts'
import type { SourceFile } from '../../compiler/source/file.ts'
import { classify } from '../../compiler/source/kinds.ts'
import { median } from './measure.ts'
import { generateSite } from './site.ts'
import { printTable } from './table.ts'

const TEMPLATES = 1000
const RUNS = 5
const OPTIONS: CompileOptions = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false }

/** Milliseconds of one run. */
interface Run {
  readonly compile: number
  readonly bundle: number
  readonly alone: number
}

const [mode, given] = process.argv.slice(2)
const files = generateSite(TEMPLATES).map(({ path, text }) => sourceFile(path, text))
if (given !== undefined) process.stdout.write(JSON.stringify(mode === 'ours' ? await ours(given) : await alone(given)))
else report()

function report(): void {
  const templates = files.filter((file) => file.text !== '')
  const bytes = templates.reduce((sum, file) => sum + file.text.length, 0)
  console.log(`${templates.length} templates of ${Math.round(bytes / templates.length)} bytes`)
  const runs = Array.from({ length: RUNS }, oneRun)
  const row = (what: string, pick: (each: Run) => number, goal = '') => [
    what,
    `${(median(runs.map(pick)) / 1000).toFixed(2)} s`,
    `${median(runs.map((each) => pick(each) / each.alone)).toFixed(1)}x`,
    goal,
  ]
  printTable(
    ['one run', 'time', 'of esbuild alone', 'goal'],
    [
      row('parse, check, emit', (each) => each.compile),
      row('write and bundle', (each) => each.bundle),
      row('together', (each) => each.compile + each.bundle, '7x'),
      row('esbuild alone', (each) => each.alone),
    ],
  )
}

/** Ours, then esbuild alone on what ours emitted, each in a process of its own. */
function oneRun(): Run {
  const folder = mkdtempSync(join(tmpdir(), 'ingot-bench-'))
  try {
    return { ...child('ours', folder), ...child('alone', folder) } as Run
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @throws Error with what the process printed, when it failed */
function child(what: 'ours' | 'alone', folder: string): Partial<Run> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), what, folder], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Partial<Run>
}

async function ours(folder: string): Promise<Partial<Run>> {
  const started = performance.now()
  const { modules, operations, diagnostics } = compile(files, OPTIONS)
  const compiled = performance.now()
  const wrong = diagnostics.find((each) => each.severity === 'error')
  if (wrong !== undefined) throw new Error(wrong.message)
  await bundle({ modules, files, operations, out: join(folder, 'out') })
  const bundled = performance.now()
  await writeModules({ modules, files, operations, folder: join(folder, 'alone') })
  return { compile: compiled - started, bundle: bundled - compiled }
}

async function alone(folder: string): Promise<Partial<Run>> {
  // The modules import the package, which is installed beside them.
  mkdirSync(join(folder, 'alone', 'node_modules'))
  symlinkSync(process.cwd(), join(folder, 'alone', 'node_modules', 'ingot'))
  const started = performance.now()
  await build({
    entryPoints: [join(folder, 'alone', MANIFEST)],
    outfile: join(folder, 'alone.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    sourcemap: 'linked',
    logLevel: 'silent',
  })
  return { alone: performance.now() - started }
}

function sourceFile(path: string, text: string): SourceFile {
  const kind = classify(path)
  if (kind === null || 'reason' in kind) throw new Error(`${path} is no file of a site`)
  return { path, text, ...kind }
}
