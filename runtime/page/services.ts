/** The ports: what emitted code may ask of its host. One `Services` per process; tests and the engine use memory services. */

import type { LiquidFault } from './fault.ts'

/** Named values; what templates call a hash. */
export type Fields = Readonly<Record<string, unknown>>

export interface GraphqlPort {
  /**
   * Runs a stored operation by name, or a document, with its variables; resolves to the result hash: the data, and `errors` where
   * something went wrong. Where the database is away, `extensions.code` of the first is `UNREACHABLE`.
   * @param warn hears of values that were left out since their variables do not take them
   */
  run(
    operation: { readonly name: string } | { readonly document: string },
    variables: Fields,
    warn?: (message: string) => void,
  ): Promise<Fields>
}

export interface JobOptions {
  /** Minutes, fractions allowed. */
  readonly delay: number
  readonly priority: 'low' | 'default' | 'high'
  readonly maxAttempts: number
  readonly sourceName: string
}

export interface JobPort {
  /** Queues a unit to run later and resolves to the job's id. */
  enqueue(unit: string, values: Fields, options: JobOptions): Promise<string>
}

export interface FormPort {
  /** Renders a form configuration with its hidden inputs. */
  render(name: string, options: Fields): Promise<string>
  /** The opening tag and hidden inputs of the form that is being rendered. */
  open(attributes: Fields): string
}

export interface AccountPort {
  /** Whether a temporary token is of the user of an id, and holds. */
  isTokenOf(token: string, userId: string): Promise<boolean>
  /** Whether a text is a token for the site's API. */
  isAccessKey(key: string): Promise<boolean>
}

export interface SessionPort {
  /** Writes a field of the session; nil and blank values delete it. */
  set(field: string, value: unknown): void
  signIn(userId: string, timeoutInMinutes: number | null): Promise<void>
}

/** What a challenge is held against. */
export interface Protection {
  readonly provider: 'recaptcha_v2' | 'recaptcha_v3' | 'hcaptcha'
  /** Of `recaptcha_v3`: the action that the token must be for. */
  readonly action: string | null
  /** Of `recaptcha_v3`: from 0 (a machine) to 1 (a person). */
  readonly minimumScore: number
}

export interface ChallengePort {
  /** HTML of a spam challenge. @throws ArgumentFault for an unknown strategy and an action that cannot be */
  html(strategy: string, action: string | null): string
  /**
   * Whether the visitor has passed: asks the provider about the token among `params`. A token counts once.
   * @param ip address of the visitor
   */
  verify(protection: Protection, params: Fields, ip: string): Promise<boolean>
}

export interface TransactionPort {
  /** Runs `body` in one transaction; `rollback` inside ends it and undoes its work. */
  run(options: { readonly timeout: number | null }, body: () => Promise<void>): Promise<void>
  rollback(): never
}

/** What the body of a fragment printed. */
export interface Fragment {
  readonly text: string
  /** Whether it may be kept, and shown where others asked for it meanwhile. */
  readonly keep: boolean
}

export interface CachePort {
  /** The fragment kept under `key`, else what `compute` gives, kept for `expire` seconds (null: until cleared). */
  fragment(key: string, expire: number | null, compute: () => Promise<Fragment>): Promise<string>
}

export interface AssetPort {
  /** Absolute or root-relative URL of an asset, with the stamp of the site's assets. */
  url(path: string): string
}

export interface FetchPort {
  /**
   * The bytes that a URL names.
   * @throws ArgumentFault when they cannot be fetched, or are more than `maxBytes`
   */
  download(url: string, maxBytes: number): Promise<Uint8Array>
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** IANA name of the zone that times without a zone are in. */
  readonly timeZone: string
}

export interface Random {
  /** `count` random bytes from a cryptographic source. */
  bytes(count: number): Uint8Array
  uuid(): string
}

export interface LogEntry {
  readonly message: unknown
  readonly type: string
  readonly env: 'all' | 'staging' | 'production'
  /** Template that logged, with its line. */
  readonly file: string
  readonly line: number
  /** Of a fault with which the template went on. */
  readonly fault?: LiquidFault
}

export interface LogPort {
  write(entry: LogEntry): void
}

/** A port is null where the host does not offer it; reaching it is then a clear run-time error (`Render.port`). */
export interface Services {
  readonly graphql: GraphqlPort | null
  readonly jobs: JobPort | null
  readonly forms: FormPort | null
  readonly sessions: SessionPort | null
  readonly accounts: AccountPort | null
  readonly challenge: ChallengePort | null
  readonly transactions: TransactionPort | null
  readonly cache: CachePort | null
  readonly assets: AssetPort
  readonly fetch: FetchPort | null
  readonly clock: Clock
  readonly random: Random
  readonly log: LogPort
  /** Fills a fault's file, line and frames from its JavaScript stack, as far as the host can. */
  locate(fault: LiquidFault): void
}
