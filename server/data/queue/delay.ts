/** Parses delays in the settings of a site. */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import type { NotificationEntry } from '../../../runtime/page/site.ts'

/**
 * Returns the delay in minutes; 0 when the text is blank.
 * @param notification the notification with the delay
 * @throws LiquidFault when the text is not a number of minutes
 */
export function parseDelay(text: string, notification: Pick<NotificationEntry, 'name' | 'file' | 'lines'>): number {
  const trimmed = text.trim()
  const minutes = trimmed === '' ? 0 : Number(trimmed)
  if (Number.isFinite(minutes) && minutes >= 0) return minutes
  const fault = new LiquidFault(
    `the delay of ${notification.name} must be a number of minutes, not '${trimmed.slice(0, 40)}'`,
  )
  throw Object.assign(fault, { file: notification.file, line: notification.lines['delay'] ?? 1 })
}
