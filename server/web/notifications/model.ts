/** Types for emails, text messages and API calls. */
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

/** The dependencies of sending. There is one object per process or worker thread. */
export interface Notifications {
  readonly environment: Environment
  readonly delivery: DeliverySettings
  /** Sends requests to URLs that the site determines. The address filter applies. */
  readonly outgoing: Outgoing
  /** Sends requests to URLs of the settings, which may be in the private network. */
  readonly trusted: Outgoing
  /** Null without an SMTP server. */
  readonly mailer: Mailer | null
  readonly outbox: Outbox
  readonly deliveries: DeliveryRecords
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
  /** `Settings.originOverrides`. */
  readonly originOverrides?: OriginOverrides
  readonly dataFolder: string
  readonly sql: Sql
  readonly files: FileService | null
  readonly logger: Logger
  /** Absent or null when metrics are disabled. */
  readonly measures?: Measures | null
}

/** Tasks of jobs that deliver a notification. */
export type DeliveryTask = Extract<JobTask, { readonly kind: 'notification' | 'email' | 'sms' }>

/** A job that delivers a notification. */
export interface DeliveryJob {
  /** Id of the job in the queue. It is the same for all attempts. */
  readonly id: string
  /** Creates a render with the context of the job. The format `html` escapes output, other formats do not. */
  render(format: Format): Render
  /** The site whose assets may be attached. */
  readonly assetSite: AssetSite
}

/** A failed delivery. */
export class DeliveryFault extends LiquidFault {
  override readonly name = 'DeliveryError'
  constructor(
    message: string,
    /**
     * `missing`: the template does not exist; `permanent`: a retry would fail too; `temporary`: a retry may succeed.
     */
    readonly kind: 'missing' | 'permanent' | 'temporary',
    location: TemplateLocation | null = null,
  ) {
    super(message)
    this.file = location?.file ?? null
    this.line = location?.line ?? null
  }
}

/** A location in a template. */
export interface TemplateLocation {
  readonly file: string
  readonly line: number
}

/**
 * Returns the location of a template's setting. Without a key, returns the first line. The key `body` is the text after
 * the front matter.
 */
export function settingLocation(
  { file, lines }: Pick<NotificationEntry, 'file' | 'lines'>,
  key: string | null = null,
): TemplateLocation {
  return { file, line: (key === null ? undefined : lines[key]) ?? 1 }
}

/** An email address with a display name. */
export interface Address {
  /** `''` without a display name. */
  readonly name: string
  readonly address: string
}

/** A file in an email. */
export interface Attachment {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
  /** Content id of an embedded file, referenced as `cid:…`; null for a regular attachment. */
  readonly cid: string | null
}

/** An email that is ready to send. */
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
  /** The values are ASCII. */
  readonly headers: Readonly<Record<string, string>>
  /** Without angle brackets. */
  readonly messageId: string
}

/** A recipient that the server refused while it accepted other recipients of the same email. */
export interface RefusedRecipient {
  readonly address: string
  readonly reason: string
  /** Whether a retry may succeed. */
  readonly isTemporary: boolean
}

/** Sends emails. */
export interface Mailer {
  /**
   * Sends an email.
   * @param only recipients that have not received the email yet; null for all
   * @throws DeliveryFault when the server accepts no recipient
   */
  send(
    mail: Mail,
    only: readonly string[] | null,
  ): Promise<{
    readonly acceptedRecipients: readonly string[]
    readonly refusedRecipients: readonly RefusedRecipient[]
    readonly response: string
  }>
  close(): void
}

/** Stores the emails and text messages of a site in development, instead of sending them. */
export interface Outbox {
  mail(mail: Mail): Promise<void>
  sms(sms: { readonly to: string; readonly content: string }): Promise<void>
}

/** The record of a delivery. */
export interface SentRecord {
  readonly channel: 'email' | 'sms' | 'api_call'
  /** Name of the template; null without a template. */
  readonly name: string | null
  readonly content: Readonly<Record<string, unknown>>
  readonly options: Readonly<Record<string, unknown>>
  /** Null when the delivery succeeded. */
  readonly error: string | null
  /** Identifies the delivery over all attempts of a job; null outside of jobs. */
  readonly deliveryId: string | null
}

/** The records of deliveries. */
export interface DeliveryRecords {
  /** Returns the record of an earlier successful attempt, or null. */
  find(deliveryId: string): Promise<{ readonly options: Readonly<Record<string, unknown>> } | null>
  /** Records a delivery. Never rejects, because the delivery cannot be undone. */
  record(record: SentRecord): Promise<void>
  /** Notes that a template kept its message from being sent. Only recordings of requests hold this. */
  skip(skipped: SkippedMessage): void
}

/** A message that its template kept from being sent. */
export interface SkippedMessage {
  readonly channel: SentRecord['channel']
  readonly name: string
  /** A sentence. */
  readonly reason: string
  readonly place: TemplateLocation
}
