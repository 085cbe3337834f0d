/** Whether a text is a time or a regular expression, as the running site will read it. */
import { RE2JS } from 're2js'
import { naturalTime } from '../../runtime/values/natural-time.ts'
import { momentOf } from '../../runtime/query/writes/values.ts'
import type { TimeSource } from '../../runtime/values/time.ts'

/** Whether a text names a time does not depend on when that is asked. */
const ANY_DAY: TimeSource = { now: () => 0, timeZone: 'UTC' }

/** A date or a time, or a phrase that means one: `2030-01-31`, `tomorrow`, `18 years ago`. */
export function isTime(text: string): boolean {
  return momentOf(text) !== null || naturalTime(text, ANY_DAY, 'UTC') !== null
}

const DELIMITED = /^\/(.*)\/[imx]*$/s

/** The source of a regular expression of Ruby, also between slashes. */
export function isPattern(text: string): boolean {
  const source = (DELIMITED.exec(text)?.[1] ?? text).replace(
    /\\([AzZhH])/g,
    (_, letter: string) => ESCAPES[letter] ?? '',
  )
  try {
    RE2JS.compile(source)
    return true
  } catch {
    // What looks ahead or back is run by the engine's own expressions.
    try {
      return new RegExp(source, '') !== null
    } catch {
      return false
    }
  }
}

/** Escapes that only Ruby has, as something that may stand in their place. */
const ESCAPES: Readonly<Record<string, string>> = { A: '^', z: '$', Z: '$', h: '0', H: '0' }
