/** Starts a separate PostgreSQL cluster for a benchmark and removes it at the end. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountFor } from '../../server/data/store/postgres/account.ts'
import { findBinaries } from '../../server/data/store/postgres/binaries.ts'
import {
  type ClusterLocation,
  createCluster,
  startCluster,
  stopCluster,
} from '../../server/data/store/postgres/cluster.ts'

/**
 * Calls `measure` with the URL of a fresh cluster and a folder for temporary files.
 * @param buffers `shared_buffers` of the cluster: `256MB`
 */
export async function withCluster(
  buffers: string,
  measure: (url: string, home: string) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'ingot-bench-'))
  // The account that runs the database needs access to this folder.
  await chmod(home, 0o755)
  const folder = join(home, 'cluster')
  const place: ClusterLocation = {
    folder,
    binaries: await findBinaries(null),
    account: accountFor(folder),
    settings: { shared_buffers: buffers, max_connections: '150' },
    durable: false,
  }
  await createCluster(place)
  const url = await startCluster(place)
  try {
    await measure(url, home)
  } finally {
    await stopCluster(place, 'immediate')
    await rm(home, { recursive: true, force: true })
  }
}
