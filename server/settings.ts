/** The server's settings. Only this file reads the environment; command line options take precedence. */
import { availableParallelism } from 'node:os'
import * as z from 'zod'
import { StartError } from './start-error.ts'

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const number = (least: number, most: number) => z.coerce.number().int().min(least).max(most)

/** A base URL, to which paths are appended. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#]/.test(text))
  .transform((text) => text.replace(/\/+$/, ''))

/** `https://api.example=http://127.0.0.1:9999,…`: the second server of each pair is contacted instead of the first. */
const standIns = z.string().transform((text, context) => {
  const pairs = listed(text).map((entry) => entry.split('='))
  const origins = pairs.map((pair) => pair.map(originOf))
  if (origins.every((pair) => pair.length === 2 && !pair.includes(null))) {
    return Object.fromEntries(origins) as Readonly<Record<string, string>>
  }
  context.addIssue({ code: 'custom', message: 'no pairs of servers' })
  return z.NEVER
})

/** The origin of a server's URL; null when the text is no URL, or contains more than an origin. */
function originOf(text: string): string | null {
  const trimmed = text.trim().replace(/\/$/, '')
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(trimmed) || !URL.canParse(trimmed)) return null
  return new URL(trimmed).origin
}

/** A path of the server's own, without a query. */
const ownPath = z.string().regex(/^\/[\w.~/-]{1,200}$/)

/** `shop.example,*.shop.example` */
const hostNames = z.string().regex(/^\s*(?:\*\.)?[\w.-]+\s*(?:,\s*(?:\*\.)?[\w.-]+\s*)*$/)

