/**
 * Limits failed sign-ins with a sliding window. Each subject, an address or an account, has one row with the time at
 * which all its failures are forgiven. A failure moves that time forward, and an attempt that would move it past the
 * window is refused.
 */
import { prepared, sql } from '../../runtime/data/sql/sql.ts'
import { createHmac, hkdfSync } from 'node:crypto'
import { network } from '../http/network.ts'
import type { RunAccountStatement } from './database.ts'

export type AttemptResult = 'free' | { readonly retryAfter: number }

export interface Attempts {
  /**
   * Asks for an attempt. It is counted as a failure in advance, so that concurrent attempts cannot exceed the limit
   * together.
   * @param account as the visitor typed it, whether it exists or not
   * @returns the seconds to wait, when there were too many attempts
   * @throws SessionsAway
   */
  check(address: string, account: string): Promise<AttemptResult>
  /**
   * Records that the attempt succeeded: forgives all failures of the account and one of the address.
   * @throws SessionsAway
   */
  succeeded(address: string, account: string): Promise<void>
}

export interface AttemptLimits {
  /** Failures in a row from one address. */
  readonly address: number
  /** Failures in a row for one account, from any address. */
  readonly account: number
  /** Seconds after which failures are forgiven. */
  readonly within: number
}

export const ATTEMPT_LIMITS: AttemptLimits = { address: 30, account: 10, within: 900 }

type Costs = readonly [
  subjectOfAddress: string,
  subjectOfAccount: string,
  ofAddress: number,
  ofAccount: number,
  within: number,
]

/** Costs are in seconds: what one failure adds for the address and for the account, and the whole window. */
const CHECK = prepared<Costs>(
  (address, account, ofAddress, ofAccount, within) => sql`with address as (
    insert into ingot.attempts as a (subject, until)
    values (decode(${address}, 'hex'), now() + ${ofAddress}::float8 * interval '1 second')
    on conflict (subject) do update set until = greatest(a.until, now()) + ${ofAddress}::float8 * interval '1 second'
    where a.until + ${ofAddress}::float8 * interval '1 second' <= now() + ${within}::float8 * interval '1 second'
    returning 1
    ), account as (
    insert into ingot.attempts as a (subject, until)
    select decode(${account}, 'hex'), now() + ${ofAccount}::float8 * interval '1 second' where exists (select from address)
    on conflict (subject) do update set until = greatest(a.until, now()) + ${ofAccount}::float8 * interval '1 second'
    where a.until + ${ofAccount}::float8 * interval '1 second' <= now() + ${within}::float8 * interval '1 second'
    returning 1
    )
    select exists (select from account), (
    select max(extract(epoch from until - now())::float8
    + case when subject = decode(${address}, 'hex') then ${ofAddress}::float8 else ${ofAccount}::float8 end - ${within}::float8)
    from ingot.attempts where subject in (decode(${address}, 'hex'), decode(${account}, 'hex')))`,
)

const SUCCEEDED = prepared<[address: string, account: string, ofAddress: number]>(
  (
    address,
    account,
    ofAddress,
  ) => sql`with account as (delete from ingot.attempts where subject = decode(${account}, 'hex'))
    update ingot.attempts set until = until - ${ofAddress}::float8 * interval '1 second' where subject = decode(${address}, 'hex')`,
)

export interface AttemptParts {
  readonly ask: RunAccountStatement
  /** The installation's secret. Subjects are hashed with it, so that the table does not reveal addresses. */
  readonly secret: string
  readonly limits?: AttemptLimits
}

export function createAttempts({ ask, secret, limits = ATTEMPT_LIMITS }: AttemptParts): Attempts {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ingot attempts', 32))
  const costs = [limits.within / limits.address, limits.within / limits.account] as const

  function subject(kind: 'address' | 'account', text: string): string {
    return createHmac('sha256', key).update(`${kind}\n${text}`).digest('hex')
  }

  return {
    async check(address, account) {
      const [ofAddress, ofAccount] = costs
      const subjects = [subject('address', network(address)), subject('account', normalized(account))] as const
      const [row] = await ask(CHECK(...subjects, ofAddress, ofAccount, limits.within), 'write')
      const [free, wait] = row ?? []
      return free === true ? 'free' : { retryAfter: Math.max(1, Math.ceil(Number(wait ?? costs[1]))) }
    },
    async succeeded(address, account) {
      const subjects = [subject('address', network(address)), subject('account', normalized(account))] as const
      await ask(SUCCEEDED(...subjects, costs[0]), 'write')
    },
  }
}

function normalized(account: string): string {
  return account.trim().toLowerCase().slice(0, 320)
}
