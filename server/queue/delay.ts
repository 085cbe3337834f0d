/** Delays as the settings of a site write them. */
import { LiquidFault } from '../../runtime/fault.ts'

/** Minutes of a text; blank is none. @param of whose delay it is @throws LiquidFault for what is no number of minutes */
export function minutesOf(text: string, of: string): number {
  const plain = text.trim()
  const minutes = plain === '' ? 0 : Number(plain)
  if (Number.isFinite(minutes) && minutes >= 0) return minutes
  throw new LiquidFault(`the delay of ${of} must be a number of minutes, not '${plain.slice(0, 40)}'`)
}
