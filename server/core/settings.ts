/** The server's settings. Only this file reads the environment; command line options take precedence. */
import { availableParallelism } from 'node:os'
import * as z from 'zod'
import { ENVIRONMENT, type Variable } from '../../runtime/data/environment.mjs'
import { type OidcProvider, parseOidcProviders } from './oidc-settings.ts'
import { originOverrides, parseList } from './setting-lists.ts'
import { StartError } from './start-error.ts'

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const numberBetween = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** A base URL; paths are appended to it. */
const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#]/.test(text))
  .transform((text) => text.replace(/\/+$/, ''))

/** A path on this server, without a query. */
const ownPath = z.string().regex(/^\/[\w.~/-]{1,200}$/)

const HOST_NAME = String.raw`\s*(?:(?:\*\.)?[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?\s*`

/** `shop.example,*.shop.example:8443` */
const hostNames = z.string().regex(new RegExp(`^${HOST_NAME}(?:,${HOST_NAME})*$`))

/** A number of requests. `off` means 0. */
const requestRate = z.union([z.literal('off').transform(() => 0), numberBetween(0, 1_000_000)])

/**
 * Default limit in production: requests that an address may send to a process in five minutes. One address may be an
 * office: 25 people who open a page every ten seconds, each with three requests of its scripts, send 3,000. The limit of
 * the original platform, 300, is too low for two people. A process answers 3,000 requests in seconds, so the limit only
 * stops scripts that run all day. Each process counts separately, and the connections of an address are spread over all
 * processes.
 */
const PRODUCTION_RATE = 3_000

type Groups = typeof ENVIRONMENT
type Name = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]

/** The descriptions of the variables, by name. */
const VARIABLES: Readonly<Record<string, Variable>> = Object.assign({}, ...Object.values(ENVIRONMENT))

