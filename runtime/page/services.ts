/**
 * The ports: the interfaces through which emitted code uses its host. Each process has one `Services`. Tests and the engine use
 * implementations in memory.
 */

import type { LiquidFault } from './fault.ts'
import type { Fields } from './values/access.ts'

/** Named values; templates call this a hash. */
export type { Fields }

export interface GraphqlPort {
  /**
   * Runs a stored operation by name, or a document, with its variables. Resolves to the result with `data`, and with `errors` if something
   * failed. When the database is unavailable, `extensions.code` of the first error is `UNREACHABLE`.
   * @param warn receives the values that were ignored because no variable accepts them
   */
  run(
    operation: { readonly name: string } | { readonly document: string },
    variables: Fields,
    warn?: (message: string) => void,
  ): Promise<Fields>
}

export interface JobOptions {
  /** The delay in minutes. Fractions are allowed. */
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
  /** Returns the opening tag and the hidden inputs of the current form. */
  open(attributes: Fields): string
}

export interface AccountPort {
  /** Returns whether a temporary token belongs to a user and is valid. */
  isTokenOf(token: string, userId: string): Promise<boolean>
  /** Returns whether a text is an API token of the site. */
  isAccessKey(key: string): Promise<boolean>
}

export interface SessionPort {
  /** Sets a field of the session. Nil and blank values delete the field. */
  set(field: string, value: unknown): void
  signIn(userId: string, timeoutInMinutes: number | null): Promise<void>
}

/** Parameters of a spam challenge. */
export interface Protection {
  readonly provider: 'recaptcha_v2' | 'recaptcha_v3' | 'hcaptcha'
  /** For `recaptcha_v3`: the action for which the token must have been created. */
  readonly action: string | null
  /** For `recaptcha_v3`: the minimum score, from 0 (a bot) to 1 (a person). */
  readonly minimumScore: number
}

export interface ChallengePort {
  /**
   * Returns the HTML of a spam challenge.
   * @throws ArgumentFault for an unknown strategy and an invalid action
   */
  html(strategy: string, action: string | null): string
  /**
   * Returns whether the visitor has passed the challenge. The provider verifies the token in `params`. A token can be used once.
   * @param ip the IP address of the visitor
   */
  verify(protection: Protection, params: Fields, ip: string): Promise<boolean>
}

export interface TransactionPort {
  /** Runs `body` in a transaction. A `rollback` in the body ends the body and rolls the transaction back. */
  run(options: { readonly timeout: number | null }, body: () => Promise<void>): Promise<void>
  rollback(): never
}

/** The output of a cached fragment's body. */
export interface Fragment {
  readonly text: string
  /** Whether the output may be cached, and shared with other renders that wait for it. */
  readonly keep: boolean
}

export interface CachePort {
  /**
   * Returns the fragment that is cached under `key`, or otherwise the result of `compute`. The result is cached for `expire` seconds; null
   * caches it until it is cleared.
   */
  fragment(key: string, expire: number | null, compute: () => Promise<Fragment>): Promise<string>
}

export interface AssetPort {
  /** Returns the URL of an asset, absolute or relative to the root, with the version of the asset. */
  url(path: string): string
}

export interface FetchPort {
  /**
   * Downloads a URL.
   * @throws ArgumentFault when the download fails, or the body is larger than `maxBytes`
   */
  download(url: string, maxBytes: number): Promise<Uint8Array>
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** The IANA name of the default time zone. */
  readonly timeZone: string
}

export interface Random {
  /** Returns `count` random bytes from a cryptographic source. */
  bytes(count: number): Uint8Array
  uuid(): string
}

export interface LogEntry {
  readonly message: unknown
  readonly type: string
  readonly env: 'all' | 'staging' | 'production'
  /** The path of the template that wrote the entry. */
  readonly file: string
  readonly line: number
  /** The fault, when the entry reports a fault after which the template continued. */
  readonly fault?: LiquidFault
}

export interface LogPort {
  write(entry: LogEntry): void
}

/**
 * The ports of a host. A port is null when the host does not offer it. Using it is then an error at run time that says so (`Render.port`).
 */
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
  /** Sets the file, the line and the frames of a fault from its JavaScript stack, as far as the stack tells them. */
  locate(fault: LiquidFault): void
}
