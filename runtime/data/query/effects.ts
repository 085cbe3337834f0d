/** The effects of mutations outside of the database: mails, text messages, API calls, log entries and jobs. */
import type { Fields, LogEntry } from '../../page/services.ts'
import type { PlainEmail, PlainSms } from '../jobs.ts'
import type { ChangedSite, SiteChange } from './change-model.ts'

export interface ScheduledNotification {
  /** False when the notification is disabled or could not be queued. */
  readonly scheduled: boolean
  readonly errors: readonly string[]
}

/** An API call. */
export interface ApiCall {
  readonly url: string
  /** An HTTP method such as `GET`. `POST_MULTIPART`, `PUT_MULTIPART` and `PATCH_MULTIPART` send form data. */
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ApiCallOptions {
  /** Timeout in seconds; null for the default. */
  readonly timeout: number | null
  readonly skipVerification: boolean
}

export interface ApiCallResult {
  readonly response: {
    readonly status: number
    readonly body: string
    readonly headers: Readonly<Record<string, string>>
  } | null
  readonly errors: readonly string[]
}

/** The content of a notification: a template with its data, or content that was given directly. `delay` is in minutes. */
export type TemplatedContent<T> =
  | { readonly template: string; readonly data: Fields; readonly delay: number | null }
  | { readonly content: T; readonly delay: number | null }

/** Rows that a mutation imports, in the JSON format of the data exchange. */
export interface ImportRequest {
  readonly kind: 'records' | 'users'
  /** The name of the mutation, for messages. */
  readonly name: string
  readonly rows: readonly Fields[]
  /** Whether the ids in the rows are stored as external ids. */
  readonly remap: boolean
}

/** The ids of imported rows, in the order of the rows. */
export interface ImportResult {
  readonly ids: readonly string[]
  readonly external_ids: readonly string[]
}

/** A message to the subscribers of a room of a channel. */
export interface RoomMessage {
  readonly channel: string
  readonly room: string
  /** The payload as JSON. */
  readonly payload: string
}

/** The URLs of an asset that a client uploads. */
interface AssetUrls {
  /** The address of the site's asset, once it is part of the site. */
  readonly access_url: string
  readonly path: string
  /** Takes the bytes by `PUT`, for an hour. */
  readonly upload_url: string
}

/** Stored lists of the site's assets, as JSON files that are kept for a day. */
export interface AssetListing {
  readonly created_at: string
  readonly id: string
  readonly private_assets_url: string
  readonly public_assets_url: string
  readonly status: string
}

/** Uploads and lists assets of a site that is deployed to this server. */
export interface AssetHost {
  /** @throws QueryError for a path that no asset can have */
  presign(paths: readonly string[]): Promise<readonly AssetUrls[]>
  createListing(): Promise<AssetListing>
  /** Returns a listing; null when there is none. */
  findListing(id: string): Promise<AssetListing | null>
}

/** A request to a page of another site, which answers with JSON. */
export interface RemoteRequest {
  readonly url: string
  /** Sent in the header `Authentication-Token`; null when none was given. */
  readonly token: string | null
  /** The ids of the wanted objects, or the arguments of a search. */
  readonly wanted: { readonly ids: readonly string[] } | { readonly search: Fields }
  /** The seconds that are left for the operation. */
  readonly seconds: number
}

/** The answer of another site: a list of objects, with the counters of pages if it sent them. */
export interface RemoteAnswer {
  readonly objects: readonly Fields[]
  /** Null when the answer is a plain list. */
  readonly counters: Fields | null
}

/** Performs effects. All methods take part in the open transaction, so nothing is sent when it is rolled back. */
export interface EffectHost {
  email(content: TemplatedContent<PlainEmail>): Promise<ScheduledNotification>
  sms(content: TemplatedContent<PlainSms>): Promise<ScheduledNotification>
  /** Calls the service immediately. A template's `trigger_condition` and `callback` apply. */
  callApi(content: TemplatedContent<ApiCall>, options: ApiCallOptions): Promise<ApiCallResult>
  /**
   * Asks another site for records or users. Nothing is changed there.
   * @throws QueryError with a sentence about the answer, which contains no token
   */
  askSite(request: RemoteRequest): Promise<RemoteAnswer>
  log(entry: LogEntry): void
  /** Sends a message to the subscribers of a room. */
  sendMessage(message: RoomMessage): Promise<void>
  /** Queues the job that writes an export; its row is in `ingot.exports`. */
  export(id: string): Promise<void>
  /**
   * Imports all rows in a separate transaction, or none of them.
   * @throws QueryError
   */
  importRows(importRequest: ImportRequest): Promise<ImportResult>
  /** Announces that translations were set by GraphQL, so that every process reloads them. */
  announceTranslationChange(): Promise<void>
  /**
   * Changes files of the site. Either all changes are served when this resolves, or nothing was changed.
   * @throws SiteChangeError for a change that is refused, with the reason
   */
  changeSite(changes: readonly SiteChange[]): Promise<ChangedSite>
  /** Null where files of the site cannot be changed. */
  readonly assets: AssetHost | null
}
