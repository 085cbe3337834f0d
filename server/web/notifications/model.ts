/** Types that mails, text messages and API calls share. */
import type { Sql } from 'postgres'
import { LiquidFault } from '../../../runtime/page/fault.ts'
import type { JobTask } from '../../../runtime/data/jobs.ts'
import type { Render } from '../../../runtime/page/render.ts'
import type { Format, NotificationEntry } from '../../../runtime/page/site.ts'
import type { FileService } from '../files/files.ts'
import type { Outgoing, OriginOverrides } from '../../core/net/outgoing.ts'
import type { Measures } from '../../core/contracts/observer.ts'
import type { Logger } from '../../core/contracts/log.ts'
import type { AssetSite } from '../site/assets.ts'
import type { DeliverySettings, Environment } from '../../core/settings.ts'

/** What sending needs. One for a process or a job thread. */
export interface Notifications {
  readonly environment: Environment
  readonly delivery: DeliverySettings
  /** For URLs of the site: the address filter applies. */
  readonly outgoing: Outgoing
  /** For URLs of the settings, which may be in the private network. */
  readonly trusted: Outgoing
  /** Null without an SMTP server. */
  readonly mailer: Mailer | null
  readonly outbox: Outbox
  readonly sent: SentLog
  /** Null without a file store. */
  readonly files: FileService | null
  readonly logger: Logger
  close(): Promise<void>
}

/** Options of `openNotifications`. */
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
  /** Absent or null where nothing is measured. */
  readonly measures?: Measures | null
}

/** Tasks of jobs that deliver something. */
export type DeliveryTask = Extract<JobTask, { readonly kind: 'notification' | 'email' | 'sms' }>

/** A job that delivers something. */
export interface DeliveryJob {
  /** Id of the job in the queue, the same for all attempts. */
  readonly id: string
  /** Creates a render with the context of the job. `html` escapes for HTML, any other format does not. */
  render(format: Format): Render
  /** The site whose assets may be attached. */
  readonly loaded: AssetSite
}

/** A failed delivery. */
export class DeliveryFault extends LiquidFault {
  override readonly name = 'DeliveryError'
  constructor(
    message: string,
    /** `missing`: the template is gone; `permanent`: a retry would fail too; `temporary`: a retry may succeed. */
    readonly kind: 'missing' | 'permanent' | 'temporary',
    location: TemplateLocation | null = null,
  ) {
    super(message)
    this.file = location?.file ?? null
    this.line = location?.line ?? null
  }
}

export interface TemplateLocation {
  readonly file: string
  readonly line: number
}

/**
 * Location of a template's setting by its key; by default the first line. `body` is the text after the front matter.
 */
export function locationOf(
  { file, lines }: Pick<NotificationEntry, 'file' | 'lines'>,
  key: string | null = null,
): TemplateLocation {
  return { file, line: (key === null ? undefined : lines[key]) ?? 1 }
}

export interface Address {
  /** `''` when there is none. */
  readonly name: string
  readonly address: string
}

export interface Attachment {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
  /** Content id of an embedded file, referenced as `cid:…`; null for an attachment. */
  readonly cid: string | null
}

/** A mail that is ready to send. */
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
  /** Values are ASCII. */
  readonly headers: Readonly<Record<string, string>>
  /** Without angle brackets. */
  readonly messageId: string
}

/** A recipient that the server refused while it accepted others of the same mail. */
export interface RefusedRecipient {
  readonly address: string
  readonly reason: string
  /** Whether a retry may succeed. */
  readonly later: boolean
}

export interface Mailer {
  /**
   * Sends a mail.
   * @param only recipients that have not received the mail yet; null for all
   * @throws DeliveryFault when the server accepts none of them
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

/** Where mails and text messages of a site in development are kept for viewing. */
export interface Outbox {
  mail(mail: Mail): Promise<void>
  sms(sms: { readonly to: string; readonly content: string }): Promise<void>
}

/** The record of a delivery. */
export interface SentRecord {
  readonly channel: 'email' | 'sms' | 'api_call'
  /** Name of the template; null when it was given directly. */
  readonly name: string | null
  readonly content: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
  /** Null when it was delivered. */
  readonly error: string | null
  /** Identifies the delivery over all attempts of a job; null outside of jobs. */
  readonly deliveryId: string | null
}

export interface SentLog {
  /** The record of an earlier successful attempt, null when there is none. */
  find(deliveryId: string): Promise<{ readonly options: Readonly<Record<string, unknown>> } | null>
  /** Records a delivery. Never rejects, because the delivery cannot be undone. */
  note(record: SentRecord): Promise<void>
}
