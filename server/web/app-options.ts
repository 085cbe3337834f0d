/** The options of the application: its ports and limits. */
import type { ChangedSite, SiteChange } from '../../runtime/data/query/change-model.ts'
import type { AssetHost, EffectHost } from '../../runtime/data/query/effects.ts'
import type { SiteItem } from '../../runtime/data/query/site-facts.ts'
import type { SignInProviders } from './oidc/providers.ts'
import type { Limits } from '../../runtime/page/limits.ts'
import type { FetchPort } from '../../runtime/page/services.ts'
import type { Logger, SiteLog } from '../core/contracts/log.ts'
import type { Observer } from '../core/contracts/observer.ts'
import type { Span } from '../core/contracts/tracer.ts'
import type { ProviderUrls } from '../core/services/challenge.ts'
import type { Environment } from '../core/settings.ts'
import type { Accounts } from './accounts/accounts.ts'
import type { SharedCache } from './cache/model.ts'
import type { FileService } from './files/files.ts'
import type { GraphqlProcess } from './graphql/process.ts'
import type { ShownSite } from './graphql/site/shown-site.ts'
import type { SiteDataSource } from './graphql/site/site-data.ts'
import type { Reply, Request } from './http/message.ts'
import type { Notifications } from './notifications/model.ts'
import type { Printing } from './print/site-printer.ts'
import type { HostFacts } from './site/context.ts'
import type { RequestData, SiteHost } from './site/host.ts'
import type { LoadedSite } from './site/load.ts'
import type { Inspect } from './site/stopped-frame.ts'

/** Ids of the site's tables in the database, by name. */
export type TableIds = ReadonlyMap<string, number>

/** The files of a site that is deployed to this server. */
export interface SiteFiles {
  /**
   * Changes files of the site.
   * @returns the paths of the changed files of each change, when all processes serve them
   * @throws SiteChangeError
   */
  change(changes: readonly SiteChange[]): Promise<ChangedSite['files']>
  /**
   * Uploads and lists assets, for a client that has sent a request.
   * @param listed returns the assets of the site
   */
  assets(request: Request, listed: () => Promise<readonly SiteItem[]>): AssetHost
}

export interface AppOptions {
  readonly environment: Environment
  readonly version: string
  /** Returns the site's constants by name. Each change creates a new object. */
  readonly constants: HostFacts['constants']
  readonly logger: Logger
  readonly limits?: Limits
  /** Returns the host for links in mails and jobs; see `HostNames.lasting`. By default, every host counts as a host of the site. */
  readonly lastingHost?: (host: string) => string
  /** Whether search engines must not index the site. False by default. */
  readonly hidden?: boolean
  /** Prefix of asset URLs in templates. By default asset URLs have no host. */
  readonly assetsUrl?: string
  /** Host names that are always allowed as redirect targets; by default only the requested one. */
  readonly redirectHosts?: readonly string[]
  /** URLs of the spam challenge providers. By default the public URLs of the providers. */
  readonly challenges?: ProviderUrls
  /** The process's access to the database. Without it, templates that read data get an error. */
  readonly graphql?: GraphqlProcess
  /** User accounts. Without them no one can sign in. */
  readonly accounts?: Accounts
  /** The providers with which visitors sign in. */
  readonly providers?: SignInProviders
  /** Stores files. Without it, forms with files are refused. */
  readonly files?: FileService
  /** Sends mails and text messages and calls other services. Without it nothing is sent. */
  readonly notifications?: Notifications
  /** Prints pages and uploads as PDF. Without it, none are created. */
  readonly printing?: Printing
  /** Sends a message to the WebSockets of all processes. Without it, no one gets it. */
  readonly sendMessage?: EffectHost['sendMessage']
  /** Changes files of the site, for clients with a token that permits it; absent or null where the site is not deployed over the network. */
  readonly siteFiles?: () => SiteFiles | null
  /** Caches fragments; by default in the memory of this process. */
  readonly cache?: SharedCache
  /** Receives the site's log entries; by default the log of this process. */
  readonly log?: SiteLog
  /** Fetches what templates download. Without it, templates cannot download. */
  readonly fetch?: FetchPort
  /** Creates the same port for a span; absent when nothing is traced. */
  readonly fetchWithin?: (span: Span | null) => FetchPort
  /** Absent or null without metrics and traces. */
  readonly observer?: Observer | null
  /** Wraps the data of each request and job. */
  readonly wrapData?: (data: RequestData) => RequestData
  /** Answers requests before the site does. Returns null for requests to the site. */
  readonly instead?: (
    site: { readonly loadedSite: LoadedSite; readonly ids: TableIds; readonly host: SiteHost },
    request: Request,
  ) => Promise<Reply> | null
  /** Present in the studio: the site whose data its templates show, which is served by another app. */
  readonly shown?: ShownSite
  /** In development: reads the variables of a page that fails. */
  readonly inspect?: Inspect
  /** What the server knows about the running site, for queries; absent in tests. */
  readonly running?: SiteDataSource['running']
  /** Returns whether a token that is not in the database has full access in this request. */
  readonly trusts?: (token: string, request: Request) => boolean
}
