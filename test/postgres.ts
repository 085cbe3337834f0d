/**
 * The PostgreSQL of a run of tests. Vitest's main process names its folder and throws it away at the end; the first suite
 * that asks for a database makes and starts it there (`database.ts`), so that other runs pay nothing.
 */
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { accountFor } from '../server/store/postgres/account.ts'
import { findBinaries } from '../server/store/postgres/binaries.ts'
import { type ClusterPlace, stopCluster } from '../server/store/postgres/cluster.ts'

/** Names the folder of the run to the suites. */
export const HOME = 'INGOT_TEST_POSTGRES'

const PREFIX = 'ingot-postgres-'

/** The run's cluster; suites share it. */
export async function testCluster(home: string): Promise<ClusterPlace> {
  const folder = join(home, 'cluster')
  const named = process.env['TEST_PG_BIN'] ?? ''
  return {
    folder,
    binaries: await findBinaries(named === '' ? null : resolve(named)),
    account: accountFor(folder),
    settings: { max_connections: '200', shared_buffers: '128MB', log_min_messages: 'log' },
    durable: false,
  }
}

/** Vitest's `globalSetup`. */
export async function setup(): Promise<() => Promise<void>> {
  await sweep()
  const home = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // The database runs as another user where the tests run as root.
  await chmod(home, 0o755)
  process.env[HOME] = home
  return () => discard(home)
}

async function discard(home: string): Promise<void> {
  if (existsSync(join(home, 'cluster'))) await stopCluster(await testCluster(home), 'immediate')
  await rm(home, { recursive: true, force: true })
}

// A run that was killed leaves its database running.
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await discard(join(tmpdir(), name))
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
