/** Whether a text is a time or a regular expression, as the running site will read it. */
import { RE2JS } from 're2js'
import { naturalTime } from '../../runtime/values/natural-time.ts'
import { parseDate, type TimeSource } from '../../runtime/values/time.ts'

/** Whether a text names a time does not depend on when that is asked. */
const ANY_DAY: TimeSource = { now: () => 0, timeZone: 'UTC' }

/** A date or a time, or a phrase that means one: `2030-01-31`, `tomorrow`, `18 years ago`. */
export function isTime(text: string): boolean {
  return parseDate(text, ANY_DAY) !== null || naturalTime(text, ANY_DAY, 'UTC') !== null
}

/** The source of a regular expression, also between slashes. */
export function isPattern(text: string): boolean {
  const inner = /^\/(.*)\/[imx]*$/s.exec(text)?.[1] ?? text
  try {
    RE2JS.compile(inner.replaceAll('\\Z', '\\z').replaceAll('\\h', '[0-9a-fA-F]').replaceAll('(?<', '(?P<'))
    return true
  } catch {
    return false
  }
}
