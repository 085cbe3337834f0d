/** `ingot demo`: builds the marketplace that comes with Ingot and serves it in development mode. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { seedWhenEmpty } from '../web/transfer/seed.ts'
import { openDatabase } from '../data/database.ts'
import { loadBuilt, openData } from '../operate/open-site.ts'
import { type ServeOptions, serve } from './serve.ts'
import { createLogger } from '../core/services/log.ts'
import type { ReadySettings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'

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
  const [opened, code] = await Promise.allSettled([database, build(options)])
  if (code.status === 'rejected') throw code.reason
  if (opened.status === 'rejected') throw opened.reason
  if (code.value !== 0) {
    await opened.value.close()
    return code.value
  }
  await seedOnce(dir, opened.value.settings)
  return serve({ ...options, database })
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

function build({ bin, dir }: DemoOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, 'build', dir], { stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 2))
  })
}
