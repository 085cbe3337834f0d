/** Every filter with every kind of input: it may only throw a LiquidFault, and takes linear time at most. */
import { afterEach, describe, expect, it } from 'vitest'
import { LiquidFault } from '../../../../runtime/page/fault.ts'
import { makeHash } from '../../../../runtime/page/values/access.ts'
import { toJson } from '../../../../runtime/page/values/json.ts'
import { Float } from '../../../../runtime/page/values/number.ts'
import { Range } from '../../../../runtime/page/values/range.ts'
import { Json, Safe } from '../../../../runtime/page/values/safe.ts'
import { Moment } from '../../../../runtime/page/values/time.ts'
import { measureCost } from '../../../support/cost.ts'
import { readEntries } from '../../../support/filter-fixtures.ts'
import { findFilter, createRender, filterModules } from './evaluator.ts'

const entries = readEntries()

const cycle: unknown[] = [1]
cycle.push(cycle)
const cyclicHash: Record<string, unknown> = { a: 1 }
cyclicHash.self = cyclicHash

/** Forty levels of arrays that contain the next level twice: small in memory, but endless to traverse. */
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

const r = createRender({ $i18n: { en: { a: 'A %{name}' } } })

const names = new Set([...filterModules.keys()].map((key) => key.replace(/^liquid_/, '').replace(/_$/, '')))
// The filters are looked up once, because finding a filter often takes longer than calling it.
const filters = new Map([...names].map((name) => [name, findFilter(name) ?? findFilter(name, 'liquid')]))

/** Returns the result of a filter; null for a fault. */
function callFilter(name: string, given: readonly unknown[]): unknown {
  const filter = filters.get(name)
  try {
    const found = filter?.run(...(filter.render ? [r, ...given] : given))
    return found instanceof Promise ? found.catch(requireFault) : found
  } catch (error) {
    return requireFault(error)
  }
}

/** Calls a filter and returns a promise if it is asynchronous. */
function callAsync(name: string, given: readonly unknown[]): Promise<unknown> | null {
  const found = callFilter(name, given)
  return found instanceof Promise ? found : null
}

function requireFault(error: unknown): null {
  if (!(error instanceof LiquidFault)) throw error
  return null
}

// Traversing a shared structure up to the limit takes a second. The filters that go that deep share one traversal.
const WALKED = new Set(['shared', 'huge range'])

