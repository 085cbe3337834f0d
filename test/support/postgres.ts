/**
 * The PostgreSQL server of a test run. Vitest's main process chooses its folder and removes it at the end. The server is started by the
 * first suite that needs a database (`database.ts`). Runs without such a suite start no server.
 */
import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { errorCodeOf } from '../../server/core/error-code.ts'
import { accountFor } from '../../server/data/store/postgres/account.ts'
import { findBinaries } from '../../server/data/store/postgres/binaries.ts'
import { type ClusterLocation, stopCluster } from '../../server/data/store/postgres/cluster.ts'

/** Environment variable with the folder of the run, for the suites. */
export const RUN_FOLDER_VARIABLE = 'INGOT_TEST_POSTGRES'

const PREFIX = 'ingot-postgres-'
/** A file system in memory, on systems that have one. */
const SHARED_MEMORY = '/dev/shm'
/** Free bytes that the databases of a run may need. */
const REQUIRED_SPACE = 4 * 1024 ** 3

/** Creates the cluster of the run, which all suites share. */
export async function testCluster(home: string): Promise<ClusterLocation> {
  const folder = join(home, 'cluster')
  const named = process.env['TEST_PG_BIN'] ?? ''
  return {
    folder,
    binaries: await findBinaries(named === '' ? null : resolve(named)),
    account: accountFor(folder),
    settings: { max_connections: '200', shared_buffers: '128MB', log_min_messages: 'log', autovacuum_naptime: '1h' },
    durable: false,
  }
}

/** Prepares the folder of the run, as Vitest's `globalSetup`. Returns a function that removes it. */
export async function setup(): Promise<() => Promise<void>> {
  await removeKilledRuns()
  const home = await mkdtemp(join(parentFolder(), `${PREFIX}${process.pid}-`))
  // If the tests run as root, the database runs as another user, who needs access to this folder.
  await chmod(home, 0o755)
  process.env[RUN_FOLDER_VARIABLE] = home
  // The folder for temporary files of suites and their programs. It is removed at the end with everything that they left.
  const temporary = join(home, 'tmp')
  await mkdir(temporary)
  await chmod(temporary, 0o1777)
  process.env['TMPDIR'] = temporary
  return () => discard(home)
}

async function discard(home: string): Promise<void> {
  if (existsSync(join(home, 'cluster'))) await stopCluster(await testCluster(home), 'immediate')
  // Programs of a killed run may still write there, and a mounted file system cannot be removed.
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch((error: unknown) => {
    if (errorCodeOf(error) !== 'EBUSY' && errorCodeOf(error) !== 'ENOTEMPTY') throw error
    console.warn(`'${home}' is left, since something in it is in use.`)
  })
}

// A run creates and removes hundreds of databases with hundreds of files. On a disk, that would take a fifth of the duration of the run.
function parentFolder(): string {
  if (!existsSync(SHARED_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  return bavail * bsize > REQUIRED_SPACE && freemem() > 2 * REQUIRED_SPACE ? SHARED_MEMORY : tmpdir()
}

// Stops the database of a run that was killed.
async function removeKilledRuns(): Promise<void> {
  for (const folder of new Set([tmpdir(), parentFolder()])) {
    for (const name of readdirSync(folder)) {
      const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
      if (pid !== undefined && !isAlive(Number(pid))) await discard(join(folder, name))
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
