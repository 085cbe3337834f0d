/** The process that imports and exports data, one request after the other. Only one server of a database does so at a time. */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogEntry } from '../../../../runtime/page/services.ts'
import { type Logger, NO_ORIGIN } from '../../../core/contracts/log.ts'
import { openFiles } from '../../../web/files/open.ts'
import { readSecret } from '../../../web/graphql/values/secrets.ts'
import { openLogs } from '../../../web/logs/open.ts'
import { createAddressFilter } from '../../../core/net/addresses.ts'
import { releaseStore } from '../../../operate/releases/open.ts'
import { ownFolder, removeLeftovers } from '../../../core/leftovers.ts'
import { LOCKS } from '../../../data/store/locks.ts'
import { openStore } from '../../../data/store/store.ts'
import { Addresses } from '../addresses.ts'
import type { WorkOptions, WorkProcess } from '../tasks/child.ts'
import { followQueue, type WorkQueue } from '../tasks/loop.ts'
import { beginTransfer, endTransfer, findTransfer, nextTransfer, type TransferRow, TRANSFERS_CHANGED } from './rows.ts'
import { ServedData } from './site.ts'
import { restoreSite } from './import-copy.ts'
import { removeOldTransfers } from './tidy.ts'
import { executeTransfer, type TransferProcessContext } from './work.ts'

const POOL = 5
/** Milliseconds that a stop waits for the current transfer. */
const STOP_TIME = 1_000

/** Starts executing transfers. @throws StartError */
export async function startTransfers({ root, settings, logger }: WorkOptions): Promise<WorkProcess> {
  const store = await openStore({ url: settings.databaseUrl, replicaUrl: null, pool: POOL, logger })
  const { sql } = store
  const log = openLogs(settings.databaseUrl, { environment: settings.environment, logger })
  const secret = readSecret(settings.secret, settings.dataFolder)
  const opened = openFiles({ ...settings, sql, primary: store.primary, secret, asset: async () => null, logger })
  // The serving processes remove unused files, so this one does not.
  opened.close()
  const folder = ownFolder(resolve(settings.dataFolder, 'transfers'))
  await removeLeftovers(dirname(folder))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await mkdir(opened.incoming, { recursive: true, mode: 0o700 })
  const over = new AbortController()
  const releases = releaseStore(settings, root, sql)
  const parts: TransferProcessContext = {
    ...{ sql, settings, folder, over: over.signal },
    releases,
    site: new ServedData(releases, root, store),
    files: opened.service,
    addresses: new Addresses(settings),
    reachable: createAddressFilter(settings.outgoing),
    report: (row, error, warnings) => log.write(logEntry(row, error, warnings), NO_ORIGIN),
  }
  const loop = followQueue(transferQueue(parts, settings.databaseUrl, logger), over.signal)
  return {
    async stop() {
      over.abort()
      await Promise.race([loop, sleep(STOP_TIME, undefined, { ref: false })])
      await Promise.all([log.close(), store.close()])
    },
  }
}

function transferQueue(parts: TransferProcessContext, databaseUrl: string, logger: Logger): WorkQueue<TransferRow> {
  const { sql, over } = parts
  return {
    ...{ sql, logger, databaseUrl },
    name: 'transfer',
    channel: TRANSFERS_CHANGED,
    lock: LOCKS.transfer,
    next: () => nextTransfer(sql),
    begin: (id) => beginTransfer(sql, id),
    async fail(id, reason) {
      const row = await findTransfer(sql, 'clone', id)
      // If the site of a copy was activated without its data, the previous site is restored.
      if (row?.request.kind === 'clone' && row.request.copy !== null) await restoreSite(sql, id, row.request.copy, over)
      await endTransfer(sql, id, 'failed', { error: reason })
    },
    givenUp: (attempts) =>
      `The process that executed the transfer ended ${attempts} times, so it is not tried again. Nothing was changed.`,
    async work(rows) {
      await removeOldTransfers(sql)
      for (const row of rows) await executeTransfer(parts, row)
    },
  }
}

const NAMES: Readonly<Record<TransferRow['request']['kind'], string>> = {
  export: 'export',
  import: 'import',
  update: 'update',
  uploads: 'upload',
  clean: 'removal',
  copy: 'copy',
  clone: 'clone',
}

/** Creates the entry for the site's log, because some clients can only follow the log. */
function logEntry({ id, request }: TransferRow, error: string | null, warnings: readonly string[]): LogEntry {
  const what = `The ${NAMES[request.kind]} of data, ${id},`
  const type = error !== null ? 'error' : warnings.length > 0 ? 'warning' : 'info'
  const message = error === null ? [`${what} is done.`, ...warnings].join('\n') : `${what} failed: ${error}`
  return { type, message, env: 'all', file: '', line: 0 }
}
