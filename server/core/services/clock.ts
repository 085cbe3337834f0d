/** The system's clock and its time zone. */
import type { Clock } from '../../../runtime/page/services.ts'

export const systemClock: Clock = { now: () => Date.now(), timeZone: 'UTC' }
