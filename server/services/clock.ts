/** The time: the system's clock, and the zone that times without a zone are in. */
import type { Clock } from '../../runtime/page/services.ts'

export const systemClock: Clock = { now: () => Date.now(), timeZone: 'UTC' }
