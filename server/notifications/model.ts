/** What the rooms of mails, texts and API calls hand to each other. */
import type { Sql } from 'postgres'
import { LiquidFault } from '../../runtime/page/fault.ts'
import type { JobTask } from '../../runtime/data/jobs.ts'
import type { Render } from '../../runtime/page/render.ts'
import type { Format, NotificationEntry } from '../../runtime/page/site.ts'
import type { FileService } from '../files/files.ts'
import type { Outgoing, OriginOverrides } from '../net/outgoing.ts'
import type { Logger } from '../contracts/log.ts'
import type { AssetSite } from '../site/assets.ts'
import type { DeliverySettings, Environment } from '../settings.ts'

/** What sending needs. One for a process, or for a thread of jobs. */
export interface Notifications {
  readonly environment: Environment
  readonly delivery: DeliverySettings
  /** For what the site names: its guard holds. */
  readonly outgoing: Outgoing
  /** For what the settings name: they may name what stands in our own network. */
  readonly trusted: Outgoing
  /** Null where no server takes mails. */
  readonly mailer: Mailer | null
  readonly outbox: Outbox
  readonly sent: SentLog
  /** Null where no files are kept. */
  readonly files: FileService | null
  readonly logger: Logger
  close(): Promise<void>
}

/** What `openNotifications` is made of. */
export interface NotificationOptions {
  readonly environment: Environment
  readonly delivery: DeliverySettings
  /** `Settings.outgoing`. */
  readonly outgoing: readonly string[]
  /** `Settings.standIns`. */
  readonly standIns?: OriginOverrides
  readonly dataFolder: string
  readonly sql: Sql
  readonly files: FileService | null
  readonly logger: Logger
}

/** The tasks of jobs that are sendings. */
export type DeliveryTask = Extract<JobTask, { readonly kind: 'notification' | 'email' | 'sms' }>

/** A job whose task is a sending. */
export interface DeliveryJob {
  /** Of the job in the queue: the same for each of its attempts. */
  readonly id: string
  /** A new render with the context of the job. `html` prints for HTML, any other format as is. */
  render(format: Format): Render
  /** The site, by which its assets are found. */
  readonly loaded: AssetSite
}

/** A sending that failed. */
export class DeliveryFault extends LiquidFault {
  override readonly name = 'DeliveryError'
  constructor(
    message: string,
    /** `missing`: its template is gone; `permanent`: another attempt would fail alike; `temporary`: it may not. */
    readonly kind: 'missing' | 'permanent' | 'temporary',
    place: TemplateLocation | null = null,
  ) {
    super(message)
    this.file = place?.file ?? null
    this.line = place?.line ?? null
  }
}

export interface TemplateLocation {
  readonly file: string
  readonly line: number
}

/** Where a setting of a template stands, by its key; the file's first line without one. `body` is what follows the settings. */
export function placeOf(
  { file, lines }: Pick<NotificationEntry, 'file' | 'lines'>,
  key: string | null = null,
): TemplateLocation {
  return { file, line: (key === null ? undefined : lines[key]) ?? 1 }
}

export interface Address {
  /** `''` without one. */
  readonly name: string
  readonly address: string
}

export interface Attachment {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
  /** Shown by the body, as `cid:…`; null for a file beside it. */
  readonly cid: string | null
}

/** A mail, ready to be sent. */
export interface Mail {
  readonly from: Address
  readonly to: readonly Address[]
  readonly cc: readonly Address[]
  readonly bcc: readonly Address[]
  readonly replyTo: readonly Address[]
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly attachments: readonly Attachment[]
  /** Values in ASCII. */
  readonly headers: Readonly<Record<string, string>>
  /** Without brackets. */
  readonly messageId: string
}

/** A recipient that the mail server did not take, while it took others of the same mail. */
export interface RefusedRecipient {
  readonly address: string
  readonly reason: string
  /** Another attempt may succeed. */
  readonly later: boolean
}

export interface Mailer {
  /**
   * @param only the recipients that have not got the mail yet; null for all
   * @throws DeliveryFault where none of them is taken
   */
  send(
    mail: Mail,
    only: readonly string[] | null,
  ): Promise<{
    readonly accepted: readonly string[]
    readonly refused: readonly RefusedRecipient[]
    readonly response: string
  }>
  close(): void
}

/** Where mails and texts of a site in development go, to be looked at. */
export interface Outbox {
  mail(mail: Mail): Promise<void>
  sms(sms: { readonly to: string; readonly content: string }): Promise<void>
}

/** What is remembered of a sending. */
export interface SentRecord {
  readonly channel: 'email' | 'sms' | 'api_call'
  /** Of the template; null for one that was sent whole. */
  readonly name: string | null
  readonly content: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
  /** Null where it was sent. */
  readonly error: string | null
  /** The same for each attempt of a job; null for what no job sends. */
  readonly once: string | null
}

export interface SentLog {
  /** What was noted of a sending that succeeded, null where none has. */
  find(once: string): Promise<{ readonly options: Readonly<Record<string, unknown>> } | null>
  /** Never rejects: what is sent is sent. */
  note(record: SentRecord): Promise<void>
}
