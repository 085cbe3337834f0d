/**
 * The ports: the interfaces through which emitted code uses its host. One `Services` for each process; tests and the engine use
 * implementations in memory.
 */

import type { LiquidFault } from './fault.ts'
import type { Fields } from './values/access.ts'

/** Named values; templates call this a hash. */
export type { Fields }

export interface GraphqlPort {
  /**
   * Runs a stored operation by name, or a document, with its variables; resolves to the result with `data`, and
   * `errors` if something failed. When the database is unavailable, `extensions.code` of the first error is
   * `UNREACHABLE`.
   * @param warn receives values that were dropped because no variable accepts them
   */
  run(
    operation: { readonly name: string } | { readonly document: string },
    variables: Fields,
    warn?: (message: string) => void,
  ): Promise<Fields>
}

export interface JobOptions {
  /** In minutes, with fractions. */
  readonly delay: number
  readonly priority: 'low' | 'default' | 'high'
  readonly maxAttempts: number
  readonly sourceName: string
}

export interface JobPort {
  /** Queues a unit and resolves to the job's id. */
  enqueue(unit: string, values: Fields, options: JobOptions): Promise<string>
}

export interface FormPort {
  /** Renders a form configuration with its hidden inputs. */
  render(name: string, options: Fields): Promise<string>
  /** The opening tag and hidden inputs of the current form. */
  open(attributes: Fields): string
}

export interface AccountPort {
  /** Whether a temporary token belongs to a user and is valid. */
  isTokenOf(token: string, userId: string): Promise<boolean>
  /** Whether a text is an API token of the site. */
  isAccessKey(key: string): Promise<boolean>
}

export interface SessionPort {
  /** Sets a session field; nil and blank values delete it. */
  set(field: string, value: unknown): void
  signIn(userId: string, timeoutInMinutes: number | null): Promise<void>
}

/** Parameters of a spam challenge. */
export interface Protection {
  readonly provider: 'recaptcha_v2' | 'recaptcha_v3' | 'hcaptcha'
  /** For `recaptcha_v3`: the action that the token must be for. */
  readonly action: string | null
  /** For `recaptcha_v3`: from 0 (a bot) to 1 (a person). */
  readonly minimumScore: number
}

export interface ChallengePort {
  /**
   * HTML of a spam challenge.
   * @throws ArgumentFault for an unknown strategy and an invalid action
   */
  html(strategy: string, action: string | null): string
  /**
   * Whether the visitor has passed: verifies the token in `params` with the provider. A token can be used once.
   * @param ip IP address of the visitor
   */
  verify(protection: Protection, params: Fields, ip: string): Promise<boolean>
}

export interface TransactionPort {
  /** Runs `body` in a transaction; `rollback` inside ends the body and rolls back. */
  run(options: { readonly timeout: number | null }, body: () => Promise<void>): Promise<void>
  rollback(): never
}

/** The output of a cached fragment's body. */
export interface Fragment {
  readonly text: string
  /** Whether it may be cached, and shared with renders that wait for it. */
  readonly keep: boolean
}

export interface CachePort {
  /**
   * The fragment cached under `key`, or else the result of `compute`, cached for `expire` seconds (null: until
   * cleared).
   */
  fragment(key: string, expire: number | null, compute: () => Promise<Fragment>): Promise<string>
}

export interface AssetPort {
  /** Absolute or root-relative URL of an asset, with the version of the site's assets. */
  url(path: string): string
}

export interface FetchPort {
  /**
   * Downloads a URL.
   * @throws ArgumentFault when it fails, or the body is larger than `maxBytes`
   */
  download(url: string, maxBytes: number): Promise<Uint8Array>
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** IANA name of the default time zone. */
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
  /** Path of the template that logged. */
  readonly file: string
  readonly line: number
  /** The fault, for one after which the template continued. */
  readonly fault?: LiquidFault
}

export interface LogPort {
  write(entry: LogEntry): void
}

/** A port is null when the host does not offer it; using it is then a run-time error that says so (`Render.port`). */
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
  /** Sets a fault's file, line and frames from its JavaScript stack, as far as possible. */
  locate(fault: LiquidFault): void
}
