/** Filters add steps to the running render, in proportion to the text and the elements that they read. */
import { describe, expect, it, vi } from 'vitest'
import { LimitFault, LiquidFault } from '../../../../runtime/page/fault.ts'
import { contains, eq, lt } from '../../../../runtime/page/values/compare.ts'
import { esc } from '../../../../runtime/page/values/text.ts'
import { setMeter } from '../../../../runtime/page/values/meter.ts'
import { findFilter, createRender, filterModules } from './evaluator.ts'

const LENGTH = 64_000
const TEXT = 'word <b>'.repeat(LENGTH / 8)
const LIST = Array.from({ length: LENGTH }, (_, index) => index % 100)

const r = createRender({})
const names = [...new Set([...filterModules.keys()].map((key) => key.replace(/^liquid_/, '').replace(/_$/, '')))]

/** Returns the steps that a filter adds; null when it rejects its input. */
async function countSteps(name: string, input: unknown): Promise<number | null> {
  const filter = findFilter(name) ?? findFilter(name, 'liquid')
  const meter = { pace: 0 }
  setMeter(meter)
  try {
    await (filter?.render === true ? filter.run(r, input, 'k') : filter?.run(input, 'k'))
  } catch (error) {
    if (!(error instanceof LiquidFault)) throw error
    return null
  }
  return meter.pace
}

/** Returns the names of the filters whose steps do not grow with their input. */
async function findConstantFilters(input: unknown, least: number): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of names) {
    const steps = await countSteps(name, input)
    if (steps !== null && steps < least) found.push(name)
  }
  return found.sort()
}

/** The filters that read only the number or time at the beginning of a text, or that return the text unchanged. */
const UNREAD_TEXT = [
  ...['abs', 'advanced_format', 'at_least', 'at_most', 'ceil', 'floor', 'format_number', 'minus', 'plus', 'round'],
  ...['times', 'date', 'is_parsable_date', 'append', 'prepend', 'default', 'deep_clone', 'first', 'last', 'size'],
  ...['array_uniq', 'uniq', 'reverse', 'sort', 'sort_natural', 'hash_dig', 'hash_fetch', 'hcaptcha', 'type_of', 'uuid'],
]

/** The filters that do not accept a list as a number, read only one element, or return the list unchanged. */
const UNREAD_LIST = [
  ...['abs', 'advanced_format', 'at_least', 'at_most', 'ceil', 'floor', 'format_number', 'minus', 'plus', 'round'],
  ...['times', 'date', 'is_parsable_date', 'default', 'deep_clone', 'first', 'last', 'size', 'split', 'hash_dig'],
  ...['hash_fetch', 'hcaptcha', 'is_json_valid', 'parse_json', 'type_of', 'uuid'],
]

describe('steps of a filter', () => {
  it('grow with the text that it reads', async () => {
    expect(await findConstantFilters(TEXT, LENGTH / 10)).toEqual(UNREAD_TEXT.toSorted())
  })

  it('grow with the list that it reads', async () => {
    expect(await findConstantFilters(LIST, LENGTH / 32)).toEqual(UNREAD_LIST.toSorted())
  })

  it('are those of the render that runs', () => {
    const [one, other] = [createRender({}), createRender({})]
    one.resume()
    esc(TEXT)
    const counted = one.steps
    other.resume()
    esc(TEXT)
    expect([counted, one.steps, other.steps]).toEqual([LENGTH / 5, LENGTH / 5, LENGTH / 5])
  })
})

describe('a comparison', () => {
  const later = `${TEXT}a`
  it.each<[string, () => unknown]>([
    ['contains, of a text', () => contains(TEXT, 'words')],
    ['contains, of a list', () => contains(LIST, 'words')],
    ['<', () => lt(TEXT, later)],
    ['== of lists', () => eq(LIST, [...LIST])],
    ['== of hashes', () => eq({ ...LIST }, { ...LIST })],
  ])('%s counts what it reads', (_, compare) => {
    const meter = { pace: 0 }
    setMeter(meter)
    compare()
    expect(meter.pace).toBeGreaterThanOrEqual(LENGTH / 32)
  })
})

describe('a text', () => {
  it('that is captured or printed counts before it is read, and has a limit', () => {
    const render = createRender({})
    render.wrote(LENGTH)
    expect(render.steps).toBe(LENGTH / 4 / 10)
    expect(() => render.wrote(render.limits.output + 1)).toThrow(LimitFault)
  })

  it('that grows by its own length or by a row on each iteration costs no more than the added text', () => {
    const meter = { pace: 0 }
    setMeter(meter)
    let text = ''
    const append = findFilter('append')!.run
    for (let row = 0; row < 100_000; row++) text = append(text, 'a row of a table\n') as string
    expect(meter.pace).toBe(0)
  })
})

it('a render checks its limits more often while its turns take long', () => {
  let time = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
  try {
    const render = createRender({})
    /** Counts the iterations until the next check, when each takes this many milliseconds. */
    const turns = (milliseconds: number): number => {
      let count = 0
      do {
        count++
        time += milliseconds
      } while (++render.pace < 0)
      render.tick(0)
      return count
    }
    const quick = Array.from({ length: 12 }, () => turns(0))
    expect(quick).toEqual([64, 128, 256, 512, ...Array<number>(8).fill(1024)])
    expect([turns(1), turns(1), turns(0)]).toEqual([1024, 16, 16])
  } finally {
    clock.mockRestore()
  }
})
