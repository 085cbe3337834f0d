/** The contract of a resource of the instance's API: method, path, permissions, and handler. */
import type { Sql } from 'postgres'
import type { App } from '../../web/app.ts'
import type { Logger } from '../../core/contracts/log.ts'
import type { Reply, Request } from '../../web/http/message.ts'
import type { MigrationState } from '../../operate/jobs/migration-states.ts'
import type { LogRow } from '../../web/logs/model.ts'
import type { ProcessServices } from '../../web/process-services.ts'
import type { ReadySettings } from '../../core/settings.ts'
import type { Bearer, TokenScope } from '../../data/store/tokens.ts'
import type { Addresses } from './addresses.ts'
import type { SentBody } from './body.ts'
import type { Executed } from './exec/exec.ts'
import type { SentBlobs } from './sent-blobs.ts'

/** Number of requests that wait for a change that may replace their own process. */
interface Waits {
  count: number
}

/** The services that the handlers of resources get from the process. */
export interface InstanceContext {
  readonly sql: Sql
  readonly parts: ProcessServices
  /** Returns the served site. */
  readonly app: () => App
  readonly addresses: Addresses
  /** Files from the database, as bodies of responses. */
  readonly blobs: SentBlobs
  readonly settings: ReadySettings
  /** Version of this software. */
  readonly version: string
  readonly logger: Logger
  /** The requests that wait until their change is served. */
  readonly waits: Waits
  /**
   * Runs the pending migrations of the site that `wanted` selects.
   * @returns the states of all of them
   * @throws StartError when a migration of the app fails
   */
  readonly migrate: (wanted: (migration: MigrationState) => boolean) => Promise<readonly MigrationState[]>
  /** Stores an entry in the site's log. */
  readonly keep: (row: LogRow) => void
  /** Renders a sent template. @param host host name of the client's request */
  readonly exec: (content: string, host: string) => Promise<Executed>
}

/** A permitted request. */
export interface Ask {
  readonly request: Request
  /** The decoded values of the path's parameters, such as `:id`. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly bearer: Bearer
  /** The body of the request. Its files are removed when the request is answered. */
  readonly body: SentBody
}

export interface Resource {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path after `/api/`, such as `app_builder/exports/:id`. */
  readonly path: string
  /** Scopes of tokens that may use the resource, in addition to `admin`. */
  readonly scopes: readonly TokenScope[]
  /** Whether clients print only the status of a refusal. The log then gets the message. */
  readonly isSilent?: boolean
  /** Returns whether a request has a signed URL, so that it needs no token. */
  readonly isGranted?: (parts: InstanceContext, request: Request, path: Ask['path']) => boolean
  /**
   * Answers a request.
   * @throws Refusal, BadRequest, and the errors of the database client
   */
  answer(parts: InstanceContext, ask: Ask): Promise<Reply>
}
