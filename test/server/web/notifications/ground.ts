/** The setup of tests of notifications: templates in the form that the compiler emits, real SMTP and HTTP servers, and a database. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { locate } from '../../../../runtime/page/locate.ts'
import { Render } from '../../../../runtime/page/render.ts'
import type { LogPort, Services } from '../../../../runtime/page/services.ts'
import type {
  ApiCallEntry,
  CompiledSite,
  EmailEntry,
  NotificationEntry,
  Scope,
  Setting,
  SmsEntry,
} from '../../../../runtime/page/site.ts'
import { get } from '../../../../runtime/page/values/access.ts'
import type { DeliveryJob, Notifications } from '../../../../server/web/notifications/model.ts'
import { openNotifications } from '../../../../server/web/notifications/open.ts'
import { assetUrls } from '../../../../server/core/services/asset-urls.ts'
import { systemClock } from '../../../../server/core/services/clock.ts'
import { systemRandom } from '../../../../server/core/services/random.ts'
import type { DeliverySettings, Environment } from '../../../../server/core/settings.ts'
import { createBareContext } from '../../../../server/web/site/context.ts'
import type { FileService } from '../../../../server/web/files/files.ts'
import { type TestDatabase, testDatabase } from '../../../support/database.ts'
import { site } from '../../../support/server/site.ts'

/** Returns a Liquid setting that supports only outputs of paths: `{{ path.of.a.value }}`. */
export function liquid(text: string): Setting {
  return { kind: 'liquid', render: (r, scope) => template(text)(r, scope) }
}

export function template(text: string): (r: Render, scope: Scope) => string {
  return (r, scope) =>
    text.replace(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) => {
      const [first = '', ...rest] = path.split('.')
      const start: unknown = first === 'context' ? r.context : scope[first]
      return r.escape(rest.reduce<unknown>((value, key) => get(value, key), start))
    })
}

export function plain(value: unknown): Setting {
  return { kind: 'plain', value }
}

function common(name: string, folder: string): NotificationEntry {
  return {
    file: `app/${folder}/${name}.liquid`,
    name,
    lines: {},
    enabled: true,
    to: null,
    delay: null,
    triggerCondition: null,
    locale: null,
    metadata: { kind: 'map', entries: {} },
    render: () => '',
  }
}

export function email(name: string, more: Partial<EmailEntry> = {}): EmailEntry {
  const none = { replyTo: null, cc: null, bcc: null, layout: null, attachments: null, uniqueArgs: null }
  return {
    ...common(name, 'emails'),
    ...none,
    to: plain('ann@example.com'),
    from: plain('shop@example.com'),
    subject: plain('Hello'),
    render: () => '<p>Hello</p>',
    ...more,
  }
}

export function sms(name: string, more: Partial<SmsEntry> = {}): SmsEntry {
  return {
    ...common(name, 'smses'),
    content: null,
    to: plain('+48512345678'),
    render: () => 'Your code is 12',
    ...more,
  }
}

export function apiCall(name: string, more: Partial<ApiCallEntry> = {}): ApiCallEntry {
  return { ...common(name, 'api_calls'), requestType: plain('POST'), requestHeaders: null, callback: null, ...more }
}

export function siteOf(
  entries: readonly (EmailEntry | SmsEntry | ApiCallEntry)[],
  more: Partial<CompiledSite> = {},
): CompiledSite {
  const of = <E extends NotificationEntry>(folder: string): Record<string, E> =>
    Object.fromEntries(
      entries
        .filter(({ file }) => file.startsWith(`app/${folder}/`))
        .map((entry) => [entry.name, entry as unknown as E]),
    )
  return site([], { emails: of('emails'), smses: of('smses'), apiCalls: of('api_calls'), ...more })
}

export interface Standing extends Notifications {
  readonly database: TestDatabase
  readonly dataFolder: string
  readonly logged: Record<string, unknown>[]
  /** Returns the rows of the sent notifications, in order. */
  rows(): Promise<
    readonly {
      channel: string
      name: string | null
      content: Record<string, unknown>
      options: Record<string, unknown>
      error: string | null
    }[]
  >
}

const NONE: DeliverySettings = { smtpUrl: null, from: null, testEmail: null, smsUrl: null, smsToken: null }

export async function standing(): Promise<{
  open(
    environment: Environment,
    delivery?: Partial<DeliverySettings>,
    more?: { files?: FileService; outgoing?: readonly string[] },
  ): Standing
  close(): Promise<void>
}> {
  const database = await testDatabase()
  const dataFolder = mkdtempSync(join(tmpdir(), 'ingot-notifications-'))
  const opened: Notifications[] = []
  return {
    open(environment, delivery = {}, more = {}) {
      const logged: Record<string, unknown>[] = []
      const logger = pino({ level: 'debug' }, { write: (line) => void logged.push(JSON.parse(line)) })
      const parts = openNotifications({
        environment,
        delivery: { ...NONE, ...delivery },
        outgoing: more.outgoing ?? ['127.0.0.1'],
        dataFolder,
        sql: database.sql,
        files: more.files ?? null,
        logger,
      })
      opened.push(parts)
      return {
        ...parts,
        database,
        dataFolder,
        logged,
        rows: async () => [
          ...(await database.sql<Awaited<ReturnType<Standing['rows']>>[number][]>`
            select channel, name, content, options, error from ingot.notifications order by id`),
        ],
      }
    },
    async close() {
      for (const each of opened) await each.close()
      await database.close()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Returns a render outside of a request. It throws faults. */
export function renderOf(
  compiled: CompiledSite,
  format: 'html' | 'txt' = 'txt',
  host = 'shop.test',
  log: LogPort = { write: () => undefined },
): Render {
  const services: Services = {
    graphql: null,
    jobs: null,
    forms: null,
    sessions: null,
    accounts: null,
    challenge: null,
    transactions: null,
    cache: null,
    assets: assetUrls(() => compiled),
    fetch: null,
    clock: systemClock,
    random: systemRandom,
    log,
    locate: (fault) => locate(fault, { find: () => null, name: () => null }),
  }
  const facts = {
    environment: 'production',
    version: '0',
    siteName: 'shop',
    constants: () => ({}),
    modules: () => [],
  } as const
  return new Render(compiled, services, { context: createBareContext(facts, { host }), format, raise: true })
}

let jobs = 0

/** @param log receives the log entries of the delivery */
export function jobOf(compiled: CompiledSite, root = '/nowhere', log?: LogPort): DeliveryJob {
  const render: DeliveryJob['render'] = (format) =>
    renderOf(compiled, format === 'html' ? 'html' : 'txt', undefined, log)
  return { id: String(++jobs), assetSite: { site: compiled, root, folder: root }, render }
}

export interface Received {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly user: string | null
  readonly secure: boolean
}

/** Starts an SMTP server on the loopback address. */
export async function smtp(
  options: SMTPServerOptions = {},
): Promise<{ url: string; port: number; received: Received[]; connections(): number; close(): Promise<void> }> {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onConnect(_, done) {
      connections++
      done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          user: typeof session.user === 'string' ? session.user : null,
          secure: session.secure,
        })
        done(null)
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    connections: () => connections,
    close: () => new Promise((done) => server.close(() => done())),
  }
}