describe('every filter', () => {
  afterEach(() => {
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  for (const name of names) {
    it(`${name} answers or faults for any input`, async () => {
      const kinds = Object.entries(values)
      const under: (Promise<unknown> | null)[] = []
      for (const [kind, value] of kinds) {
        if (WALKED.has(kind)) continue
        under.push(callAsync(name, [value]))
        for (const argument of [null, '', 'k', 2, -1, 'a,b', 1.5, { k: 1 }, ['k'], polluted, Number.NaN, cycle]) {
          under.push(callAsync(name, [value, argument]), callAsync(name, [value, argument, argument]))
        }
      }
      await Promise.all(under)
    })
  }
})

it('these are all the documented ones, by each of their names', () => {
  expect(entries.length).toBe(215)
  expect(entries.filter(({ name }) => findFilter(name) === null)).toEqual([])
})

/** Names with a meaning in JavaScript. */
const HOSTILE = '__proto__ constructor prototype toString valueOf hasOwnProperty __defineGetter__ length then'.split(
  ' ',
)

/** Checks whether a value is, or contains, a JavaScript built-in that no template created. */
function leaksBuiltIn(v: unknown, depth = 0): boolean {
  if (typeof v === 'function' || typeof v === 'symbol' || v === Object.prototype || v === Array.prototype) return true
  if (typeof v !== 'object' || v === null || depth > 4) return false
  const prototype: unknown = Object.getPrototypeOf(v)
  if (Array.isArray(v))
    return prototype !== Array.prototype || v.slice(0, 100).some((item) => leaksBuiltIn(item, depth + 1))
  if (prototype !== Object.prototype) return prototype === null || leaksBuiltIn(prototype)
  return Object.keys(v).some((key) => leaksBuiltIn(Object.getOwnPropertyDescriptor(v, key)?.value, depth + 1))
}

describe('names that mean something to JavaScript', () => {
  for (const name of names) {
    it(`are names like any other to ${name}`, async () => {
      const leaked: string[] = []
      for (const hostile of HOSTILE) {
        const hash = makeHash([
          [hostile, makeHash([[hostile, 'x']])],
          ['k', hostile],
        ])
        const inputs: unknown[] = [hostile, [hostile], {}, hash, [{}, hash], [], 'k', toJson(hash), `<${hostile}/>`]
        for (const input of inputs) {
          for (const given of [[], [hostile], [hostile, hostile], [hash], [{ k: hostile }], [[hostile]]]) {
            const found = callFilter(name, [input, ...given])
            if (leaksBuiltIn(found instanceof Promise ? await found : found)) leaked.push(`${hostile} ${given.length}`)
          }
        }
      }
      expect(leaked).toEqual([])
      expect(Object.keys(Object.prototype)).toEqual([])
      expect(Object.keys(Array.prototype)).toEqual([])
      expect(String({})).toBe('[object Object]')
    })
  }
})

describe('a fourfold input takes at most about four times as long', () => {
  const kinds: Readonly<Record<string, (count: number) => unknown>> = {
    integers: (count) => Array.from({ length: count }, (_, at) => at),
    texts: (count) => Array.from({ length: count }, (_, at) => `t${at % 1000}`),
    hashes: (count) => Array.from({ length: count }, (_, at) => ({ k: `v${at}`, n: at % 7 })),
    keys: (count) => makeHash(Array.from({ length: count }, (_, at): [string, unknown] => [`k${at}`, at])),
    words: (count) => 'a1 '.repeat(count),
    lines: (count) => 'a,b\n'.repeat(count),
    rows: (count) => Array.from({ length: count }, (_, at) => [at, `c${at}`]),
  }
  // Quadratic work on a text of this length takes tens of milliseconds at least. Linear work ends immediately.
  const least = 10_000
  const inputs = Object.entries(kinds).map(([kind, make]) => ({ kind, few: make(least), make }))

  /** Measures a call in milliseconds, until an asynchronous filter has resolved. */
  async function timed(name: string, given: readonly unknown[]): Promise<number> {
    const cost = measureCost()
    await callAsync(name, given)
    return cost()
  }

  for (const name of names) {
    it(name, async () => {
      for (const { kind, few, make } of inputs) {
        // A text as its own argument is a long pattern, name or separator, which is tested above.
        const seconds =
          typeof few === 'string' ? (['nothing', 'text'] as const) : (['nothing', 'text', 'same'] as const)
        for (const second of seconds) {
          const given = (input: unknown) => [input, ...(second === 'nothing' ? [] : [second === 'text' ? 'k' : input])]
          // A call that is fast even with the large input needs no second measurement.
          if ((await timed(name, given(few))) < 50) continue
          // Other processes and garbage collection disturb measurements, so the minimum of several runs counts.
          const many = make(4 * least)
          let once = Number.POSITIVE_INFINITY
          let fourfold = Number.POSITIVE_INFINITY
          for (let turn = 0; turn < 4 && !(fourfold <= 8 * once); turn++) {
            once = Math.min(once, await timed(name, given(few)))
            fourfold = Math.min(fourfold, await timed(name, given(many)))
          }
          const slow = fourfold <= 8 * once ? '' : `${kind}, ${second}: ${once} ms, then ${fourfold} ms`
          expect(slow).toBe('')
        }
      }
    })
  }
})

const KB = 1024

describe('long texts take linear time', () => {
  // 1 K characters. Quadratic work on a text of 300 K would exceed the limit.
  const K = 100
  const texts: Readonly<Record<string, string>> = {
    letters: 'a'.repeat(300 * K),
    capitals: 'A'.repeat(300 * K),
    opened: '<'.repeat(300 * K),
    scripts: '<script>'.repeat(40 * K),
    comments: '<!--'.repeat(60 * K),
    spaces: ' '.repeat(300 * K),
    newlines: '\r\n'.repeat(100 * K),
    entities: '&#'.repeat(150 * K),
    quotes: '"'.repeat(300 * K),
    braces: '{%'.repeat(150 * K),
    percents: '%{'.repeat(150 * K),
    digits: '1'.repeat(300 * K),
    underscores: '_'.repeat(300 * K),
    zeros: `0.${'0'.repeat(300 * K)}`,
    marks: `e${'\u0301'.repeat(100 * K)}`,
    surrogates: '🎉'.repeat(100 * K),
    brackets: '['.repeat(300 * K),
    slashes: '\\'.repeat(300 * K),
    elements: '<b>'.repeat(100 * K),
    attributes: '<a '.repeat(100 * K),
    emphasis: '**a '.repeat(75 * K),
    links: '[a]('.repeat(75 * K),
    quotations: '> '.repeat(2 * K),
    backticks: '`a``'.repeat(75 * K),
    cells: '"a",'.repeat(75 * K),
    pairs: 'a=1&'.repeat(75 * K),
    values: `[${'{"a":1},'.repeat(35 * K)}1]`,
    markup: `<a>${'<b>1</b>'.repeat(30 * K)}</a>`,
  }
  for (const name of names) {
    it(name, async () => {
      const slow: string[] = []
      for (const [kind, text] of Object.entries(texts)) {
        for (const given of [[text], [text, 'a'], [text, 5]]) {
          const cost = measureCost()
          await callAsync(name, given)
          if (cost() >= 600) slow.push(`${kind}, ${given.length} given: ${cost()} ms`)
        }
      }
      expect(slow).toEqual([])
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
      const cost = measureCost()
      expect(() => findFilter(name)!.run(shared), name).toThrow(LiquidFault)
      expect(cost(), name).toBeLessThan(5000)
    }
  })

  it('a huge range is never listed', () => {
    for (const name of ['join', 'reverse', 'sort', 'sum', 'uniq', 'where']) {
      expect(() => findFilter(name)!.run(values['huge range'], 'a'), name).toThrow(LiquidFault)
    }
  })

  it('text is not grown beyond its limit', () => {
    const megabyte = 'x'.repeat(KB * KB)
    expect(() => findFilter('replace')!.run(megabyte, 'x', megabyte)).toThrow('a text grew beyond')
    expect(() => findFilter('replace')!.run(megabyte, '', megabyte)).toThrow('a text grew beyond')
    expect(() => findFilter('pad_left')!.run('x', 1e12)).toThrow('a text grew beyond')
    expect(() => findFilter('join')!.run(Array(100).fill(megabyte), '')).toThrow('a text grew beyond')
    expect(() => findFilter('append')!.run('x'.repeat(5e7), 'x')).toThrow('a text grew beyond')
    let n: unknown = 10
    expect(() => {
      for (let turn = 0; turn < 100; turn++) n = findFilter('times')!.run(n, n)
    }).toThrow('an integer grew beyond')
  })
})
