/**
 * Measures rendering: Ingot compared with a hand-written function and liquidjs, on five pages that print and four that compute. A render
 * ends when its text is in a reused buffer as UTF-8. V8 has the same flags as in the server's processes.
 */
import { setFlagsFromString } from 'node:v8'
import { createEngine } from '../../compiler/tools/engine.ts'
import { MORE_INLINING } from '../../server/operate/cluster/engine-flags.ts'
import { ratiosInBrowser } from './in-browser.ts'
import { inPage } from './in-page.ts'
import { libraryRows } from './library.ts'
import { peer } from './liquidjs.ts'
import { allocation, geometricMean, interleave, median, ratio } from './measure.ts'
import { printTable } from './table.ts'
import { COMPUTING, loadWorkload, WORKLOADS } from './workloads.ts'

// Sets V8 as in the server's processes, for all contestants. With BENCH_PLAIN, V8 keeps its defaults, as for an engine in another process.
if (process.env['BENCH_PLAIN'] === undefined) setFlagsFromString(MORE_INLINING)

const ROUNDS = 9
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 0.25)

/** Goals for Ingot's speed divided by that of liquidjs: a good ratio and an excellent one. */
const GOALS: Readonly<Record<string, readonly [good: number, moonshot: number]>> = {
  product_list: [40, 51],
  table: [22, 28],
  comments: [65, 94],
  docs_page: [5, 15],
  json_api: [40, 56],
}

interface Compared {
  readonly name: string
  readonly ours: () => void
  readonly byHand: () => void
  readonly ourToHand: number
  /** The ratio for Ingot's `renderSync`, whose string is then written to the buffer. */
  readonly stringToHand: number
  readonly ourToPeer: number
  /** The ratio for Ingot if it returns a string. */
  readonly stringToPeer: number
  readonly handToPeer: number
}

type Result = Compared & { readonly bytes: number }

async function compare(name: string): Promise<Compared> {
  const workload = await loadWorkload(name)
  const { entry, data, hand } = workload
  const engine = createEngine({ files: workload.files, now: Date.UTC(2026, 0, 1) })
  const buffer = Buffer.alloc(1 << 20)
  const render = peer(workload)
  const ours = () => void engine.renderInto(buffer, entry, data)
  const asString = () => void buffer.write(engine.renderSync(entry, data), 0)
  const byHand = () => void buffer.write(hand(data), 0)
  const theirs = () => void buffer.write(render(data), 0)

  const expected = hand(data)
  same(`${name}: ours`, buffer.toString('utf8', 0, engine.renderInto(buffer, entry, data)), expected)
  same(`${name}: ours as a string`, engine.renderSync(entry, data), expected)
  same(`${name}: liquidjs`, render(data), expected)

  const rates = interleave(
    [
      { name: 'ours', run: ours },
      { name: 'string', run: asString },
      { name: 'hand', run: byHand },
      { name: 'liquidjs', run: theirs },
    ],
    ROUNDS,
    SECONDS,
  )
  return {
    name,
    ours,
    byHand,
    ourToHand: ratio(rates, 'ours', 'hand'),
    stringToHand: ratio(rates, 'string', 'hand'),
    ourToPeer: ratio(rates, 'ours', 'liquidjs'),
    stringToPeer: ratio(rates, 'string', 'liquidjs'),
    handToPeer: ratio(rates, 'hand', 'liquidjs'),
  }
}

/** Checks that two renders print the same text. @throws Error that shows the first difference */
function same(who: string, text: string, expected: string): void {
  if (text === expected) return
  let at = 0
  while (text[at] === expected[at]) at++
  const shown = (whole: string) => JSON.stringify(whole.slice(Math.max(0, at - 60), at + 60))
  throw new Error(`${who} differs from the reference at ${at}:\n  ${shown(text)}\n  ${shown(expected)}`)
}

const only = process.env['BENCH_ONLY']
const compared: Compared[] = []
for (const name of only === undefined ? WORKLOADS : only.split(',')) compared.push(await compare(name))
// Forced collections change the sizes of the heap, so allocations are measured after all times.
const results: Result[] = compared.map((each) => ({ ...each, bytes: allocation(each.ours) / allocation(each.byHand) }))

const computing = new Set<string>(COMPUTING)
const printing = results.filter(({ name }) => !computing.has(name))
const mean = (pick: (result: Result) => number) => geometricMean(printing.map(pick))
const worst = (pick: (result: Result) => number) => times(Math.min(...printing.map(pick)))
const goal = (name: string, at: 0 | 1) => (GOALS[name] === undefined ? '' : `${GOALS[name][at]}x`)
const times = (value: number) => `${value.toFixed(value < 10 ? 2 : 1)}x`
function summary(): string[][] {
  return [
    [
      'mean of those that print',
      times(mean((r) => r.ourToHand)),
      times(mean((r) => r.stringToHand)),
      times(mean((r) => r.ourToPeer)),
      '25x',
      '32x',
      times(mean((r) => r.handToPeer)),
      times(mean((r) => r.bytes)),
    ],
    [
      'worst of them',
      worst((r) => r.ourToHand),
      worst((r) => r.stringToHand),
      ...['', '', '', ''],
      times(Math.max(...printing.map((r) => r.bytes))),
    ],
  ]
}

printTable(
  ['workload', 'ours/hand', 'as a string', 'ours/liquidjs', 'good', 'moonshot', 'hand/liquidjs', 'bytes ours/hand'],
  [
    ...results.map((result) => [
      result.name,
      times(result.ourToHand),
      times(result.stringToHand),
      times(result.ourToPeer),
      goal(result.name, 0),
      goal(result.name, 1),
      times(result.handToPeer),
      times(result.bytes),
    ]),
    ...(printing.length === 0 ? [] : summary()),
  ],
)
console.log(
  'Goals of ours/hand: 0.92x in the mean of the pages that print, 0.80x at worst; 0.85x where they compute. Of bytes: 2.0x (1.3x).',
)

printTable(
  ['what the library adds', 'with ÷ without'],
  (await libraryRows(ROUNDS, SECONDS)).map(([name, value]) => [name, times(value)]),
)
console.log('Goal: 0.90x.')

const inBrowser = await ratiosInBrowser(
  results.map(({ name }) => name),
  ROUNDS,
  SECONDS,
)
if (inBrowser === null) console.log('Nothing was measured in a browser: there is no chromium on the PATH.')
else {
  const rows: { name: string; node: number; browser: number }[] = []
  for (const { name } of results)
    rows.push({
      name,
      node: median(inPage(await loadWorkload(name), ROUNDS, SECONDS)),
      browser: inBrowser.get(name) ?? 0,
    })
  printTable(
    ['as a string that is read, ours/liquidjs', 'in Node', 'in Chromium', 'Chromium/Node'],
    [
      ...rows.map(({ name, node, browser }) => [name, times(node), times(browser), times(browser / node)]),
      ['mean', '', '', times(geometricMean(rows.map(({ node, browser }) => browser / node)))],
    ],
  )
  console.log('Goal of Chromium/Node: 0.70x.')
}