/** All variables with their types and defaults. */
const environment = z.object({
  /** Host name or address to listen on. */
  HOST: z.string().min(1).default('localhost'),
  /** Port to listen on; 0 takes a free one. */
  PORT: number(0, 65_535).default(3000),
  INGOT_ENV: z.enum(['development', 'staging', 'production']).optional(),
  /** Number of processes that `serve` runs. */
  INGOT_WORKERS: number(2, 64).optional(),
  /** Lowest level that is logged. */
  INGOT_LOG: z.enum(LEVELS).default('info'),
  /** Number of proxies whose `X-Forwarded-*` headers are trusted. */
  INGOT_PROXIES: number(0, 16).default(0),
  /** Host names that the site answers to, separated by commas: `shop.example,*.shop.example`. */
  INGOT_HOSTS: hostNames.optional(),
  /** Other hosts to which a redirect may lead although the request named them, separated by commas. */
  INGOT_REDIRECT_HOSTS: hostNames.optional(),
  /** Requests that an address may send to a process in five minutes; 0 sets no limit. */
  INGOT_RATE: number(0, 1_000_000).default(0),
  /** Largest request body in bytes. */
  INGOT_BODY_LIMIT: number(1024, 1_073_741_824).default(1_048_576),
  /** Seconds that open requests get when the server stops. */
  INGOT_GRACE: number(0, 600).default(10),
  /** Seconds without a heartbeat after which a process is replaced. */
  INGOT_SILENCE: number(1, 600).default(10),
  /** Seconds in which a server that stops still answers everything, and says that it is not ready. */
  INGOT_DRAIN: number(0, 600).default(0),
  /** Path that answers while the process lives. */
  INGOT_UP_PATH: ownPath.default('/_ingot/up'),
  /** Path that answers whether requests may be sent here. */
  INGOT_READY_PATH: ownPath.default('/_ingot/ready'),
  /** Port of its own for the metrics. */
  INGOT_METRICS_PORT: number(0, 65_535).optional(),
  /** Token for the metrics; with it they are also shown on the server's port. */
  INGOT_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/)
    .optional(),
  /** Path of the metrics. */
  INGOT_METRICS_PATH: ownPath.default('/_ingot/metrics'),
  /** Milliseconds from which a query is logged as slow; 0 for never. */
  INGOT_SLOW_QUERY: number(0, 3_600_000).default(1_000),
  /** Milliseconds from which a page is logged as slow; 0 for never. */
  INGOT_SLOW_PAGE: number(0, 3_600_000).default(2_000),
  /** URL of a PostgreSQL database; without it an embedded one is run. */
  DATABASE_URL: z.string().optional(),
  /** URL of a read-only replica, for queries that ask for one. */
  DATABASE_REPLICA_URL: z.string().optional(),
  /** Data folder, which contains the embedded PostgreSQL and files. */
  INGOT_DATA: z.string().optional(),
  /** Folder in which the embedded PostgreSQL keeps its write-ahead log. */
  INGOT_WAL_ARCHIVE: z.string().min(1).optional(),
  /** Database connections of each process. */
  INGOT_POOL: number(2, 1000).default(10),
  /** Secret that encrypts the site's constants and signs what visitors receive. */
  INGOT_SECRET: z.string().min(16).optional(),
  /** Minutes without a visit after which a session expires. */
  INGOT_SESSION_MINUTES: number(1, 5_259_600).default(525_960),
  /** A token with full access to `/api/graph`. */
  INGOT_API_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/)
    .optional(),
  /** Base URL of reCAPTCHA's script and verification. */
  INGOT_RECAPTCHA_URL: address.optional(),
  /** Base URL of hCaptcha. */
  INGOT_HCAPTCHA_URL: address.optional(),
  /** Largest uploaded file in bytes. */
  INGOT_UPLOAD_LIMIT: number(1024, 2_147_483_648).default(25_000_000),
  /** URL of an S3-compatible store for files; without it they are stored in the data folder. */
  INGOT_S3_ENDPOINT: address.optional(),
  INGOT_S3_BUCKET: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/)
    .optional(),
  INGOT_S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .default('us-east-1'),
  INGOT_S3_KEY: z.string().optional(),
  INGOT_S3_SECRET: z.string().optional(),
  /** Base URL at which browsers read the bucket's public files directly. */
  INGOT_S3_PUBLIC_URL: address.optional(),
  /** Jobs that a job process runs at once; 0 runs none. */
  INGOT_JOB_THREADS: number(0, 64).optional(),
  /** Memory limit of a job in megabytes. */
  INGOT_JOB_MEMORY: number(32, 65_536).default(256),
  /** Time limit of a job in seconds, by priority. */
  INGOT_JOB_SECONDS_HIGH: number(1, 86_400).default(60),
  INGOT_JOB_SECONDS: number(1, 86_400).default(300),
  INGOT_JOB_SECONDS_LOW: number(1, 604_800).default(14_400),
  /** Seconds without a heartbeat after which a server's jobs are given back to the queue. */
  INGOT_JOB_SILENCE: number(3, 3_600).default(60),
  /** URL of the SMTP server: `smtp://user:password@host:587`, `smtps://…`. */
  INGOT_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Default sender of mails. */
  INGOT_MAIL_FROM: z.string().min(3).optional(),
  /** Address that receives all mail of a staging server. */
  INGOT_TEST_EMAIL: z.string().min(3).optional(),
  /** URL of an SMS gateway that accepts the JSON `{ "to", "content" }`. */
  INGOT_SMS_URL: address.optional(),
  /** Sent to the gateway as `Authorization: Bearer …`. */
  INGOT_SMS_TOKEN: z.string().optional(),
  /**
   * Hosts and networks of the private network that the site may connect to, separated by commas:
   * `10.1.0.0/16,billing.internal`.
   */
  INGOT_OUTGOING: z.string().optional(),
  /** Servers to contact instead of others while a site is tested: `https://api.example=http://127.0.0.1:9999`. */
  INGOT_OUTGOING_STAND_IN: standIns.optional(),
  /** Days to keep entries of the log. */
  INGOT_LOG_DAYS: number(1, 3_650).default(30),
  /** Days to keep exports with their files. */
  INGOT_EXPORT_DAYS: number(1, 3_650).default(30),
  /** Days to keep dead jobs. */
  INGOT_JOB_DAYS: number(1, 3_650).default(90),
  /** URL of a receiver of OpenTelemetry's; its SDK reads this and all other variables of the name. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  /** The same for traces alone. */
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  /** `true` switches OpenTelemetry off. */
  OTEL_SDK_DISABLED: z.string().optional(),
  /** URL of a Redis or Valkey for cached fragments; without it they are kept in the database. */
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
})

/** Variables whose value no message may contain. */
const SECRETS: ReadonlySet<string> = new Set([
  'INGOT_SECRET',
  'INGOT_API_TOKEN',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'INGOT_S3_KEY',
  'INGOT_S3_SECRET',
  'INGOT_SMTP_URL',
  'INGOT_SMS_TOKEN',
  'INGOT_METRICS_TOKEN',
  'REDIS_URL',
])

export type Environment = 'development' | 'staging' | 'production'

