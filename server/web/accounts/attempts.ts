/**
 * Limits failed sign-ins and sign-ups with sliding windows. Each counter is one database row that stores the time at
 * which all its failures expire. A failure moves that time forward. An attempt that would move it past the window is
 * refused.
 *
 * Unknown devices are counted by network, by account and network together, and, with a much higher limit, by account.
 * So an attacker who tries passwords from one network locks the account for that network only. A device that signed in
 * before has its own counter, so no one else can lock out its owner.
 */
import { identifier, join, emptySql, sql, type Sql, toStatement } from '../../../runtime/data/sql/sql.ts'
import { createHmac, hkdfSync } from 'node:crypto'
import { network } from '../http/network.ts'
import type { RunAccountStatement } from './run-statement.ts'
import { normalizeAccount, createDevices, type Devices } from './devices.ts'

/** Whether an attempt is allowed; otherwise the seconds to wait. */
export type AttemptResult = 'free' | { readonly retryAfter: number }

export interface Attempts {
  /**
   * Reserves an attempt. It is counted as a failure in advance, so that concurrent attempts cannot exceed the limit
   * together.
   * @param address the visitor's IP address; null for an API client, through which many users may sign in
   * @param account the account as the visitor typed it, whether it exists or not; null when the visitor names none
   * @param device the visitor's device cookie
   * @returns `free`, or the seconds to wait after too many attempts
   * @throws SessionsAway
   */
  check(address: string | null, account: string | null, device?: string | null): Promise<AttemptResult>
  /**
   * Records that an attempt succeeded. Forgives all failures for the account from the same origin, and one failure each
   * of the network and of the account in total.
   * @throws SessionsAway
   */
  succeeded(address: string | null, account: string | null, device?: string | null): Promise<void>
  /**
   * Counts a sign-up of a visitor. Each network may have a limited number of sign-ups.
   * @returns `free`, or the seconds to wait after too many sign-ups
   * @throws SessionsAway
   */
  signUp(address: string): Promise<AttemptResult>
}

export interface AttemptLimits {
  /** Maximum number of consecutive failures from one network. */
  readonly address: number
  /** Maximum number of consecutive failures for one account from one network or one known device. */
  readonly account: number
  /**
   * Maximum number of consecutive failures for one account from all networks together. By default ten times `account`.
   */
  readonly everywhere?: number
  /** Seconds after which failures are forgiven. */
  readonly within: number
}

const ATTEMPT_LIMITS: AttemptLimits = { address: 30, account: 10, everywhere: 100, within: 900 }

/** One counter. `cost` is the number of seconds that one failure adds. */
interface Counter {
  readonly key: string
  readonly cost: number
}

/**
 * Builds the statement that charges the counters. A counter is charged only when no earlier counter has reached its
 * limit. The order is always the same, so that concurrent attempts cannot deadlock.
 */
function chargeSql(counters: readonly Counter[], within: number): Sql {
  const window = sql`${within}::float8 * interval '1 second'`
  const charges = counters.map(({ key, cost }, at) => {
    const subject = sql`decode(${key}, 'hex')`
    const addedTime = sql`${cost}::float8 * interval '1 second'`
    const condition = at === 0 ? emptySql : sql` where exists (select from ${identifier(`charged${at - 1}`)})`
    return sql`${identifier(`charged${at}`)} as (
      insert into ingot.attempts as a (subject, until) select ${subject}, now() + ${addedTime}${condition}
      on conflict (subject) do update set until = greatest(a.until, now()) + ${addedTime}
      where a.until + ${addedTime} <= now() + ${window} returning 1)`
  })
  const waits = counters.map(
    ({
      key,
      cost,
    }) => sql`select extract(epoch from until - now())::float8 + ${cost}::float8 - ${within}::float8 as wait
      from ingot.attempts where subject = decode(${key}, 'hex')`,
  )
  return sql`with ${join(charges)} select exists (select from ${identifier(`charged${counters.length - 1}`)}),
    (select max(wait) from (${join(waits, ' union all ')}) w)`
}

/** Builds the statement that forgives all failures of the account's counter, and one failure of each other counter. */
function forgiveSql(account: Counter | null, others: readonly Counter[]): Sql {
  const updates = others.map(
    ({ key, cost }, at) => sql`${identifier(`forgiven${at}`)} as (
      update ingot.attempts set until = until - ${cost}::float8 * interval '1 second'
      where subject = decode(${key}, 'hex') returning 1)`,
  )
  const deletedCounter =
    account === null ? sql`select` : sql`delete from ingot.attempts where subject = decode(${account.key}, 'hex')`
  return updates.length === 0 ? deletedCounter : sql`with ${join(updates)} ${deletedCounter}`
}

/** Options of the attempt limits. */
export interface AttemptOptions {
  readonly runStatement: RunAccountStatement
  /** The installation's secret. Counter keys are hashed with it, so that the table does not reveal addresses. */
  readonly secret: string
  readonly limits?: AttemptLimits
  readonly devices?: Devices
  /** Maximum number of sign-ups from one network in fifteen minutes. 0 means no limit. */
  readonly signUps?: number
}

/** Seconds after which sign-ups are forgotten. */
const SIGN_UP_WINDOW = 900

/** Creates the limits of attempts. */
export function createAttempts({
  runStatement,
  secret,
  limits = ATTEMPT_LIMITS,
  devices = createDevices(secret),
  signUps = 0,
}: AttemptOptions): Attempts {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot attempts', 32))
  const { within, everywhere = limits.account * 10 } = limits

  function createCounter(limit: number, ...keyParts: readonly string[]): Counter {
    return { key: createHmac('sha256', key).update(keyParts.join('\n')).digest('hex'), cost: within / limit }
  }

  async function charge(counters: readonly Counter[], window: number): Promise<AttemptResult> {
    const [row] = await runStatement(toStatement(chargeSql(counters, window)), 'write')
    const [isAllowed, wait] = row ?? []
    return isAllowed === true ? 'free' : { retryAfter: Math.max(1, Math.ceil(Number(wait ?? counters[0]?.cost))) }
  }

  /** Returns the counters of an attempt: the network, the account from that network, and the account from anywhere. */
  function countersFor(address: string | null, account: string | null, device: string | null) {
    const origin = address === null ? 'program' : network(address)
    const networkCounters = address === null ? [] : [createCounter(limits.address, 'address', origin)]
    if (account === null) return { network: networkCounters, account: null, everywhere: [] }
    const name = normalizeAccount(account)
    const knownDevice = devices.findKnownDevice(device, account)
    if (knownDevice !== null)
      return { network: [], account: createCounter(limits.account, 'device', knownDevice, name), everywhere: [] }
    return {
      network: networkCounters,
      account: createCounter(limits.account, 'account', origin, name),
      everywhere: [createCounter(everywhere, 'everywhere', name)],
    }
  }

  return {
    async check(address, account, device = null) {
      const counters = countersFor(address, account, device)
      const accountCounters = counters.account === null ? [] : [counters.account]
      const all = [...counters.network, ...accountCounters, ...counters.everywhere]
      return all.length === 0 ? 'free' : charge(all, within)
    },
    async succeeded(address, account, device = null) {
      const counters = countersFor(address, account, device)
      const statement = forgiveSql(counters.account, [...counters.network, ...counters.everywhere])
      await runStatement(toStatement(statement), 'write')
    },
    async signUp(address) {
      if (signUps === 0) return 'free'
      const { key: signUpKey } = createCounter(signUps, 'sign-up', network(address))
      return charge([{ key: signUpKey, cost: SIGN_UP_WINDOW / signUps }], SIGN_UP_WINDOW)
    },
  }
}
