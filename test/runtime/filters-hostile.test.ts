/** Every filter with inputs of every kind: only a LiquidFault may come out, and never after more than linear time. */
import { afterEach, describe, expect, it } from 'vitest'
import { LiquidFault } from '../../runtime/fault.ts'
import { makeHash } from '../../runtime/values/access.ts'
import { Float } from '../../runtime/values/number.ts'
import { Range } from '../../runtime/values/range.ts'
import { Json, Safe } from '../../runtime/values/safe.ts'
import { Moment } from '../../runtime/values/time.ts'
import { filterNamed, renderFor, rooms } from './filters-evaluator.ts'

const cycle: unknown[] = [1]
cycle.push(cycle)
const cyclicHash: Record<string, unknown> = { a: 1 }
cyclicHash.self = cyclicHash

/** Forty levels of an array that holds the one below it twice: small to keep, endless to walk. */
let shared: unknown[] = []
for (let level = 0; level < 40; level++) shared = [shared, shared]

const polluted = makeHash([
  ['__proto__', makeHash([['polluted', true]])],
  ['constructor', { prototype: { polluted: true } }],
])

const values: Readonly<Record<string, unknown>> = {
  nil: null,
  undefined: undefined,
  true: true,
  false: false,
  zero: 0,
  integer: 7,
  negative: -3,
  bigint: 123456789012345678901234567890n,
  float: 1.5,
  boxed: new Float(3),
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  'huge float': new Float(1e300),
  empty: '',
  text: 'a,b <b>"x"</b> & ż 🎉 %{name} {{ y }} 2024-02-05',
  'half a pair': 'x\ud83c',
  digits: '42',
  safe: new Safe('<b>'),
  json: new Json('{"a":1}'),
  range: new Range(1, 3),
  'huge range': new Range(1, 1_000_000_000),
  moment: new Moment('time', 1707116889, 0, 0, 'UTC'),
  day: new Moment('date', 1707091200, 0, 0, 'UTC'),
  array: [3, 'b', null, [1, { k: 2 }]],
  hashes: [{ k: 1 }, { k: 2 }, {}],
  hash: { k: 'v', n: null },
  polluted,
  cycle,
  'cyclic hash': cyclicHash,
  shared,
}

const r = renderFor({ $i18n: { en: { a: 'A %{name}' } } })

/** Gives what to wait for, of filters that suspend. */
function attempt(name: string, given: readonly unknown[]): Promise<unknown> | null {
  const filter = filterNamed(name) ?? filterNamed(name, 'liquid')
  try {
    const result = filter?.run(...(filter.render ? [r, ...given] : given))
    return result instanceof Promise ? result.catch(onlyFaults) : null
  } catch (error) {
    return onlyFaults(error)
  }
}

function onlyFaults(error: unknown): null {
  if (!(error instanceof LiquidFault)) throw error
  return null
}

const names = [...rooms.keys()].map((key) => key.replace(/^liquid_/, '').replace(/_$/, ''))

// Walking a shared structure until a limit ends it costs a second; the filters that look that deep share one walker.
const WALKED = new Set(['shared', 'huge range'])

describe('every filter', () => {
  afterEach(() => {
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  for (const name of new Set(names)) {
    it(`${name} answers or faults for any input`, async () => {
      const kinds = Object.entries(values)
      const under: (Promise<unknown> | null)[] = []
      for (const [kind, value] of kinds) {
        if (WALKED.has(kind)) continue
        under.push(attempt(name, [value]))
        for (const argument of [null, '', 'k', 2, -1, 'a,b', 1.5, { k: 1 }, ['k'], polluted, Number.NaN, cycle]) {
          under.push(attempt(name, [value, argument]), attempt(name, [value, argument, argument]))
        }
      }
      await Promise.all(under)
    })
  }
})

const KB = 1024

describe('long texts take linear time', () => {
  const texts: Readonly<Record<string, string>> = {
    letters: 'a'.repeat(300 * KB),
    capitals: 'A'.repeat(300 * KB),
    opened: '<'.repeat(300 * KB),
    scripts: '<script>'.repeat(40 * KB),
    comments: '<!--'.repeat(60 * KB),
    spaces: ' '.repeat(300 * KB),
    newlines: '\r\n'.repeat(100 * KB),
    entities: '&#'.repeat(150 * KB),
    quotes: '"'.repeat(300 * KB),
    braces: '{%'.repeat(150 * KB),
    percents: '%{'.repeat(150 * KB),
    digits: '1'.repeat(300 * KB),
    underscores: '_'.repeat(300 * KB),
    zeros: `0.${'0'.repeat(300 * KB)}`,
    marks: `e${'\u0301'.repeat(100 * KB)}`,
    surrogates: '🎉'.repeat(100 * KB),
    brackets: '['.repeat(300 * KB),
    slashes: '\\'.repeat(300 * KB),
  }
  for (const name of new Set(names)) {
    // The Markdown library is its own: its limits are tested below with what a page may hold.
    if (name === 'markdown' || name === 'sanitize') continue
    it(name, async () => {
      for (const [kind, text] of Object.entries(texts)) {
        for (const given of [[text], [text, 'a'], [text, 5]]) {
          const start = performance.now()
          await attempt(name, given)
          expect(performance.now() - start, kind).toBeLessThan(1000)
        }
      }
    })
  }
})

describe('structures without end', () => {
  it('a shared structure ends every filter that walks it', () => {
    for (const name of [
      'json',
      'join',
      'array_flatten',
      'array_uniq',
      'deep_clone',
      'upcase',
      'www_form_encode',
      'uniq',
    ]) {
      const start = performance.now()
      expect(() => filterNamed(name)!.run(shared), name).toThrow(LiquidFault)
      expect(performance.now() - start, name).toBeLessThan(5000)
    }
  })

  it('a huge range is never listed', () => {
    for (const name of ['join', 'reverse', 'sort', 'sum', 'uniq', 'where']) {
      expect(() => filterNamed(name)!.run(values['huge range'], 'a'), name).toThrow(LiquidFault)
    }
  })

  it('text is not grown beyond its limit', () => {
    const megabyte = 'x'.repeat(KB * KB)
    expect(() => filterNamed('replace')!.run(megabyte, 'x', megabyte)).toThrow('a text grew beyond')
    expect(() => filterNamed('replace')!.run(megabyte, '', megabyte)).toThrow('a text grew beyond')
    expect(() => filterNamed('pad_left')!.run('x', 1e12)).toThrow('a text grew beyond')
    expect(() => filterNamed('join')!.run(Array(100).fill(megabyte), '')).toThrow('a text grew beyond')
    expect(() => filterNamed('append')!.run('x'.repeat(5e7), 'x')).toThrow('a text grew beyond')
    let n: unknown = 10
    expect(() => {
      for (let turn = 0; turn < 100; turn++) n = filterNamed('times')!.run(n, n)
    }).toThrow('an integer grew beyond')
  })
})