export interface Settings {
  readonly host: string
  readonly port: number
  readonly environment: Environment
  readonly workers: number
  readonly logLevel: (typeof LEVELS)[number]
  readonly proxies: number
  /** Host names that the site answers to, without ports; `*.` stands for any subdomain. Empty for all. */
  readonly hosts: readonly string[]
  /** Other hosts to which a redirect may lead although the request named them. */
  readonly redirectHosts: readonly string[]
  /** Requests that an address may send to a process in five minutes; 0 sets no limit. */
  readonly rate: number
  readonly bodyLimit: number
  /** In seconds. */
  readonly grace: number
  /** In seconds. */
  readonly silence: number
  /** Null runs an embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null
  readonly replicaUrl: string | null
  /** Null uses the site's folder `.ingot-data`. */
  readonly dataFolder: string | null
  /** Folder in which the embedded PostgreSQL keeps its write-ahead log; null keeps none. */
  readonly walArchive: string | null
  /** Connections of each process. */
  readonly pool: number
  /** Null creates a secret in the data folder. */
  readonly secret: string | null
  /** Lifetime of a session without a visit, unless the sign-in sets another one. */
  readonly sessionMinutes: number
  readonly apiToken: string | null
  /** Null for Google's URL. */
  readonly recaptchaUrl: string | null
  /** Null for hCaptcha's URL. */
  readonly hcaptchaUrl: string | null
  /** Largest file in bytes. */
  readonly uploadLimit: number
  /** Null stores files in the data folder. */
  readonly s3: S3Settings | null
  readonly jobs: JobSettings
  readonly observe: ObserveSettings
  readonly delivery: DeliverySettings
  /** Hosts and networks of the private network that the site may connect to. */
  readonly outgoing: readonly string[]
  /** Origins of servers to contact instead, by the origin of the original; empty in production. */
  readonly standIns: Readonly<Record<string, string>>
  /** Days after which old rows are deleted. */
  readonly keptDays: { readonly log: number; readonly exports: number; readonly deadJobs: number }
  /** Null keeps cached fragments in the database. */
  readonly redisUrl: string | null
}

/** Settings of jobs. */
export interface JobSettings {
  /** Jobs that a process runs at once; 0 runs none. */
  readonly threads: number
  /** Memory limit of a job in megabytes. */
  readonly memory: number
  readonly seconds: { readonly high: number; readonly default: number; readonly low: number }
  /** Seconds without a heartbeat after which a server's jobs are given back to the queue. */
  readonly silence: number
}

/** Settings of what a server tells of itself. */
export interface ObserveSettings {
  readonly upPath: string
  readonly readyPath: string
  /** Seconds in which a server that stops answers on. */
  readonly drain: number
  readonly metrics: MetricsSettings
  /** Whether traces are sent. */
  readonly traces: boolean
  /** Milliseconds from which a query is logged, null for never. */
  readonly slowQuery: number | null
  /** The same of a page. */
  readonly slowPage: number | null
}

/** Where metrics are shown; nothing is measured without a port and without a token. */
export interface MetricsSettings {
  readonly port: number | null
  readonly token: string | null
  readonly path: string
}

/** Settings of mails and text messages. */
export interface DeliverySettings {
  /** Null writes mails to the outbox in development; otherwise sending fails. */
  readonly smtpUrl: string | null
  readonly from: string | null
  /** Address that receives all mail of a staging server. */
  readonly testEmail: string | null
  readonly smsUrl: string | null
  readonly smsToken: string | null
}

/** Settings of an S3-compatible store. */
export interface S3Settings {
  /** `https://s3.eu-central-1.amazonaws.com`; the bucket is added as the first segment of the path. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly key: string
  readonly secret: string
  /** Base URL that serves the bucket's public files without a signature, null when there is none. */
  readonly publicUrl: string | null
}

/** The settings of a process once its database is available. */
export interface ReadySettings extends Settings {
  readonly databaseUrl: string
  /** Absolute path. */
  readonly dataFolder: string
}

/**
 * Reads the settings.
 * @param variables the process's environment; empty values count as unset
 * @param fallback the environment to use when `INGOT_ENV` is unset
 * @throws StartError that names the invalid variable
 */
