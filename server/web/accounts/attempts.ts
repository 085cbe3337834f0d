/**
 * Limits failed sign-ins, and sign-ups, with sliding windows. Each subject has one row with the time at which all its failures are
 * forgiven. A failure moves that time forward, and an attempt that would move it past the window is refused.
 *
 * A stranger is counted by network, by account and network together, and, with far more failures, by account: who
 * tries passwords from one place locks the account for that place only. A device that signed in before is counted by
 * itself alone, so nobody else can lock its owner out.
 */
import { identifier, join, emptySql, sql, type Sql, toStatement } from '../../../runtime/data/sql/sql.ts'
import { createHmac, hkdfSync } from 'node:crypto'
import { network } from '../http/network.ts'
import type { RunAccountStatement } from './database.ts'
import { accountName, createDevices, type Devices } from './devices.ts'

export type AttemptResult = 'free' | { readonly retryAfter: number }

export interface Attempts {
  /**
   * Asks for an attempt. It is counted as a failure in advance, so that concurrent attempts cannot exceed the limit
   * together.
   * @param address of the visitor; null for a program, through which many users may sign in
   * @param account as the visitor typed it, whether it exists or not
   * @param device the visitor's cookie of known devices
   * @returns the seconds to wait, when there were too many attempts
   * @throws SessionsAway
   */
  check(address: string | null, account: string, device?: string | null): Promise<AttemptResult>
  /**
   * Records that the attempt succeeded: forgives all failures for the account from there, and one of the address and of
   * the account.
   * @throws SessionsAway
   */
  succeeded(address: string | null, account: string, device?: string | null): Promise<void>
  /**
   * Counts a sign-up of a visitor, whose network may have a limited number of them.
   * @returns the seconds to wait, when there were too many
   * @throws SessionsAway
   */
  signUp(address: string): Promise<AttemptResult>
}

export interface AttemptLimits {
  /** Failures in a row from one network. */
  readonly address: number
  /** Failures in a row for one account from one network, or from one known device. */
  readonly account: number
  /** Failures in a row for one account from all networks together; ten times those from one by default. */
  readonly everywhere?: number
  /** Seconds after which failures are forgiven. */
  readonly within: number
}

export const ATTEMPT_LIMITS: AttemptLimits = { address: 30, account: 10, everywhere: 100, within: 900 }

/** Counters in the order in which they are asked; a cost is what one failure adds, in seconds. */
interface Subject {
  readonly key: string
  readonly cost: number
}

/**
 * Charges the counters. Each is charged only when those before it had room; the order is the same for everybody, so
 * that concurrent attempts do not wait for each other in a circle.
 */
function chargeSql(subjects: readonly Subject[], within: number): Sql {
  const window = sql`${within}::float8 * interval '1 second'`
  const parts = subjects.map(({ key, cost }, at) => {
    const own = sql`decode(${key}, 'hex')`
    const more = sql`${cost}::float8 * interval '1 second'`
    const before = at === 0 ? emptySql : sql` where exists (select from ${identifier(`charged${at - 1}`)})`
    return sql`${identifier(`charged${at}`)} as (
      insert into ingot.attempts as a (subject, until) select ${own}, now() + ${more}${before}
      on conflict (subject) do update set until = greatest(a.until, now()) + ${more}
      where a.until + ${more} <= now() + ${window} returning 1)`
  })
  const waits = subjects.map(
    ({
      key,
      cost,
    }) => sql`select extract(epoch from until - now())::float8 + ${cost}::float8 - ${within}::float8 as wait
      from ingot.attempts where subject = decode(${key}, 'hex')`,
  )
  return sql`with ${join(parts)} select exists (select from ${identifier(`charged${subjects.length - 1}`)}),
    (select max(wait) from (${join(waits, ' union all ')}) w)`
}

/** Forgives all failures of the first subject, and one of each other. */
function forgiveSql([first, ...others]: readonly [Subject, ...Subject[]]): Sql {
  const parts = others.map(
    ({ key, cost }, at) => sql`${identifier(`forgiven${at}`)} as (
      update ingot.attempts set until = until - ${cost}::float8 * interval '1 second'
      where subject = decode(${key}, 'hex') returning 1)`,
  )
  const removed = sql`delete from ingot.attempts where subject = decode(${first.key}, 'hex')`
  return parts.length === 0 ? removed : sql`with ${join(parts)} ${removed}`
}

export interface AttemptParts {
  readonly ask: RunAccountStatement
  /** The installation's secret. Subjects are hashed with it, so that the table does not reveal addresses. */
  readonly secret: string
  readonly limits?: AttemptLimits
  readonly devices?: Devices
  /** Sign-ups from one network in fifteen minutes; 0 sets no limit. */
  readonly signUps?: number
}

/** Seconds after which sign-ups are forgotten. */
const SIGN_UPS_WITHIN = 900

export function createAttempts({
  ask,
  secret,
  limits = ATTEMPT_LIMITS,
  devices = createDevices(secret),
  signUps = 0,
}: AttemptParts): Attempts {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot attempts', 32))
  const { within, everywhere = limits.account * 10 } = limits

  function subject(most: number, ...parts: readonly string[]): Subject {
    return { key: createHmac('sha256', key).update(parts.join('\n')).digest('hex'), cost: within / most }
  }

  async function charged(subjects: readonly Subject[], window: number): Promise<AttemptResult> {
    const [row] = await ask(toStatement(chargeSql(subjects, window)), 'write')
    const [free, wait] = row ?? []
    return free === true ? 'free' : { retryAfter: Math.max(1, Math.ceil(Number(wait ?? subjects[0]?.cost))) }
  }

  /** The counters of an attempt: of the network, of the account there, and of the account everywhere. */
  function subjectsOf(address: string | null, account: string, device: string | null) {
    const name = accountName(account)
    const known = devices.known(device, account)
    if (known !== null) return { first: [], own: subject(limits.account, 'device', known, name), last: [] }
    const place = address === null ? 'program' : network(address)
    return {
      first: address === null ? [] : [subject(limits.address, 'address', place)],
      own: subject(limits.account, 'account', place, name),
      last: [subject(everywhere, 'everywhere', name)],
    }
  }

  return {
    async check(address, account, device = null) {
      const { first, own, last } = subjectsOf(address, account, device)
      return charged([...first, own, ...last], within)
    },
    async succeeded(address, account, device = null) {
      const { first, own, last } = subjectsOf(address, account, device)
      await ask(toStatement(forgiveSql([own, ...first, ...last])), 'write')
    },
    async signUp(address) {
      if (signUps === 0) return 'free'
      const { key: of } = subject(signUps, 'sign-up', network(address))
      return charged([{ key: of, cost: SIGN_UPS_WITHIN / signUps }], SIGN_UPS_WITHIN)
    },
  }
}
