/** Offsets and abbreviations of IANA time zones at an instant. */
import { ArgumentFault } from '../fault.ts'
import { MAX_SECONDS } from './moment.ts'
import { RAILS_ZONES } from './rails-zones.ts'

/** The offset and the abbreviation of a zone at an instant. */
interface ZoneTime {
  /** Seconds east of UTC. */
  readonly offset: number
  /** The abbreviation (`UTC`, `EST`). Empty when the zone has none. */
  readonly name: string
}

interface Zone {
  readonly at: (seconds: number) => ZoneTime
}

const DAY = 86_400
const MAX_DAYS = 400

/** A zone of the IANA database. `Intl` is slow, so its results are cached by day. */
class CalendarZone implements Zone {
  readonly #formatter: Intl.DateTimeFormat
  /** The results by UTC day. Null for a day on which they change. */
  readonly #days = new Map<number, ZoneTime | null>()

  constructor(formatter: Intl.DateTimeFormat) {
    this.#formatter = formatter
  }

  at(seconds: number): ZoneTime {
    const day = Math.floor(seconds / DAY)
    let cachedTime = this.#days.get(day)
    if (cachedTime === undefined) {
      cachedTime = this.#resultForDay(day)
      if (this.#days.size >= MAX_DAYS) this.#days.clear()
      this.#days.set(day, cachedTime)
    }
    return cachedTime ?? this.#lookup(seconds)
  }

  /**
   * Returns the result for an entire day, or null when it changes on this day. A zone's changes are days apart, so equal results at both
   * ends hold for the whole day.
   */
  #resultForDay(day: number): ZoneTime | null {
    const dayStart = day * DAY
    const dayEnd = dayStart + DAY - 1
    if (!(dayStart >= -MAX_SECONDS && dayEnd <= MAX_SECONDS)) return null
    const start = this.#lookup(dayStart)
    const end = this.#lookup(dayEnd)
    return start.offset === end.offset && start.name === end.name ? start : null
  }

  #lookup(seconds: number): ZoneTime {
    const calendarParts = this.#formatter.formatToParts(new Date(seconds * 1000))
    const p: Record<string, string> = Object.fromEntries(calendarParts.map((part) => [part.type, part.value]))
    const wall = new Date(0)
    wall.setUTCFullYear(p.era === 'BC' ? 1 - Number(p.year) : Number(p.year), Number(p.month) - 1, Number(p.day))
    wall.setUTCHours(Number(p.hour), Number(p.minute), Number(p.second))
    const name = p.timeZoneName ?? ''
    return {
      offset: wall.getTime() / 1000 - Math.floor(seconds),
      name: /^[A-Z]{2,5}$/.test(name) ? name : '',
    }
  }
}

const MAX_ZONES = 200
const zones = new Map<string, Zone>()

function findZone(timeZone: string): Zone {
  let cachedZone = zones.get(timeZone)
  if (cachedZone === undefined) {
    cachedZone = createZone(timeZone)
    if (zones.size >= MAX_ZONES) zones.clear()
    zones.set(timeZone, cachedZone)
  }
  return cachedZone
}

function createZone(timeZone: string): Zone {
  const fixed = /^([-+])(\d\d):(\d\d)$/.exec(timeZone)
  if (fixed !== null) {
    const seconds = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60
    const time: ZoneTime = { offset: fixed[1] === '-' ? -seconds : seconds, name: '' }
    return { at: () => time }
  }
  try {
    return new CalendarZone(
      new Intl.DateTimeFormat('en-US', {
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
      }),
    )
  } catch {
    throw new ArgumentFault(`Invalid Timezone: ${timeZone.slice(0, 100)}`)
  }
}

/**
 * Returns the seconds east of UTC of a zone (an IANA name, or an offset such as `+05:30`) at an instant.
 * @throws ArgumentFault for an unknown zone
 */
export function findOffset(timeZone: string, seconds: number): number {
  return timeZone === 'UTC' ? 0 : findZone(timeZone).at(seconds).offset
}

/**
 * Returns the abbreviation of a zone at an instant: `UTC`, `EST`; empty when it has none.
 * @throws ArgumentFault for an unknown zone
 */
export function findAbbreviation(timeZone: string, seconds: number): string {
  return timeZone === 'UTC' ? 'UTC' : findZone(timeZone).at(seconds).name
}

/** Returns the IANA name of a zone, which may be given by its Rails name. */
export function toIanaName(name: string): string {
  return RAILS_ZONES.get(name) ?? name
}