/** All variables with their types and defaults. The list describes their purpose. */
const environment = z.object({
  HOST: z.string().min(1).default('localhost'),
  PORT: numberBetween(0, 65_535).default(3000),
  INGOT_ENV: z.enum(['development', 'staging', 'production']).optional(),
  INGOT_WORKERS: numberBetween(1, 64).optional(),
  INGOT_LOG: z.enum(LEVELS).default('info'),
  INGOT_PROXIES: numberBetween(0, 16).optional(),
  INGOT_HOSTS: hostNames.optional(),
  INGOT_REDIRECT_HOSTS: hostNames.optional(),
  INGOT_ASSETS_URL: address.optional(),
  INGOT_RATE: requestRate.optional(),
  INGOT_SIGN_UPS: numberBetween(0, 1_000_000).optional(),
  INGOT_NEW_SESSIONS: numberBetween(0, 1_000_000).optional(),
  INGOT_PASSWORDS_WAITING: numberBetween(4, 10_000).default(100),
  INGOT_BODY_LIMIT: numberBetween(1024, 1_073_741_824).default(1_048_576),
  INGOT_GRACE: numberBetween(0, 600).default(10),
  INGOT_SILENCE: numberBetween(1, 600).default(10),
  INGOT_DRAIN: numberBetween(0, 600).default(0),
  INGOT_UP_PATH: ownPath.default('/_ingot/up'),
  INGOT_READY_PATH: ownPath.default('/_ingot/ready'),
  INGOT_METRICS_PORT: numberBetween(0, 65_535).optional(),
  INGOT_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/)
    .optional(),
  INGOT_METRICS_PATH: ownPath.default('/_ingot/metrics'),
  INGOT_SLOW_QUERY: numberBetween(0, 3_600_000).default(1_000),
  INGOT_SLOW_PAGE: numberBetween(0, 3_600_000).default(2_000),
  INGOT_SLOW_PARTIAL: numberBetween(0, 3_600_000).default(10),
  INGOT_RECORDING: z.enum(['on', 'off']).default('on'),
  DATABASE_URL: z.string().optional(),
  DATABASE_REPLICA_URL: z.string().optional(),
  INGOT_REPLICA_LAG: numberBetween(0, 86_400).default(10),
  INGOT_DATA: z.string().optional(),
  INGOT_RELEASES: z.string().min(1).optional(),
  INGOT_WAL_ARCHIVE: z.string().min(1).optional(),
  INGOT_POOL: numberBetween(2, 1000).default(10),
  INGOT_SECRET: z.string().min(16).optional(),
  INGOT_SESSION_MINUTES: numberBetween(1, 5_259_600).default(525_960),
  INGOT_API_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/)
    .optional(),
  // NAME is the name of a provider. `parseOidcProviders` reads the variables of each provider.
  INGOT_OIDC_NAME_ISSUER: z.string().optional(),
  INGOT_OIDC_NAME_CLIENT_ID: z.string().optional(),
  INGOT_OIDC_NAME_CLIENT_SECRET: z.string().optional(),
  INGOT_OIDC_NAME_SCOPES: z.string().optional(),
  INGOT_OIDC_NAME_TRUST_EMAIL: z.string().optional(),
  INGOT_OIDC_NAME_RESPONSE_MODE: z.string().optional(),
  INGOT_RECAPTCHA_URL: address.optional(),
  INGOT_HCAPTCHA_URL: address.optional(),
  INGOT_DEPLOY_ERRORS: z.enum(['refuse', 'report']).default('refuse'),
  INGOT_UPLOAD_LIMIT: numberBetween(1024, 2_147_483_648).default(25_000_000),
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
  INGOT_S3_PUBLIC_URL: address.optional(),
  INGOT_JOB_THREADS: numberBetween(0, 64).optional(),
  INGOT_JOB_MEMORY: numberBetween(32, 65_536).default(256),
  INGOT_JOB_SECONDS_HIGH: numberBetween(1, 86_400).default(60),
  INGOT_JOB_SECONDS: numberBetween(1, 86_400).default(300),
  INGOT_JOB_SECONDS_LOW: numberBetween(1, 604_800).default(14_400),
  INGOT_JOB_SILENCE: numberBetween(3, 3_600).default(60),
  INGOT_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  INGOT_MAIL_FROM: z.string().min(3).optional(),
  INGOT_TEST_EMAIL: z.string().min(3).optional(),
  INGOT_SMS_URL: address.optional(),
  INGOT_SMS_TOKEN: z.string().optional(),
  INGOT_CHROMIUM: z.string().min(1).optional(),
  INGOT_PDF_SECONDS: numberBetween(1, 600).default(10),
  INGOT_PDF_MEMORY: numberBetween(256, 65_536).default(768),
  INGOT_PDF_AT_ONCE: numberBetween(1, 32).default(2),
  INGOT_PDF_HOSTS: hostNames.optional(),
  INGOT_PDF_SANDBOX: z.enum(['on', 'off']).default('on'),
  INGOT_OUTGOING: z.string().optional(),
  INGOT_OUTGOING_STAND_IN: originOverrides.optional(),
  INGOT_LOG_DAYS: numberBetween(1, 3_650).default(30),
  INGOT_EXPORT_DAYS: numberBetween(1, 3_650).default(30),
  INGOT_DEPLOYS_KEPT: numberBetween(1, 50).default(10),
  INGOT_DEPLOY_DAYS: numberBetween(1, 3_650).default(30),
  INGOT_JOB_DAYS: numberBetween(1, 3_650).default(90),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: z.string().optional(),
  OTEL_METRICS_EXPORTER: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  MPKIT_URL: z.string().optional(),
  MPKIT_TOKEN: z.string().optional(),
  MPKIT_EMAIL: z.string().optional(),
  CONFIG_FILE_PATH: z.string().optional(),
  INGOT_EDITOR: z.string().optional(),
  INGOT_MODULES: z.string().optional(),
  INGOT_LINKS: z.string().optional(),
} satisfies Record<Name, z.ZodType>)

/** Enough for a class or an office that signs up together, but not for a program that creates thousands of users. */
const PRODUCTION_SIGN_UPS = 20
/** One new visitor each second: enough for an office, or for the phones of one carrier behind one address. */
const PRODUCTION_NEW_SESSIONS = 300

export type Environment = 'development' | 'staging' | 'production'

