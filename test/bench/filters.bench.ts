/**
 * Measures the ten filters that sites use most: a thousand calls of each filter in one render, Ingot compared with liquidjs. A filter that
 * liquidjs lacks is compared with the simplest function that does the same. Filters for which that would need a host are measured without a
 * comparison.
 */
import { Liquid } from 'liquidjs'
import { createEngine } from '../../compiler/tools/engine.ts'
import { interleave, median, ratio } from './measure.ts'
import { printTable } from './table.ts'

const ROUNDS = 9
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 0.15)
const CALLS = 1_000

interface Case {
  readonly filter: string
  /** Returns the filter's input in iteration `at`. */
  readonly value: (at: number) => unknown
  /** The filter call after the input. */
  readonly call: string
  readonly peer: 'own' | 'registered' | 'none'
}

const WORDS = ['tea', 'milk', 'sugar', 'lemon', 'honey', 'ginger', 'mint']
const word = (at: number) => `${WORDS[at % WORDS.length]} ${at}`

const CASES: readonly Case[] = [
  { filter: 't', value: (at) => `shop.${WORDS[at % WORDS.length]}`, call: 't: count: 2', peer: 'none' },
  { filter: 'default', value: (at) => (at % 3 === 0 ? null : word(at)), call: "default: 'none'", peer: 'own' },
  { filter: 'asset_url', value: (at) => `${WORDS[at % WORDS.length]}.png`, call: 'asset_url', peer: 'none' },
  {
    filter: 'parse_json',
    value: (at) => `{"id":${at},"name":"${word(at)}","tags":["a","b"],"price":{"amount":${at},"currency":"EUR"}}`,
    call: 'parse_json | json',
    peer: 'registered',
  },
  { filter: 'append', value: word, call: "append: '.html'", peer: 'own' },
  {
    filter: 'json',
    value: (at) => ({ id: at, name: word(at), tags: ['a', 'b'], price: { amount: at, currency: 'EUR' } }),
    call: 'json',
    peer: 'own',
  },
  {
    filter: 'hash_merge',
    value: (at) => ({ id: at, name: word(at), price: at }),
    call: 'hash_merge: price: 3, sold: true | json',
    peer: 'registered',
  },
  {
    filter: 'split',
    value: (at) => `${word(at)},${word(at + 1)},${word(at + 2)}`,
    call: "split: ',' | size",
    peer: 'own',
  },
  { filter: 'plus', value: (at) => at, call: 'plus: 7', peer: 'own' },
  { filter: 'join', value: (at) => [word(at), word(at + 1), word(at + 2)], call: "join: ', '", peer: 'own' },
]

const TRANSLATIONS = {
  'app/translations/en.yml': `en:\n  shop:\n${WORDS.map((name) => `    ${name}: '${name} for %{count}'`).join('\n')}\n`,
}

const peer = new Liquid({ cache: true })
peer.registerFilter('parse_json', (text: string) => JSON.parse(text) as unknown)
peer.registerFilter('hash_merge', (hash: object, ...pairs: [string, unknown][]) => ({
  ...hash,
  ...Object.fromEntries(pairs),
}))

interface Result {
  readonly filter: string
  readonly peer: Case['peer']
  /** The median time of one call in Ingot, in nanoseconds. */
  readonly nanoseconds: number
  /** Ingot's speed divided by that of liquidjs; null without a comparison. */
  readonly ratio: number | null
}

function measure({ filter, value, call, peer: kind }: Case): Result {
  const template = `{% for item in list %}{{ item | ${call} }}\n{% endfor %}`
  const data = { list: Array.from({ length: CALLS }, (_, at) => value(at)) }
  const files = {
    main: template,
    ...TRANSLATIONS,
    ...Object.fromEntries(WORDS.map((name) => [`app/assets/${name}.png`, ''])),
  }
  const engine = createEngine({ files, format: 'txt' })
  const broken = engine.diagnostics.find(({ severity }) => severity === 'error')
  if (broken !== undefined) throw new Error(`${filter}: ${broken.message}`)
  const ours = () => void engine.renderSync('main', data)
  const parsed = kind === 'none' ? null : peer.parse(template)
  const theirs = parsed === null ? null : () => void peer.renderSync(parsed, data)
  if (parsed !== null) {
    const [text, wanted] = [engine.renderSync('main', data), String(peer.renderSync(parsed, data))]
    if (text !== wanted)
      throw new Error(`${filter}: ours prints ${text.slice(0, 100)}, liquidjs ${wanted.slice(0, 100)}`)
  }
  const contestants = [{ name: 'ours', run: ours }, ...(theirs === null ? [] : [{ name: 'liquidjs', run: theirs }])]
  const rates = interleave(contestants, ROUNDS, SECONDS)
  return {
    filter,
    peer: kind,
    nanoseconds: 1e9 / median(rates.get('ours') ?? []) / CALLS,
    ratio: theirs === null ? null : ratio(rates, 'ours', 'liquidjs'),
  }
}

const results = CASES.map(measure)
const PEERS = { own: 'its own', registered: 'a plain function', none: 'none' } as const
printTable(
  ['filter', 'ns a call', 'ours/liquidjs', 'what liquidjs runs'],
  results.map((each) => [
    each.filter,
    each.nanoseconds.toFixed(0),
    each.ratio === null ? '' : `${each.ratio.toFixed(2)}x`,
    PEERS[each.peer],
  ]),
)
const compared = results.flatMap((each) => each.ratio ?? [])
console.log(
  `Worst: ${Math.min(...compared).toFixed(2)}x; the goal is 1x. Nanoseconds are of the whole turn of the loop.`,
)
