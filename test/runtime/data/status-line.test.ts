/** The status line of a terminal, which shows the progress of long work: when and how wide it is written. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type StatusLine, statusLine } from '../../../runtime/data/status-line.ts'

const WIPE = '\r\u001b[K'
let written: string[]

beforeEach(() => {
  written = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

const terminal = (more: object = {}) => ({
  isTTY: true,
  columns: 40,
  write: (text: string) => void written.push(text),
  ...more,
})

function lineOn(more: object = {}): StatusLine {
  const line = statusLine(terminal(more), { TERM: 'xterm' }, Date.now)
  if (line === null) throw new Error('there is no line')
  return line
}

it('is not there for work that is short, and is written ten times a second at most', () => {
  const line = lineOn()
  const asked: number[] = []
  for (let at = 0; at <= 1_000; at += 10) {
    line.show(() => {
      asked.push(at)
      return `at ${at}`
    })
    vi.advanceTimersByTime(10)
  }
  expect(asked).toEqual([500, 600, 700, 800, 900, 1000])
  expect(written).toEqual(asked.map((at) => `${WIPE}at ${at}`))
})

it('is wiped once, and only where it stands', () => {
  const line = lineOn()
  line.show(() => 'too soon')
  line.clear()
  expect(written).toEqual([])
  vi.advanceTimersByTime(600)
  line.show(() => 'here')
  line.clear()
  line.clear()
  expect(written).toEqual([`${WIPE}here`, WIPE])
  // The line is written again immediately after a result.
  line.show(() => 'again')
  expect(written.at(-1)).toBe(`${WIPE}again`)
})

it('counts the seconds of work that cannot say how far it is, until something else is said', () => {
  const line = lineOn()
  line.during('Writing')
  vi.advanceTimersByTime(2_000)
  expect(written[0]).toBe(`${WIPE}Writing … 1 s`)
  expect(written.at(-1)).toBe(`${WIPE}Writing … 2 s`)
  const { length } = written
  line.show(() => 'half')
  line.clear()
  vi.advanceTimersByTime(2_000)
  expect(written.slice(length)).toEqual([WIPE])
})

it.for([
  [10, 'a line t…'],
  [20, 'a line that is too…'],
  [24, 'a line that is too long'],
  // Some terminals do not know their width.
  [0, 'a line that is too long'],
] as const)('fits into %i columns', ([columns, shown]) => {
  const line = lineOn({ columns })
  vi.advanceTimersByTime(600)
  line.show(() => 'a line that is too long')
  expect(written).toEqual([`${WIPE}${shown}`])
})

it.for([
  ['a pipe', { isTTY: false }, {}],
  ['a file', { isTTY: undefined }, {}],
  ['a terminal without codes', {}, { TERM: 'dumb' }],
  ['a person without colors', {}, { NO_COLOR: '1' }],
  ['a machine that builds', {}, { CI: 'true' }],
] as const)('is not for %s', ([, more, env]) => {
  expect(statusLine(terminal(more), env)).toBeNull()
})

it.for([{ NO_COLOR: '' }, { CI: '' }, { CI: 'false' }, {}])('is there with %j', (env) => {
  expect(statusLine(terminal(), env)).not.toBeNull()
})
