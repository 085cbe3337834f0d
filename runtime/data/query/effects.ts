/** What fields of mutations set off beside the database: mails, texts, calls of other services, entries of the log, jobs. */
import type { Fields, LogEntry } from '../../page/services.ts'
import type { PlainEmail, PlainSms } from '../jobs.ts'

export interface Scheduled {
  /** False where the notification is not enabled, or could not be queued. */
  readonly scheduled: boolean
  readonly errors: readonly string[]
}

/** A call of another service, ready to be made. */
export interface ApiCall {
  readonly url: string
  /** `GET`, …, or `POST_MULTIPART`, `PUT_MULTIPART`, `PATCH_MULTIPART`. */
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface ApiCallOptions {
  /** Seconds; null: what is usual where it is made. */
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

/** Either by a template of the site with its data, or whole. `delay` in minutes. */
export type Templated<T> =
  | { readonly template: string; readonly data: Fields; readonly delay: number | null }
  | { readonly whole: T; readonly delay: number | null }

/** All methods act in the transaction that is open, so what is queued in one that is undone is never sent. */
export interface EffectHost {
  email(what: Templated<PlainEmail>): Promise<Scheduled>
  sms(what: Templated<PlainSms>): Promise<Scheduled>
  /** Made at once; a template's `trigger_condition` and `callback` count. */
  callApi(what: Templated<ApiCall>, options: ApiCallOptions): Promise<ApiCallResult>
  log(entry: LogEntry): void
  /** Queues the writing of an export whose row is in `ingot.exports`. */
  export(id: string): Promise<void>
  /** Translations set by GraphQL have changed: every process reads them again. */
  translationsChanged(): Promise<void>
}
