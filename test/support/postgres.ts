/**
 * The PostgreSQL of a run of tests. Vitest's main process names its folder and throws it away at the end; the first suite
 * that asks for a database makes and starts it there (`database.ts`), so that other runs pay nothing.
 */
import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { errorCodeOf } from '../../server/core/error-code.ts'
import { accountFor } from '../../server/data/store/postgres/account.ts'
import { findBinaries } from '../../server/data/store/postgres/binaries.ts'
import { type ClusterLocation, stopCluster } from '../../server/data/store/postgres/cluster.ts'

/** Names the folder of the run to the suites. */
export const HOME = 'INGOT_TEST_POSTGRES'

const PREFIX = 'ingot-postgres-'
/** Memory as a folder, where the system has that. */
const SHARED_MEMORY = '/dev/shm'
/** Bytes that the databases of a run may need. */
const ROOM = 4 * 1024 ** 3

/** The run's cluster; suites share it. */
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

/** Vitest's `globalSetup`. */
export async function setup(): Promise<() => Promise<void>> {
  await sweep()
  const home = await mkdtemp(join(parent(), `${PREFIX}${process.pid}-`))
  // The database runs as another user where the tests run as root.
  await chmod(home, 0o755)
  process.env[HOME] = home
  // What the suites and their programs write for a while, they write here, and what they leave behind goes with the rest.
  const temporary = join(home, 'tmp')
  await mkdir(temporary)
  await chmod(temporary, 0o1777)
  process.env['TMPDIR'] = temporary
  return () => discard(home)
}

async function discard(home: string): Promise<void> {
  if (existsSync(join(home, 'cluster'))) await stopCluster(await testCluster(home), 'immediate')
  // Programs of a run that was killed may still write there, and a file system that one has mounted cannot be removed.
  await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch((error: unknown) => {
    if (errorCodeOf(error) !== 'EBUSY' && errorCodeOf(error) !== 'ENOTEMPTY') throw error
    console.warn(`'${home}' is left, since something in it is in use.`)
  })
}

// Hundreds of databases and clusters of hundreds of files come and go: on a disk, making and removing those is a fifth of a run.
function parent(): string {
  if (!existsSync(SHARED_MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(SHARED_MEMORY)
  return bavail * bsize > ROOM && freemem() > 2 * ROOM ? SHARED_MEMORY : tmpdir()
}

// A run that was killed leaves its database running.
async function sweep(): Promise<void> {
  for (const folder of new Set([tmpdir(), parent()])) {
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
