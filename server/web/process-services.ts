/** Opens what every process needs to run a site's templates, for requests or jobs: database, files, notifications, cache. */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createAccounts } from './accounts/accounts.ts'
import { setMaxWaitingHashes } from './accounts/passwords.ts'
import type { AppOptions, TableIds } from './app-options.ts'
import { openCache } from './cache/open.ts'
import type { MessageBus } from './channels/bus.ts'
import { openBus } from './channels/open-bus.ts'
import { type OpenedFiles, openFiles } from './files/open.ts'
import { type GraphqlProcess, openGraphql } from './graphql/process.ts'
import { readSecret } from './graphql/values/secrets.ts'
import { hostNames } from './http/host-names.ts'
import { createFetchPort, fetchWithin } from '../core/net/download.ts'
import type { Notifications } from './notifications/model.ts'
import { openPrinting } from './print/site-printer.ts'
import { openNotifications } from './notifications/open.ts'
import { createSignInProviders } from './oidc/providers.ts'
import { installQueue } from '../data/queue/install.ts'
import type { Logger, SiteLog } from '../core/contracts/log.ts'
import type { Observer } from '../core/contracts/observer.ts'
import type { ReadySettings } from '../core/settings.ts'
import { findAssetFile } from './site/assets.ts'
import type { LoadedSite } from './site/load.ts'
import { openStore, type Store } from '../data/store/store.ts'

/** A site with its folders. */
type ServedSite = Pick<LoadedSite, 'site' | 'root' | 'folder' | 'releases' | 'keptAssets'>

export interface ProcessServices {
  readonly store: Store
  readonly graphql: GraphqlProcess
  readonly files: OpenedFiles
  readonly notifications: Notifications
  /** Carries messages to the WebSockets of all processes. */
  readonly bus: MessageBus
  /** Options for `createApp`. */
  readonly facts: AppOptions
  /**
   * Migrates the database to a site's declarations. The process serves this site from then on.
   * @throws StartError
   */
  prepare(loaded: ServedSite): Promise<TableIds>
  /** Disconnects from the database. */
  close(): Promise<void>
}

interface ProcessServicesOptions {
  readonly settings: ReadySettings
  /** Version of this software. */
  readonly version: string
  readonly logger: Logger
  /** The site's log. */
  readonly log: SiteLog
  /** Maximum number of connections to the database. */
  readonly pool: number
  /** Whether this process does the background work: indexes, purges, sweeps. */
  readonly chores: boolean
  /** Absent or null without metrics and traces. */
  readonly observer?: Observer | null
  /** An open database with all of Ingot's tables. The caller closes it. */
  readonly store?: Store
}

/** Maximum milliseconds to wait for listeners to end. They may not end when the database is unavailable. */
const CLOSE_TIMEOUT = 1_000

/**
 * Opens the services.
 * @throws StartError
 */
export async function openProcessServices(options: ProcessServicesOptions): Promise<ProcessServices> {
  const { settings, version, logger, log, pool, chores, observer = null } = options
  const measures = observer?.measures ?? null
  const { databaseUrl: url, replicaUrl, replicaLag, environment, retentionDays } = settings
  const givenStore = options.store
  const store = givenStore ?? (await openStore({ url, replicaUrl, replicaLag, pool, logger, retentionDays, measures }))
  try {
    if (givenStore === undefined) await installQueue(url, store.sql)
    const secret = readSecret(settings.secret, settings.dataFolder)
    const graphql = await openGraphql({ ...store, secret, apiToken: settings.apiToken, logger, observer })
    const { statements, constants } = graphql
    const accounts = createAccounts({
      ...{ statements, secret, timeoutInMinutes: settings.sessionMinutes, hosts: settings.hosts, logger },
      ...{ signUps: settings.signUps, newSessions: settings.newSessions },
    })
    setMaxWaitingHashes(settings.passwordsWaiting)
    const challenges = { recaptcha: settings.recaptchaUrl, hcaptcha: settings.hcaptchaUrl }
    let current: ServedSite | null = null
    let prepared: { readonly dataKey: string; readonly ids: TableIds } | null = null
    const asset = async (address: string) => (current === null ? null : findAssetFile(current, address))
    const files = openFiles({ ...settings, sql: store.sql, primary: store.primary, secret, asset, logger })
    if (!chores) files.close()
    const notifications = openNotifications({ ...settings, sql: store.sql, files: files.service, logger, measures })
    const { oidcProviders, outgoing, originOverrides } = settings
    const providers = createSignInProviders({ oidcProviders, outgoing, originOverrides, measures })
    const cache = await openCache({ sql: store.sql, secret, redisUrl: settings.redisUrl, logger, chores, measures })
    const bus = openBus(store.sql, settings.redisUrl)
    const printing = openPrinting({ ...settings, program: printProgram() })
    const facts: AppOptions = {
      environment,
      version,
      constants: () => constants.all(),
      challenges,
      lastingHost: hostNames({ ...settings, isDevelopment: environment === 'development' }).lasting,
      // A production site without a domain is still being tried out or moved.
      hidden: environment === 'staging' || (environment === 'production' && settings.hosts.length === 0),
      ...(settings.assetsUrl !== null && { assetsUrl: settings.assetsUrl }),
      redirectHosts: [...settings.hosts, ...settings.redirectHosts],
      logger,
      log,
      graphql,
      accounts,
      providers,
      files: files.service,
      notifications,
      sendMessage: (message) => bus.publish(message),
      cache,
      fetch: createFetchPort(notifications.outgoing),
      printing,
      ...(observer?.tracer && { fetchWithin: (span) => fetchWithin(notifications.outgoing, span) }),
      observer,
    }
    return {
      store,
      graphql,
      files,
      notifications,
      bus,
      facts,
      async prepare(loaded) {
        const { data, indexes } = loaded.site
        const dataKey = JSON.stringify([data, indexes])
        // Most edits of a site change neither tables nor indexes.
        if (prepared?.dataKey !== dataKey) {
          const { ids } = await store.prepare(data, chores ? indexes : null, loaded.releases !== undefined)
          prepared = { dataKey, ids }
        }
        current = loaded
        return prepared.ids
      },
      async close() {
        files.close()
        providers.close()
        printing.close()
        // Listeners end over a connection of the store. After the store is closed, they would open a new connection that stays open.
        const listeners = Promise.all([cache.close(), bus.close(), notifications.close(), graphql.close()])
        await Promise.race([listeners, sleep(CLOSE_TIMEOUT, null, { ref: false })])
        if (givenStore === undefined) await store.close()
        await listeners
      },
    }
  } catch (error) {
    if (givenStore === undefined) await store.close()
    throw error
  }
}

/** Returns the path of the program of the printing process, which is beside the program that runs. */
function printProgram(): string {
  return fileURLToPath(new URL('./print-worker.mjs', import.meta.url))
}
