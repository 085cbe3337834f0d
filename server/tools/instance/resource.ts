/** What a resource of the instance's API is: a method and a path, who may ask for it, and what it answers. */
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

/** Requests that wait for what their own process may be replaced by. */
export interface Waits {
  count: number
}

/** What all resources have of the process that answers. */
export interface InstanceParts {
  readonly sql: Sql
  readonly parts: ProcessServices
  /** The site that is being served. */
  readonly app: () => App
  readonly addresses: Addresses
  /** Files of the database, for answers. */
  readonly blobs: SentBlobs
  readonly settings: ReadySettings
  /** Version of this software. */
  readonly version: string
  readonly logger: Logger
  /** The requests that wait until what they have brought is served. */
  readonly waits: Waits
  /**
   * Runs the migrations of the site that are not done and that `wanted` selects.
   * @returns the states of all of them
   * @throws StartError when one of the app fails
   */
  readonly migrate: (wanted: (migration: MigrationState) => boolean) => Promise<readonly MigrationState[]>
  /** Stores entries of the log of the site. */
  readonly keep: (row: LogRow) => void
  /** Renders a template that is sent. @param host that of who has sent it */
  readonly exec: (content: string, host: string) => Promise<Executed>
}

/** A request whose sender may ask it. */
export interface Ask {
  readonly request: Request
  /** What stands in the path in the place of `:id` and its like, decoded. */
  readonly path: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly bearer: Bearer
  /** Its files are gone when the request is answered. */
  readonly body: SentBody
}

export interface Resource {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** From `/api/` on, as `app_builder/exports/:id`. */
  readonly path: string
  /** A token of one of these may ask it; one of `admin` always may. */
  readonly scopes: readonly TokenScope[]
  /** Whether clients print the status of a refusal alone: the log then has the sentence. */
  readonly isSilent?: boolean
  /** Whether a request came by an address that was given out: it then needs no token. */
  readonly isGranted?: (parts: InstanceParts, request: Request, path: Ask['path']) => boolean
  /** @throws Refusal, BadRequest, and the errors of the database client */
  answer(parts: InstanceParts, ask: Ask): Promise<Reply>
}
