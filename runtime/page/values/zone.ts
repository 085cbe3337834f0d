/** Offsets and abbreviations of IANA time zones at an instant. */
import { ArgumentFault } from '../fault.ts'
import { RAILS_ZONES } from './rails-zones.ts'

const MAX_ZONES = 200
const offsets = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string): Intl.DateTimeFormat {
  let found = offsets.get(timeZone)
  if (found === undefined) {
    try {
      found = new Intl.DateTimeFormat('en-US', {
        timeZone,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
        era: 'short',
        timeZoneName: 'short',
      })
    } catch {
      throw new ArgumentFault(`Invalid Timezone: ${timeZone.slice(0, 100)}`)
    }
    if (offsets.size >= MAX_ZONES) offsets.clear()
    offsets.set(timeZone, found)
  }
  return found
}

function parts(timeZone: string, seconds: number): Record<string, string> {
  const shown = formatter(timeZone).formatToParts(new Date(seconds * 1000))
  return Object.fromEntries(shown.map((part) => [part.type, part.value]))
}

/**
 * Seconds east of UTC of a zone (an IANA name, or an offset such as `+05:30`) at an instant.
 * @throws ArgumentFault for an unknown zone
 */
export function offsetOf(timeZone: string, seconds: number): number {
  if (timeZone === 'UTC') return 0
  const fixed = /^([-+])(\d\d):(\d\d)$/.exec(timeZone)
  if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 3600 + Number(fixed[3]) * 60)
  const p = parts(timeZone, seconds)
  const year = p.era === 'BC' ? 1 - Number(p.year) : Number(p.year)
  const wall = new Date(0)
  wall.setUTCFullYear(year, Number(p.month) - 1, Number(p.day))
  wall.setUTCHours(Number(p.hour), Number(p.minute), Number(p.second))
  return wall.getTime() / 1000 - Math.floor(seconds)
}

/**
 * Abbreviation of a zone at an instant: `UTC`, `EST`; empty when it has none.
 * @throws ArgumentFault for an unknown zone
 */
export function zoneName(timeZone: string, seconds: number): string {
  if (timeZone === 'UTC') return 'UTC'
  if (/^[-+]/.test(timeZone)) return ''
  const name = parts(timeZone, seconds).timeZoneName ?? ''
  return /^[A-Z]{2,5}$/.test(name) ? name : ''
}

/** The IANA name of a zone, which may be given by its Rails name. */
export function ianaName(name: string): string {
  return RAILS_ZONES.get(name) ?? name
}
