/** The settings of the embedded PostgreSQL, based on the memory of the machine and suited to solid-state disks. */
import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

const MB = 1024 * 1024

/** Settings by name, as in `postgresql.conf`. */
export function serverSettings(): Readonly<Record<string, string>> {
  const memory = Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY)
  const shared = Math.min(512, Math.max(64, Math.floor(memory / 16 / MB)))
  return {
    cluster_name: 'ingot',
    shared_buffers: `${shared}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(memory / 2 / MB))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    max_connections: '200',
    jit: 'off',
    ...(isSharedMemorySmall() ? { max_parallel_workers_per_gather: '0', max_parallel_maintenance_workers: '0' } : {}),
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Errors of statements are reported to the client; the log contains only messages about the server.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
}

// Containers often have 64 MB of shared memory, with which parallel workers fail as if the disk were full.
function isSharedMemorySmall(): boolean {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm')
    return blocks * bsize < 256 * MB
  } catch {
    // Other systems than Linux have no such limit.
    return false
  }
}
