/** What is put into the queue: plain JSON, so that any server of the same database can do it. */
import type { Values } from './forms/model.ts'
import type { Fields, JobOptions } from '../page/services.ts'

/** What a form was when it was sent. The object `form` is made of it again when the job runs. */
export interface FormSnapshot {
  /** Logical name of the configuration. */
  readonly name: string
  /** Id of the row that was stored, or deleted; null where none is, as of what signs in. */
  readonly id: string | null
  readonly userId: string | null
  /** Values after the form was stored. */
  readonly values: Values
  readonly changes: Readonly<Record<string, { readonly old: unknown; readonly new: unknown }>>
}

/** What a notification's Liquid sees as `form` and `data`. */
export type NotificationData =
  | { readonly kind: 'data'; readonly data: Fields }
  | { readonly kind: 'form'; readonly form: FormSnapshot }

/** A mail that needs no template. */
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

/** What a job does. */
export type JobTask =
  /** `background`: a name of `CompiledSite.jobs` or `.partials`, with the values that were passed. */
  | { readonly kind: 'unit'; readonly unit: string; readonly values: Fields }
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
  /** Writes an export that was asked for by GraphQL: id of its row. */
  | { readonly kind: 'export'; readonly id: string }

/** What a job knows of the request, or the job, that queued it. */
export interface JobOrigin {
  /** As in `context.location.host`. */
  readonly host: string
  readonly language: string
  /** Id of the user who was signed in. */
  readonly user: string | null
  /** Jobs in a row that queued one another without a delay: how deep this one is. A request's has 1. */
  readonly depth: number
}

/** A job as it is queued. */
export interface JobRequest {
  readonly task: JobTask
  readonly origin: JobOrigin
  readonly options: JobOptions
}

/** Jobs in a row, each queued by the one before without a delay, that one of them may queue no further. */
export const DEEPEST = 100

/** Bytes of a job's JSON at the most. */
export const LARGEST = 512 * 1024

/** Seconds that a job may run, by its priority, where no setting says otherwise. */
export const SECONDS: Readonly<Record<JobOptions['priority'], number>> = { high: 60, default: 300, low: 14_400 }

/** Attempts of a mail, a text or a call of another service, over about a minute and a half: what may pass has passed by then. */
export const NOTIFICATION_ATTEMPTS = 5
