/**
 * Limits the rows of sessions that visitors begin, so that clients that keep no cookie cannot fill the table: each of its
 * requests would begin another one. Each process counts for itself, because a count in the database would cost as much
 * as the row.
 */
import type { Logger } from '../../core/contracts/log.ts'
import { network } from '../http/network.ts'
import type { Request } from '../http/message.ts'
import { createRate } from '../http/rate.ts'

export interface NewRows {
  /**
   * Whether a session may get a row; counts it. A refusal is logged, once for as long as the network is refused.
   * @param known whether the visitor has sent a cookie of ours
   */
  admits(request: Request, known: boolean): boolean
  /** Whether the network is refused now; counts nothing. */
  isFull(address: string, known: boolean): boolean
}

/** Rows of visitors with a cookie, for each one of visitors without: they have made one more request for each of them. */
const KNOWN = 10

/** @param most rows that visitors without a cookie may begin, of one network in five minutes; 0 sets no limit */
export function createNewRows(most: number, logger: Logger | undefined): NewRows {
  const strangers = createRate(most)
  const known = createRate(most * KNOWN)
  const rateOf = (isKnown: boolean) => (isKnown ? known : strangers)

  return {
    admits(request, isKnown) {
      const rate = rateOf(isKnown)
      const isNews = !rate.isBlocked(request.ip)
      if (rate.count(request.ip) === 0) return true
      if (isNews) {
        const { id, method, path, ip } = request
        const what = `No more sessions of visitors of ${network(ip)} are stored for ten minutes: they have begun more than ${isKnown ? most * KNOWN : most} in five. The last one is of ${method} ${path}.`
        logger?.warn({ id }, `${what} ${WHAT_TO_DO}`)
      }
      return false
    },
    isFull: (address, isKnown) => rateOf(isKnown).isBlocked(address),
  }
}

const WHAT_TO_DO =
  'Pages are answered, without what they keep in the session. Set INGOT_PROXIES if this is the address of a proxy, or raise INGOT_NEW_SESSIONS.'