export function readSettings(variables: NodeJS.ProcessEnv, fallback: Environment): Settings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const read = environment.safeParse(given)
  if (!read.success) {
    const issue = read.error.issues[0]
    const name = String(issue?.path[0])
    const value = SECRETS.has(name) ? 'what it is' : `'${given[name]}'`
    throw new StartError(`The variable ${name} cannot be ${value}: ${expected(name)}.`)
  }
  const { data } = read
  if ((data.INGOT_ENV ?? fallback) === 'production' && data.INGOT_OUTGOING_STAND_IN !== undefined) {
    throw new StartError(
      'The variable INGOT_OUTGOING_STAND_IN is for trying a site out, and cannot be set in production: set INGOT_ENV to staging or development, or leave it out.',
    )
  }
  return {
    host: data.HOST,
    port: data.PORT,
    environment: data.INGOT_ENV ?? fallback,
    // At least two: while a page keeps one busy, the other answers.
    workers: data.INGOT_WORKERS ?? Math.max(2, Math.min(availableParallelism(), 4)),
    logLevel: data.INGOT_LOG,
    proxies: data.INGOT_PROXIES,
    hosts: listed(data.INGOT_HOSTS),
    redirectHosts: listed(data.INGOT_REDIRECT_HOSTS),
    rate: data.INGOT_RATE,
    bodyLimit: data.INGOT_BODY_LIMIT,
    grace: data.INGOT_GRACE,
    silence: data.INGOT_SILENCE,
    databaseUrl: data.DATABASE_URL ?? null,
    replicaUrl: data.DATABASE_REPLICA_URL ?? null,
    dataFolder: data.INGOT_DATA ?? null,
    walArchive: data.INGOT_WAL_ARCHIVE ?? null,
    pool: data.INGOT_POOL,
    secret: data.INGOT_SECRET ?? null,
    sessionMinutes: data.INGOT_SESSION_MINUTES,
    apiToken: data.INGOT_API_TOKEN ?? null,
    recaptchaUrl: data.INGOT_RECAPTCHA_URL ?? null,
    hcaptchaUrl: data.INGOT_HCAPTCHA_URL ?? null,
    uploadLimit: data.INGOT_UPLOAD_LIMIT,
    s3: s3Of(data),
    jobs: {
      threads: data.INGOT_JOB_THREADS ?? Math.max(2, Math.min(availableParallelism(), 4)),
      memory: data.INGOT_JOB_MEMORY,
      seconds: {
        high: data.INGOT_JOB_SECONDS_HIGH,
        default: data.INGOT_JOB_SECONDS,
        low: data.INGOT_JOB_SECONDS_LOW,
      },
      silence: data.INGOT_JOB_SILENCE,
    },
    observe: observeOf(data),
    delivery: {
      smtpUrl: data.INGOT_SMTP_URL ?? null,
      from: data.INGOT_MAIL_FROM ?? null,
      testEmail: data.INGOT_TEST_EMAIL ?? null,
      smsUrl: data.INGOT_SMS_URL ?? null,
      smsToken: data.INGOT_SMS_TOKEN ?? null,
    },
    outgoing: listed(data.INGOT_OUTGOING),
    standIns: data.INGOT_OUTGOING_STAND_IN ?? {},
    keptDays: { log: data.INGOT_LOG_DAYS, exports: data.INGOT_EXPORT_DAYS, deadJobs: data.INGOT_JOB_DAYS },
    redisUrl: data.REDIS_URL ?? null,
  }
}

function listed(text = ''): readonly string[] {
  return text.split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]))
}