export interface Settings {
  readonly host: string
  readonly port: number
  readonly environment: Environment
  readonly workers: number
  readonly logLevel: (typeof LEVELS)[number]
  /** Null when unset: no proxy is trusted, and a proxy that adds headers is reported. */
  readonly proxies: number | null
  /** Host names of the site; see `hostFilter`. Empty for all hosts, or in development for those of this machine. */
  readonly hosts: readonly string[]
  /** Other hosts that are allowed as redirect targets even when the request named them. */
  readonly redirectHosts: readonly string[]
  /** Base URL of assets in templates; null for addresses without a host. */
  readonly assetsUrl: string | null
  /** Requests that an address may send to a process in five minutes; 0 sets no limit. */
  readonly rate: number
  /** Users with a password that the visitors of a network may create in fifteen minutes; 0 sets no limit. */
  readonly signUps: number
  /** Sessions that are stored for visitors of one network without a cookie in five minutes; 0 sets no limit. */
  readonly newSessions: number
  /** Maximum number of passwords that wait to be hashed in a process. */
  readonly passwordsWaiting: number
  readonly bodyLimit: number
  /** Whether sites are deployed to this server. Only a command line option sets it. */
  readonly instance: boolean
  /** Whether a site with errors is served after a deploy. Each error then fails when it is reached. */
  readonly takesErrors: boolean
  /** Retention of deploys: the number of earlier releases, and the days for which requests and files are kept. */
  readonly deployRetention: { readonly releases: number; readonly days: number }
  /** Seconds that open requests have to finish when the server stops. */
  readonly grace: number
  /** Seconds without a heartbeat after which a process is replaced. */
  readonly silence: number
  /** URL of the database; null runs an embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | null
  readonly replicaUrl: string | null
  /** Seconds by which the replica may lag and still be used. */
  readonly replicaLag: number
  /** The data folder; null uses the site's folder `.ingot-data`. */
  readonly dataFolder: string | null
  /** Location of releases; null uses the folder `releases` in the data folder. */
  readonly releases: ReleasesPlace | null
  /** Folder in which the embedded PostgreSQL archives its write-ahead log; null for no archive. */
  readonly walArchive: string | null
  /** Connections of each process. */
  readonly pool: number
  /** Secret for encryption and signatures. When it is null, a secret is created in the data folder. */
  readonly secret: string | null
  /** Lifetime of a session without a visit, unless the sign-in sets another one. */
  readonly sessionMinutes: number
  readonly apiToken: string | null
  /** The OpenID Connect providers with which visitors can sign in. */
  readonly oidcProviders: readonly OidcProvider[]
  /** Base URL of reCAPTCHA; null for Google's URL. */
  readonly recaptchaUrl: string | null
  /** Base URL of hCaptcha; null for hCaptcha's own URL. */
  readonly hcaptchaUrl: string | null
  /** Maximum size of an uploaded file in bytes. */
  readonly uploadLimit: number
  /** The S3-compatible file store; null stores files in the data folder. */
  readonly s3: S3Settings | null
  readonly jobs: JobSettings
  readonly observe: ObserveSettings
  readonly delivery: DeliverySettings
  readonly print: PrintSettings
  /** Hosts and networks of the private network that the site may connect to. */
  readonly outgoing: readonly string[]
  /** Origins of servers to contact instead, by the origin of the original; empty in production. */
  readonly originOverrides: Readonly<Record<string, string>>
  /** Days after which old rows are deleted. */
  readonly retentionDays: { readonly log: number; readonly exports: number; readonly deadJobs: number }
  /** URL of the Redis server for cached fragments; null keeps them in the database. */
  readonly redisUrl: string | null
  readonly remote: RemoteSettings
  /** Folders outside of a site that symbolic links of the site may point to. */
  readonly links: readonly string[]
  /** Source of modules; null when each module must name its registry. */
  readonly modules: string | null
  /** Command of the editor that opens files from pages in development; null looks for a known one. */
  readonly editor: string | null
}

/** Settings that name another server. They are not validated, because most commands do not use another server. */
export interface RemoteSettings {
  readonly url: string | null
  readonly token: string | null
  readonly email: string | null
  /** Path of the file of environments, null for `.pos`. */
  readonly file: string | null
}

type ReleasesPlace = { readonly kind: 'database' } | { readonly kind: 'folder'; readonly folder: string }

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

/** Settings of health checks, metrics, traces and logs of slow work. */
export interface ObserveSettings {
  readonly upPath: string
  readonly readyPath: string
  /** Seconds for which a stopping server continues to answer. */
  readonly drain: number
  readonly metrics: MetricsSettings
  /** Whether traces are sent. */
  readonly traces: boolean
  /** Milliseconds from which a query is logged, null for never. */
  readonly slowQuery: number | null
  /** Milliseconds from which a page is logged, null for never. */
  readonly slowPage: number | null
  /** Milliseconds from which a partial gets its own span, null for never. */
  readonly slowPartial: number | null
  /** Whether requests and jobs are recorded in development. */
  readonly recording: boolean
}

