/** `ingot demo`: builds the marketplace that comes with Ingot and serves it in development mode. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { seedWhenEmpty } from '../web/transfer/seed.ts'
import { DATA_FOLDER } from '../data/store/postgres/embedded.ts'
import { openDatabase } from '../data/database.ts'
import { loadBuilt, openData } from '../operate/open-site.ts'
import { type ServeOptions, serve } from './serve.ts'
import { createLogger } from '../core/services/log.ts'
import type { ReadySettings } from '../core/settings.ts'
import { type Place, printPlaces } from './places.ts'
import { catchSignals, stoppedSentence } from './stopping.ts'
import { StartError } from '../core/start-error.ts'

/** Programs of the product, with a digest of each. */
const DIGESTS = 'programs/digests.json'
/** A file in the data folder that describes what the last build was made from. */
const STAMP = 'demo-build'
/** The exit code of a command that Ctrl-C ended before it served. */
const INTERRUPTED = 130
/** The account of the seed that may do everything. */
const LOGIN: Place = ['Log in', 'as desk@hobnail.example with the password hobnail (for /admin), or sign up']

export interface DemoOptions extends ServeOptions {
  /** Path of the `ingot` command. */
  readonly bin: string
}

/** Serves the demo until a signal stops it; resolves to the exit code. @throws StartError */
export async function demo(options: DemoOptions): Promise<number> {
  const { dir, settings } = options
  // Opened now, so that the database starts while the site is built.
  const logger = createLogger(settings.logLevel, settings.environment === 'development')
  const database = openDatabase(settings, dir, logger)
  const early = catchSignals()
  const [opened, code] = await Promise.allSettled([database, buildWhenChanged(options, early.signal)])
  early.release()
  if (early.signal.aborted && opened.status === 'fulfilled') {
    logger.info({}, stoppedSentence(['the build'], await opened.value.close()))
    return INTERRUPTED
  }
  if (code.status === 'rejected') throw code.reason
  if (opened.status === 'rejected') throw opened.reason
  if (code.value !== 0) {
    await opened.value.close()
    return code.value
  }
  await seedOnce(dir, opened.value.settings)
  return serve({ ...options, database, answers: (url) => printPlaces(url, dir, [LOGIN]) })
}

/**
 * Returns the folder of the demo site, in a place where it may be built and changed.
 * @param site folder of the demo site that comes with Ingot
 * @param folder receives a copy unless it has one, because users should not change an installed package; null in a source checkout
 * @throws StartError
 */
export async function demoSite(site: string, folder: string | null): Promise<string> {
  if (!existsSync(join(site, 'app'))) {
    throw new StartError(
      `The demo site is missing ('${site}'): install Ingot again, or make a site with \`ingot init DIR\`.`,
    )
  }
  if (folder === null) return site
  const copy = join(folder, 'ingot-demo')
  if (existsSync(copy)) return copy
  await cp(site, copy, { recursive: true })
  process.stderr.write('The demo site was copied to the folder ingot-demo. Edit the files there to change it.\n')
  return copy
}

/** Adds the seed rows when the tables are empty. */
async function seedOnce(dir: string, settings: ReadySettings): Promise<void> {
  const home = await openData(await loadBuilt(dir, settings), settings)
  try {
    const added = await seedWhenEmpty(home, (sentence) => void process.stderr.write(`${sentence}\n`))
    if (added !== null) process.stderr.write(`The demo's tables were filled with ${added} rows.\n`)
  } finally {
    await home.close()
  }
}

/** Builds the site unless its last build was made from the same files by the same product. Resolves to the exit code. */
async function buildWhenChanged(options: DemoOptions, signal: AbortSignal): Promise<number> {
  const { dir, settings, worker } = options
  const file = join(resolve(settings.dataFolder ?? join(dir, DATA_FOLDER)), STAMP)
  const sources = await digestOf(dir, join(dirname(worker), DIGESTS))
  // Without a readable stamp, the demo is built again.
  const last = await readFile(file, 'utf8').catch(() => null)
  if (last !== null && last === (await stampOf(dir, sources))) return 0
  const code = await build(options, signal)
  const stamp = code === 0 ? await stampOf(dir, sources) : null
  // If the stamp cannot be written, for example because the database has not created the folder yet, the next start builds again.
  if (stamp !== null) await writeFile(file, stamp, { mode: 0o600 }).catch(() => undefined)
  return code
}

/** Returns what identifies the build of a site; null when there is none. @param sources see `digestOf` */
async function stampOf(dir: string, sources: string): Promise<string | null> {
  // A build without a readable manifest is made again.
  const manifest = await readFile(join(dir, '.ingot', 'manifest.json')).catch(() => null)
  return manifest === null ? null : `${sources} ${createHash('sha256').update(manifest).digest('hex')}`
}

/**
 * Returns a digest of a site's file names, sizes and times of change, and of the product.
 * @internal Exported for tests.
 */
export async function digestOf(dir: string, product: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(product).catch(() => ''))
  const entries = await readdir(dir)
  // Builds and data have names with this beginning.
  const folders = entries.filter((name) => !name.startsWith('.ingot'))
  for (const folder of folders.toSorted()) {
    const below = await readdir(join(dir, folder), { recursive: true }).catch((): string[] => [])
    const files = ['', ...below.toSorted()].map((name) => join(dir, folder, name))
    // A file that was removed meanwhile changes the digest, so the demo is built again.
    const stats = await Promise.all(files.map((file) => stat(file).catch(() => null)))
    for (const [at, file] of files.entries()) hash.update(`${file} ${stats[at]?.size} ${stats[at]?.mtimeMs}\n`)
  }
  return hash.digest('hex')
}

function build({ bin, dir }: DemoOptions, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, 'build', dir], { stdio: 'inherit' })
    signal.addEventListener('abort', () => child.kill())
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 2))
  })
}
