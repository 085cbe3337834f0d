/** The contents of the job queue: plain JSON, so that any server of the database can run a job. */
import type { Values } from './forms/model.ts'
import type { Fields, JobOptions } from '../page/services.ts'

/** A form at the time of its submission. The object `form` is rebuilt from it when the job runs. */
export interface FormSnapshot {
  /** Logical name of the configuration. */
  readonly name: string
  /** The id of the row that was stored or deleted; null when no row was, for example after a sign-in. */
  readonly id: string | null
  readonly userId: string | null
  /** Values after the form was stored. */
  readonly values: Values
  readonly changes: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>
}

/** The value of `form` or `data` in the Liquid of a notification. */
export type NotificationData =
  | { readonly kind: 'data'; readonly data: Fields }
  | { readonly kind: 'form'; readonly form: FormSnapshot }

/** A mail without a template. */
export interface PlainEmail {
  readonly to: readonly string[]
  readonly from: string
  readonly subject: string
  /** HTML. */
  readonly content: string
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo: readonly string[]
}

export interface PlainSms {
  readonly to: string
  readonly content: string
}

export type Channel = 'email' | 'sms' | 'api_call'

/** The work of a job. */
export type JobTask =
  /** A job of the tag `background`. `unit` is a name in `CompiledSite.jobs` or `.partials`. */
  | {
      readonly kind: 'unit'
      readonly unit: string
      readonly values: Fields
      /**
       * The digest of the code that contains the unit, when a template from outside the site queued the job (`liquid_exec`). Absent when
       * the site contains the unit.
       */
      readonly code?: string
    }
  /** `async_callback_actions` of a form. */
  | { readonly kind: 'callback'; readonly form: FormSnapshot }
  /** A mail, text or API call by the name of its template. */
  | {
      readonly kind: 'notification'
      readonly channel: Channel
      readonly name: string
      readonly content: NotificationData
    }
  | { readonly kind: 'email'; readonly email: PlainEmail }
  | { readonly kind: 'sms'; readonly sms: PlainSms }
  /** Writes the export requested by GraphQL that has this id. */
  | { readonly kind: 'export'; readonly id: string }

/** The host for links in texts that outlive a request, such as mails. */
export interface LinkHost {
  /** The value of `context.location.host` in a job. */
  readonly host: string
  /**
   * The host in the request, when the visitor may have forged it. Jobs are queued with `host` instead of it in all texts. Absent when no
   * text can contain it. It is not stored.
   */
  readonly unverifiedHost?: string
}

/** The request or the job that queued a job. */
export interface JobOrigin extends LinkHost {
  readonly language: string
  /** The id of the signed-in user. */
  readonly user: string | null
  /** A second owner whose uploads the job may use, in addition to the user; see `Uploader.names`. */
  readonly uploader?: string | null
  /** The length of the chain of jobs that queued one another without a delay; 1 for a request. */
  readonly depth: number
  /** Headers that identify the trace to which the job belongs. Absent without tracing. */
  readonly trace?: Readonly<Record<string, string>>
}

/** A job in the queue. */
export interface JobRequest {
  readonly task: JobTask
  readonly origin: JobOrigin
  readonly options: JobOptions
}

/** Maximum length of a chain of jobs that queue one another without a delay. */
export const MAX_CHAIN_LENGTH = 100

/** Maximum size of a job's JSON, in bytes. */
export const MAX_PAYLOAD = 512 * 1024

/**
 * Maximum number of attempts to send a mail, a text message or an API call. The attempts span about a minute and a half, long enough for a
 * temporary failure.
 */
export const NOTIFICATION_ATTEMPTS = 5
