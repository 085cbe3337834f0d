/** The process that executes deploy requests one after the other. Only one server of a database does so at a time. */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as runtime from '../../../../runtime/index.ts'
import { releaseStore } from '../../../operate/releases/open.ts'
import { ownFolder, removeLeftovers } from '../../../core/leftovers.ts'
import { LOCKS } from '../../../data/store/locks.ts'
import { SiteBuilds } from '../../../web/site/builds.ts'
import { openStore } from '../../../data/store/store.ts'
import type { WorkOptions, WorkProcess } from '../tasks/child.ts'
import { followQueue, type WorkQueue } from '../tasks/loop.ts'
import { BlobFolder, deployedFiles } from './blobs.ts'
import { DeployCleaner } from './clean-up.ts'
import { SiteCompiler } from './compiler.ts'
import { executeDeploys, type DeployContext } from './make.ts'
import { WarmSite } from './warm-site.ts'
import { beginDeploy, type DeployRow, DEPLOYS_CHANGED, endDeploy, nextUnfinished } from './rows.ts'

export interface DeployProcessOptions extends WorkOptions {
  /** Path of the `ingot` command. */
  readonly bin: string
  readonly thread: string
}

const POOL = 4
/** Milliseconds that a stop waits for the current request. */
const STOP_TIME = 1_000

/** Starts executing deploy requests. @throws StartError */
export async function startDeploys(options: DeployProcessOptions): Promise<WorkProcess> {
  const { root, settings, logger, bin } = options
  const { sql, close } = await openStore({ url: settings.databaseUrl, replicaUrl: null, pool: POOL, logger })
  const folder = resolve(settings.dataFolder, 'deploys')
  const [work, site] = [ownFolder(join(folder, 'made')), ownFolder(join(folder, 'site'))]
  for (const own of [work, site]) {
    await removeLeftovers(dirname(own))
    await rm(own, { recursive: true, force: true })
  }
  await mkdir(work, { recursive: true })
  const blobs = new BlobFolder(deployedFiles(settings))
  await blobs.open()
  const compiler = new SiteCompiler(bin, settings.takesErrors)
  compiler.start()
  const releases = releaseStore(settings, root, sql)
  const warm = new WarmSite({ sql, releases, blobs, compiler }, site)
  const builds = new SiteBuilds(runtime)
  const parts: DeployContext = { ...options, sql, releases, blobs, builds, warm, folder: work }
  const over = new AbortController()
  const loop = followQueue(deployQueue(parts), over.signal)
  return {
    async stop() {
      over.abort()
      compiler.close()
      await Promise.race([loop, sleep(STOP_TIME, undefined, { ref: false })])
      await close()
    },
  }
}

function deployQueue(parts: DeployContext): WorkQueue<DeployRow> {
  const { sql, logger, settings } = parts
  const cleaner = new DeployCleaner(parts)
  return {
    ...{ sql, logger, databaseUrl: settings.databaseUrl },
    name: 'deploy',
    channel: DEPLOYS_CHANGED,
    lock: LOCKS.release,
    next: () => nextUnfinished(sql),
    begin: (id) => beginDeploy(sql, id),
    fail: (id, reason) => endDeploy(sql, id, 'error', { failure: reason }),
    givenUp: (attempts) =>
      `The process that executed the deploy ended ${attempts} times, so it is not tried again. The site is unchanged.`,
    work: (rows) => executeDeploys(parts, rows),
    rest: () => cleaner.cleanUpWhenDue(),
  }
}
