/**
 * Measures `ingot check` and `ingot build` of a generated site of 1,000 templates as whole processes, with nothing cached for the site.
 * They are compared with esbuild alone, which bundles the modules that the build has written. The installed product is measured, without
 * its sources.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { MANIFEST } from '../../compiler/phases/emit/manifest.ts'
import { installed } from './installed.ts'
import { median } from './measure.ts'
import { generateSite } from './site.ts'
import { printTable } from './table.ts'

const TEMPLATES = 1000
const RUNS = 5

/** The results of one run, in milliseconds. */
interface Run {
  readonly check: number
  readonly build: number
  readonly alone: number
}

const [given] = process.argv.slice(2)
if (given === undefined) report()
else process.stdout.write(String(await alone(given)))

function report(): void {
  const home = mkdtempSync(join(tmpdir(), 'ingot-bench-'))
  try {
    const templates = writeSite(join(home, 'site'))
    const bytes = templates.reduce((sum, text) => sum + text.length, 0)
    console.log(`${templates.length} templates of ${Math.round(bytes / templates.length)} bytes`)
    const bin = installed(join(home, 'product'))
    // The first run compiles the commands. The compiled code is cached for the later runs.
    oneRun(home, bin)
    const runs = Array.from({ length: RUNS }, () => oneRun(home, bin))
    const row = (what: string, pick: (each: Run) => number, goal = '') => [
      what,
      `${(median(runs.map(pick)) / 1000).toFixed(2)} s`,
      `${median(runs.map((each) => pick(each) / each.alone)).toFixed(1)}x`,
      goal,
    ]
    printTable(
      ['one run', 'time', 'of esbuild alone', 'goal'],
      [
        row('`ingot check`', (each) => each.check, '2.5x'),
        row('`ingot build`', (each) => each.build, '3x'),
        row('esbuild alone', (each) => each.alone),
      ],
    )
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Writes the site. Returns the texts of its templates. */
function writeSite(folder: string): readonly string[] {
  const files = generateSite(TEMPLATES)
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return files.flatMap(({ path, text }) => (path.endsWith('.liquid') ? [text] : []))
}

/** Runs `check`, `build`, and then esbuild alone on the emitted modules, each in a separate process. */
function oneRun(home: string, bin: string): Run {
  const site = join(home, 'site')
  const times = ['check', 'build'].map((command) => {
    rmSync(join(site, '.ingot'), { recursive: true, force: true })
    const started = performance.now()
    ended([bin, command, site], { PATH: process.env['PATH'], XDG_CACHE_HOME: join(home, 'cache') })
    return performance.now() - started
  })
  const [check = Number.NaN, whole = Number.NaN] = times
  return { check, build: whole, alone: Number(ended([fileURLToPath(import.meta.url), site], process.env)) }
}

/** Runs a command and returns what it prints. @throws Error with the command's error output if it fails */
function ended(args: readonly string[], env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env,
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Returns the milliseconds that esbuild needs for the modules of a built site, without the start of its process. */
async function alone(site: string): Promise<number> {
  const folder = join(site, '.ingot')
  // The modules import the package, so it is linked beside them.
  mkdirSync(join(folder, 'modules', 'node_modules'), { recursive: true })
  symlinkSync(process.cwd(), join(folder, 'modules', 'node_modules', 'ingot'))
  const started = performance.now()
  await build({
    entryPoints: [join(folder, 'modules', MANIFEST)],
    outfile: join(folder, 'alone.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    sourcemap: 'linked',
    logLevel: 'silent',
  })
  return performance.now() - started
}
