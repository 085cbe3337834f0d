/** Measures the cost of options of the library: a render with an option, compared with the same render without it, in one process. */
import { createEngine, type EngineOptions, filter, type HostFilter } from '../../compiler/tools/engine.ts'
import { geometricMean, interleave, ratio } from './measure.ts'
import { loadWorkload, WORKLOADS } from './workloads.ts'

type Row = readonly [name: string, withToWithout: number]

const NOW = Date.UTC(2026, 0, 1)

export async function libraryRows(rounds: number, seconds: number): Promise<readonly Row[]> {
  const strict: Row[] = []
  for (const name of WORKLOADS) {
    const { files, entry, data } = await loadWorkload(name)
    const options = { files, now: NOW }
    const value = compared({ ...options, strictVariables: true }, options, { entry, data, rounds, seconds })
    strict.push([`strict variables, ${name}`, value])
  }
  return [
    ...strict,
    ['strict variables, mean', geometricMean(strict.map(([, value]) => value))],
    ...ownFilters(rounds, seconds),
  ]
}

/** Built-in filters, and the same filters defined by a host. */
const FILTERS: readonly { readonly built: string; readonly own: HostFilter }[] = [
  { built: 'upcase', own: filter({ name: 'own', input: 'text', result: 'text' }, (text) => text.toUpperCase()) },
  {
    built: 'append: item.unit',
    own: filter({ name: 'own', input: 'text', params: ['text'], result: 'text' }, (text, more) => text + more),
  },
  {
    built: 'times: item.count',
    own: filter({ name: 'own', input: 'number', params: ['number'], result: 'number' }, (a, b) => a * b),
  },
]

function ownFilters(rounds: number, seconds: number): readonly Row[] {
  const items = Array.from({ length: 200 }, (_, at) => ({ name: `thing ${at}`, unit: 'kg', count: at, price: at * 3 }))
  return FILTERS.map(({ built, own }): Row => {
    const page = (chain: string, input: string) =>
      `{% for item in items %}<li>{{ item.name }}: {{ item.${input} | ${chain} }}</li>{% endfor %}`
    const [name, ...args] = built.split(':')
    const input = name === 'times' ? 'price' : 'name'
    const value = compared(
      { files: { page: page(['own', ...args].join(':'), input) }, filters: [own] },
      { files: { page: page(built, input) } },
      { entry: 'page', data: { items }, rounds, seconds },
    )
    return [`a filter of one's own for ${name}`, value]
  })
}

interface Measured {
  readonly entry: string
  readonly data: Readonly<Record<string, unknown>>
  readonly rounds: number
  readonly seconds: number
}

/** Returns how many renders the first engine makes in the time of one render of the second. Both must print the same text. */
function compared(first: EngineOptions, second: EngineOptions, { entry, data, rounds, seconds }: Measured): number {
  const buffer = Buffer.alloc(1 << 20)
  const [one, other] = [createEngine(first), createEngine(second)]
  if (one.renderSync(entry, data) !== other.renderSync(entry, data)) throw new Error(`${entry} prints otherwise`)
  const rates = interleave(
    [
      { name: 'with', run: () => void one.renderInto(buffer, entry, data) },
      { name: 'without', run: () => void other.renderInto(buffer, entry, data) },
    ],
    rounds,
    seconds,
  )
  return ratio(rates, 'with', 'without')
}
