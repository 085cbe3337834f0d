/** Parses delays in the settings of a site. */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import type { NotificationEntry } from '../../../runtime/page/site.ts'

/**
 * Returns the delay in minutes; 0 when the text is blank.
 * @param of the notification with the delay
 * @throws LiquidFault when the text is not a number of minutes
 */
export function minutesOf(text: string, of: Pick<NotificationEntry, 'name' | 'file' | 'lines'>): number {
  const plain = text.trim()
  const minutes = plain === '' ? 0 : Number(plain)
  if (Number.isFinite(minutes) && minutes >= 0) return minutes
  const fault = new LiquidFault(`the delay of ${of.name} must be a number of minutes, not '${plain.slice(0, 40)}'`)
  throw Object.assign(fault, { file: of.file, line: of.lines['delay'] ?? 1 })
}
