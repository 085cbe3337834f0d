/** How our own PostgreSQL is set up: by the memory of the machine, quiet, and for disks without heads. */
import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

const MB = 1024 * 1024

/** Settings by name, as `postgresql.conf` has them. */
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
    // What statements do wrong is told to whoever sent them; the file is for what the server itself has to say.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }
}

// Containers have 64 MB of it: parallel workers, who talk through it, would fail as if the disk were full.
function isSharedMemorySmall(): boolean {
  try {
    const { blocks, bsize } = statfsSync('/dev/shm')
    return blocks * bsize < 256 * MB
  } catch {
    // Not Linux: the limit is one of containers.
    return false
  }
}