/** Where metrics are shown or sent. Without a port, a token or a receiver, nothing is measured. */
export interface MetricsSettings {
  readonly port: number | null
  readonly token: string | null
  readonly path: string
  /** Whether they are sent to an OpenTelemetry receiver. */
  readonly sent: boolean
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

/** Settings of the Chromium that creates PDF files. */
export interface PrintSettings {
  /** Path of the program; null looks for one. */
  readonly chromium: string | null
  /** Seconds that a document may take. */
  readonly seconds: number
  /** Memory limit of a document in megabytes. */
  readonly memory: number
  /** Documents that are printed at once. */
  readonly atOnce: number
  /** Other hosts that documents may load images, styles and fonts from; `*.` matches any subdomain. */
  readonly hosts: readonly string[]
  /** Whether Chromium's own sandbox isolates documents from the machine. */
  readonly sandbox: boolean
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
  const nonEmptyVariables = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = environment.safeParse(nonEmptyVariables)
  if (!result.success) {
    const issue = result.error.issues[0]
    const name = String(issue?.path[0])
    const value = VARIABLES[name]?.secret === true ? 'its current value' : `'${nonEmptyVariables[name]}'`
    throw new StartError(`The variable ${name} cannot be ${value}: give ${VARIABLES[name]?.takes ?? 'another value'}.`)
  }
  const { data } = result
  const isProduction = (data.INGOT_ENV ?? fallback) === 'production'
  if (isProduction && data.INGOT_OUTGOING_STAND_IN !== undefined) {
    throw new StartError(
      'The variable INGOT_OUTGOING_STAND_IN is only for tests of a site, and cannot be set in production: set INGOT_ENV to staging or development, or leave it out.',
    )
  }
  return {
    host: data.HOST,
    port: data.PORT,
    environment: data.INGOT_ENV ?? fallback,
    // At least two workers: while one is busy with a page, the other answers.
    workers: data.INGOT_WORKERS ?? Math.max(2, Math.min(availableParallelism(), 4)),
    logLevel: data.INGOT_LOG,
    proxies: data.INGOT_PROXIES ?? null,
    hosts: parseList(data.INGOT_HOSTS),
    redirectHosts: parseList(data.INGOT_REDIRECT_HOSTS),
    assetsUrl: data.INGOT_ASSETS_URL ?? null,
    rate: data.INGOT_RATE ?? (isProduction ? PRODUCTION_RATE : 0),
    // Only in production: tests of a site, also on staging, create users and keep no cookies.
    signUps: data.INGOT_SIGN_UPS ?? (isProduction ? PRODUCTION_SIGN_UPS : 0),
    newSessions: data.INGOT_NEW_SESSIONS ?? (isProduction ? PRODUCTION_NEW_SESSIONS : 0),
    passwordsWaiting: data.INGOT_PASSWORDS_WAITING,
    bodyLimit: data.INGOT_BODY_LIMIT,
    instance: false,
    takesErrors: data.INGOT_DEPLOY_ERRORS === 'report',
    deployRetention: { releases: data.INGOT_DEPLOYS_KEPT, days: data.INGOT_DEPLOY_DAYS },
    grace: data.INGOT_GRACE,
    silence: data.INGOT_SILENCE,
    databaseUrl: data.DATABASE_URL ?? null,
    replicaUrl: data.DATABASE_REPLICA_URL ?? null,
    replicaLag: data.INGOT_REPLICA_LAG,
    dataFolder: data.INGOT_DATA ?? null,
    releases: parseReleasesPlace(data.INGOT_RELEASES),
    walArchive: data.INGOT_WAL_ARCHIVE ?? null,
    pool: data.INGOT_POOL,
    secret: data.INGOT_SECRET ?? null,
    sessionMinutes: data.INGOT_SESSION_MINUTES,
    apiToken: data.INGOT_API_TOKEN ?? null,
    oidcProviders: parseOidcProviders(nonEmptyVariables, isProduction),
    recaptchaUrl: data.INGOT_RECAPTCHA_URL ?? null,
    hcaptchaUrl: data.INGOT_HCAPTCHA_URL ?? null,
    uploadLimit: data.INGOT_UPLOAD_LIMIT,
    s3: s3SettingsOf(data),
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
    observe: observeSettingsOf(data),
    delivery: {
      smtpUrl: data.INGOT_SMTP_URL ?? null,
      from: data.INGOT_MAIL_FROM ?? null,
      testEmail: data.INGOT_TEST_EMAIL ?? null,
      smsUrl: data.INGOT_SMS_URL ?? null,
      smsToken: data.INGOT_SMS_TOKEN ?? null,
    },
    print: {
      chromium: data.INGOT_CHROMIUM ?? null,
      seconds: data.INGOT_PDF_SECONDS,
      memory: data.INGOT_PDF_MEMORY,
      atOnce: data.INGOT_PDF_AT_ONCE,
      hosts: parseList(data.INGOT_PDF_HOSTS),
      sandbox: data.INGOT_PDF_SANDBOX === 'on',
    },
    outgoing: parseList(data.INGOT_OUTGOING),
    originOverrides: data.INGOT_OUTGOING_STAND_IN ?? {},
    retentionDays: { log: data.INGOT_LOG_DAYS, exports: data.INGOT_EXPORT_DAYS, deadJobs: data.INGOT_JOB_DAYS },
    redisUrl: data.REDIS_URL ?? null,
    remote: {
      url: data.MPKIT_URL ?? null,
      token: data.MPKIT_TOKEN ?? null,
      email: data.MPKIT_EMAIL ?? null,
      file: data.CONFIG_FILE_PATH ?? null,
    },
    modules: data.INGOT_MODULES ?? null,
    editor: data.INGOT_EDITOR ?? null,
    links: parseList(data.INGOT_LINKS),
  }
}

/** `database` means the database; `./database` is a folder. */
function parseReleasesPlace(text: string | undefined): ReleasesPlace | null {
  if (text === undefined) return null
  return text === 'database' ? { kind: 'database' } : { kind: 'folder', folder: text }
}

function observeSettingsOf(data: z.infer<typeof environment>): ObserveSettings {
  const { INGOT_UP_PATH, INGOT_READY_PATH, INGOT_METRICS_PATH } = data
  const paths = { INGOT_UP_PATH, INGOT_READY_PATH, INGOT_METRICS_PATH }
  if (new Set(Object.values(paths)).size < Object.keys(paths).length)
    throw new StartError(`Two of ${Object.keys(paths).join(', ')} have the same path: give each a different path.`)
  return {
    upPath: INGOT_UP_PATH,
    readyPath: INGOT_READY_PATH,
    drain: data.INGOT_DRAIN,
    metrics: {
      port: data.INGOT_METRICS_PORT ?? null,
      token: data.INGOT_METRICS_TOKEN ?? null,
      path: INGOT_METRICS_PATH,
      sent: isSent(data, data.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT) && data.OTEL_METRICS_EXPORTER?.trim() !== 'none',
    },
    traces: isSent(data, data.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) && data.OTEL_TRACES_EXPORTER?.trim() !== 'none',
    slowQuery: data.INGOT_SLOW_QUERY === 0 ? null : data.INGOT_SLOW_QUERY,
    slowPage: data.INGOT_SLOW_PAGE === 0 ? null : data.INGOT_SLOW_PAGE,
    slowPartial: data.INGOT_SLOW_PARTIAL === 0 ? null : data.INGOT_SLOW_PARTIAL,
    recording: data.INGOT_RECORDING === 'on',
  }
}

/**
 * Returns whether metrics or traces are sent to a receiver.
 * @param ownReceiver the receiver of only this kind of data; undefined for the common receiver
 */
function isSent(data: z.infer<typeof environment>, ownReceiver: string | undefined): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_SDK_DISABLED: off } = data
  return (ownReceiver ?? all) !== undefined && off?.trim().toLowerCase() !== 'true'
}

// Incomplete settings are an error: a store that works only partly would lose files.
function s3SettingsOf(data: z.infer<typeof environment>): S3Settings | null {
  const { INGOT_S3_ENDPOINT: endpoint, INGOT_S3_BUCKET: bucket, INGOT_S3_KEY: key, INGOT_S3_SECRET: secret } = data
  const values = { INGOT_S3_ENDPOINT: endpoint, INGOT_S3_BUCKET: bucket, INGOT_S3_KEY: key, INGOT_S3_SECRET: secret }
  if (endpoint !== undefined && bucket !== undefined && key !== undefined && secret !== undefined) {
    return { endpoint, bucket, region: data.INGOT_S3_REGION, key, secret, publicUrl: data.INGOT_S3_PUBLIC_URL ?? null }
  }
  const names = Object.entries(values)
  const missingNames = names.filter(([, value]) => value === undefined).map(([name]) => name)
  if (missingNames.length === names.length) return null
  throw new StartError(
    `The file store needs ${missingNames.join(' and ')}: give all of ${Object.keys(values).join(', ')}.`,
  )
}
