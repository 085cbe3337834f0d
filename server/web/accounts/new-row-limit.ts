/**
 * Limits the new session rows per network, so that clients without cookies cannot fill the table with one row per
 * request. Each process counts separately, because a count in the database would cost as much as the row.
 */
import type { Logger } from '../../core/contracts/log.ts'
import { network } from '../http/network.ts'
import type { Request } from '../http/message.ts'
import { createRate } from '../http/rate.ts'

export interface NewRowLimit {
  /**
   * Counts a new session and returns whether it may get a row. The refusals of a network are logged once until it is
   * allowed again.
   * @param hasValidCookie whether the visitor has sent a valid session cookie
   */
  admits(request: Request, hasValidCookie: boolean): boolean
  /** Returns whether the network is refused now, without counting. */
  isFull(address: string, hasValidCookie: boolean): boolean
}

/** Factor by which the limit is higher for visitors with a cookie. They have to send one more request for each row. */
const KNOWN_FACTOR = 10

/**
 * Creates the limit.
 * @param limit maximum number of rows that visitors of one network without a cookie may create in five minutes; 0 means
 * no limit
 */
export function createNewRowLimit(limit: number, logger: Logger | undefined): NewRowLimit {
  const newVisitorRate = createRate(limit)
  const returningRate = createRate(limit * KNOWN_FACTOR)
  const selectRate = (isKnown: boolean) => (isKnown ? returningRate : newVisitorRate)

  return {
    admits(request, isKnown) {
      const rate = selectRate(isKnown)
      const wasAllowed = !rate.isBlocked(request.ip)
      if (rate.count(request.ip) === 0) return true
      if (wasAllowed) {
        const { id, method, path, ip } = request
        const message = `New sessions from ${network(ip)} are not stored for ten minutes, because there were more than ${isKnown ? limit * KNOWN_FACTOR : limit} in five minutes. The last request was ${method} ${path}.`
        logger?.warn({ id }, `${message} ${ADVICE}`)
      }
      return false
    },
    isFull: (address, isKnown) => selectRate(isKnown).isBlocked(address),
  }
}

const ADVICE =
  'Pages are still served, but session data is not saved. Set INGOT_PROXIES if this is the address of a proxy, or raise INGOT_NEW_SESSIONS.'
