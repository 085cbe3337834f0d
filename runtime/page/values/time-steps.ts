/** Parses durations in words: `3 days ago`, `in 1 hour and 10 minutes`, `2 weeks before 2030-01-01`. */

const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['s', 'second'],
  ['sec', 'second'],
  ['second', 'second'],
  ['min', 'minute'],
  ['m', 'minute'],
  ['minute', 'minute'],
  ['h', 'hour'],
  ['hr', 'hour'],
  ['hrs', 'hour'],
  ['hour', 'hour'],
  ['d', 'day'],
  ['day', 'day'],
  ['w', 'week'],
  ['wk', 'week'],
  ['wks', 'week'],
  ['week', 'week'],
  ['mo', 'month'],
  ['month', 'month'],
  ['y', 'year'],
  ['yr', 'year'],
  ['yrs', 'year'],
  ['year', 'year'],
])

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** Returns the unit of a word or abbreviation (`mo`, `days`); null when it is unknown. */
export function findUnit(word: string): Unit | null {
  const name = word.trim().toLowerCase()
  // A plural `s` is removed from words, but not from abbreviations: `ms` is not a minute.
  return UNITS.get(name) ?? (name.length > 3 ? (UNITS.get(name.replace(/s$/, '')) ?? null) : null)
}

export interface TimeStep {
  /** Matches a whole number or a fraction (`half an hour`). */
  readonly count: number
  readonly unit: Unit
}

/** A sum of units and its reference time. */
interface RelativeTime {
  /** The sum of units. Null when the words contain an unknown unit. */
  readonly steps: readonly TimeStep[] | null
  readonly sign: 1 | -1
  /** The words of the reference time; null when it is now. */
  readonly from: string | null
}

const NUMBERS: ReadonlyMap<string, number> = new Map(
  'a one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, index): [string, number] => [word, Math.max(1, index)])
    .concat([
      ['an', 1],
      ['the', 1],
      ['half', 0.5],
      ['half a', 0.5],
      ['half an', 0.5],
      ['couple', 2],
      ['couple of', 2],
      ['a couple of', 2],
    ]),
)

const IN = /^in (.+)$/
const COUNTED = /^(?:about )?(.+?) (?:(ago|before now|from now|hence|later)|(before|after|from) (.+))$/
const STEP = /(?:,? and |, ?| )?(?:(\d{1,9}(?:\.\d{1,6})?) ?|(half an?|(?:a )?couple(?: of)?|[a-z]+) )([a-z]+)/y

/** Parses lower-case words with single spaces; undefined when they are not a duration. */
export function parseRelativeTime(words: string): RelativeTime | undefined {
  const ahead = IN.exec(words)?.[1]
  if (ahead !== undefined) {
    const steps = parseSteps(ahead)
    return steps === null ? undefined : { steps, sign: 1, from: null }
  }
  const countedMatch = COUNTED.exec(words)
  if (countedMatch === null) return undefined
  const [, counted = '', word, way, from] = countedMatch
  // `day after tomorrow` has no count.
  const steps = parseSteps(counted) ?? parseSteps(`a ${counted}`)
  const sign = word === 'ago' || word === 'before now' || way === 'before' ? -1 : 1
  return { steps, sign, from: from ?? null }
}

function parseSteps(words: string): readonly TimeStep[] | null {
  const steps: TimeStep[] = []
  STEP.lastIndex = 0
  for (let at = 0; at < words.length; at = STEP.lastIndex) {
    const stepMatch = STEP.exec(words)
    if (stepMatch === null) return null
    const count = stepMatch[1] === undefined ? NUMBERS.get(stepMatch[2] ?? '') : Number(stepMatch[1])
    const unit = findUnit(stepMatch[3] ?? '')
    if (count === undefined || unit === null || count > 1e7) return null
    steps.push({ count, unit })
  }
  return steps.length === 0 ? null : steps
}
