/** Dates and times as values: an instant, its offset, and how it prints. */
import { Boxed } from './boxed.ts'

/** Maximum number of seconds that a JavaScript date can represent. */
export const MAX_SECONDS = 8.64e12

export class Moment extends Boxed {
  /** `date`: a whole day, stored as its midnight in UTC. */
  readonly $kind: 'date' | 'time'
  /** Whole seconds since the epoch. */
  readonly $seconds: number
  /** Nanoseconds within the second. */
  readonly $nanos: number
  /** The offset from UTC in seconds. It is positive east of UTC. */
  readonly $offset: number
  /** The abbreviation of the zone (`UTC`, `CET`). Empty when only an offset is known. */
  readonly $zone: string
  constructor(kind: 'date' | 'time', seconds: number, nanos: number, offset: number, zone: string) {
    super()
    this.$kind = kind
    this.$seconds = seconds
    this.$nanos = nanos
    this.$offset = offset
    this.$zone = zone
  }
}

const padTwo = (n: number): string => (n < 10 ? `0${n}` : `${n}`)

/** Returns the wall-clock fields of a moment in its own offset. */
function wallClock(m: Moment): Date {
  return new Date((m.$seconds + m.$offset) * 1000)
}

function formatYear(d: Date): string {
  const n = d.getUTCFullYear()
  return n < 0 ? `-${`${-n}`.padStart(4, '0')}` : `${n}`.padStart(4, '0')
}

function formatDay(d: Date): string {
  return `${formatYear(d)}-${padTwo(d.getUTCMonth() + 1)}-${padTwo(d.getUTCDate())}`
}

function formatClock(d: Date): string {
  return `${padTwo(d.getUTCHours())}:${padTwo(d.getUTCMinutes())}:${padTwo(d.getUTCSeconds())}`
}

/** Formats an offset, as `+0530`, or as `+05:30` when `colon` is `:`. */
export function formatOffset(offset: number, colon: string): string {
  const minutes = Math.floor(Math.abs(offset) / 60)
  return `${offset < 0 ? '-' : '+'}${padTwo(Math.floor(minutes / 60))}${colon}${padTwo(minutes % 60)}`
}

/** Returns the text that `{{ }}` prints: `2020-01-02`, `2020-01-02 03:04:05 UTC`, `2020-01-02 03:04:05 +0100`. */
export function formatMoment(m: Moment): string {
  const d = wallClock(m)
  if (m.$kind === 'date') return formatDay(d)
  return `${formatDay(d)} ${formatClock(d)} ${m.$zone === 'UTC' ? 'UTC' : formatOffset(m.$offset, '')}`
}

/** Returns the text in JSON: `2020-01-02`, `2020-01-02T03:04:05.000Z`, `2020-01-02T03:04:05.000+01:00`. */
export function formatMomentJson(m: Moment): string {
  const d = wallClock(m)
  if (m.$kind === 'date') return formatDay(d)
  const millis = `${Math.floor(m.$nanos / 1e6)}`.padStart(3, '0')
  return `${formatDay(d)}T${formatClock(d)}.${millis}${m.$zone === 'UTC' ? 'Z' : formatOffset(m.$offset, ':')}`
}