function observeOf(data: z.infer<typeof environment>): ObserveSettings {
  const { INGOT_UP_PATH, INGOT_READY_PATH, INGOT_METRICS_PATH } = data
  const paths = { INGOT_UP_PATH, INGOT_READY_PATH, INGOT_METRICS_PATH }
  if (new Set(Object.values(paths)).size < Object.keys(paths).length)
    throw new StartError(`Two of ${Object.keys(paths).join(', ')} are the same path: give each its own.`)
  return {
    upPath: INGOT_UP_PATH,
    readyPath: INGOT_READY_PATH,
    drain: data.INGOT_DRAIN,
    metrics: {
      port: data.INGOT_METRICS_PORT ?? null,
      token: data.INGOT_METRICS_TOKEN ?? null,
      path: INGOT_METRICS_PATH,
    },
    traces:
      (data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? data.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined &&
      data.OTEL_SDK_DISABLED?.trim().toLowerCase() !== 'true',
    slowQuery: data.INGOT_SLOW_QUERY === 0 ? null : data.INGOT_SLOW_QUERY,
    slowPage: data.INGOT_SLOW_PAGE === 0 ? null : data.INGOT_SLOW_PAGE,
  }
}

// Incomplete settings are an error: a store that only half works would lose files.
function s3Of(data: z.infer<typeof environment>): S3Settings | null {
  const { INGOT_S3_ENDPOINT: endpoint, INGOT_S3_BUCKET: bucket, INGOT_S3_KEY: key, INGOT_S3_SECRET: secret } = data
  const given = { INGOT_S3_ENDPOINT: endpoint, INGOT_S3_BUCKET: bucket, INGOT_S3_KEY: key, INGOT_S3_SECRET: secret }
  if (endpoint !== undefined && bucket !== undefined && key !== undefined && secret !== undefined) {
    return { endpoint, bucket, region: data.INGOT_S3_REGION, key, secret, publicUrl: data.INGOT_S3_PUBLIC_URL ?? null }
  }
  const names = Object.entries(given)
  const missing = names.filter(([, value]) => value === undefined).map(([name]) => name)
  if (missing.length === names.length) return null
  throw new StartError(
    `The store of files lacks ${missing.join(' and ')}: give all of ${Object.keys(given).join(', ')}.`,
  )
}

function expected(name: string): string {
  switch (name) {
    case 'PORT':
    case 'INGOT_METRICS_PORT':
      return 'give a number from 0 to 65535'
    case 'INGOT_ENV':
      return 'give development, staging or production'
    case 'INGOT_LOG':
      return `give one of ${LEVELS.join(', ')}`
    case 'INGOT_WORKERS':
      return 'give a number from 2 to 64'
    case 'INGOT_PROXIES':
      return 'give a number from 0 to 16'
    case 'INGOT_HOSTS':
    case 'INGOT_REDIRECT_HOSTS':
      return 'give names with commas between them, such as shop.example,*.shop.example'
    case 'INGOT_RATE':
      return 'give a number from 0 to 1000000'
    case 'INGOT_BODY_LIMIT':
      return 'give a number of bytes from 1024 to 1073741824'
    case 'INGOT_POOL':
      return 'give a number from 2 to 1000'
    case 'INGOT_SECRET':
      return 'give at least 16 characters'
    case 'INGOT_SESSION_MINUTES':
      return 'give a number of minutes from 1 to 5259600'
    case 'INGOT_SLOW_QUERY':
    case 'INGOT_SLOW_PAGE':
      return 'give a number of milliseconds from 0 to 3600000'
    case 'INGOT_METRICS_TOKEN':
    case 'INGOT_API_TOKEN':
      return 'give 16 to 256 printable characters without spaces'
    case 'INGOT_RECAPTCHA_URL':
    case 'INGOT_HCAPTCHA_URL':
      return 'give an address such as https://www.recaptcha.net/recaptcha'
    case 'INGOT_UPLOAD_LIMIT':
      return 'give a number of bytes from 1024 to 2147483648'
    case 'INGOT_S3_ENDPOINT':
    case 'INGOT_S3_PUBLIC_URL':
      return 'give an address such as https://s3.eu-central-1.amazonaws.com'
    case 'INGOT_S3_BUCKET':
      return 'give 3 to 63 small letters, digits, dots and dashes'
    case 'INGOT_S3_REGION':
      return 'give a name such as eu-central-1'
    case 'INGOT_JOB_THREADS':
      return 'give a number from 0 to 64'
    case 'INGOT_JOB_MEMORY':
      return 'give a number of megabytes from 32 to 65536'
    case 'INGOT_JOB_SILENCE':
      return 'give a number of seconds from 3 to 3600'
    case 'INGOT_JOB_SECONDS_HIGH':
    case 'INGOT_JOB_SECONDS':
      return 'give a number of seconds from 1 to 86400'
    case 'INGOT_JOB_SECONDS_LOW':
      return 'give a number of seconds from 1 to 604800'
    case 'INGOT_SMTP_URL':
      return 'give an address such as smtp://user:password@mail.example.com:587'
    case 'INGOT_MAIL_FROM':
    case 'INGOT_TEST_EMAIL':
      return 'give an e-mail address'
    case 'INGOT_SMS_URL':
      return 'give an address such as https://sms.example.com/send'
    case 'INGOT_OUTGOING_STAND_IN':
      return 'give pairs such as https://api.example=http://127.0.0.1:9999, with commas between them'
    case 'INGOT_LOG_DAYS':
    case 'INGOT_EXPORT_DAYS':
    case 'INGOT_JOB_DAYS':
      return 'give a number of days from 1 to 3650'
    case 'REDIS_URL':
      return 'give an address such as redis://localhost:6379'
    case 'INGOT_UP_PATH':
    case 'INGOT_READY_PATH':
    case 'INGOT_METRICS_PATH':
      return 'give a path such as /_ingot/up'
    case 'INGOT_SILENCE':
      return 'give a number of seconds from 1 to 600'
    default:
      return 'give a number of seconds from 0 to 600'
  }
}
