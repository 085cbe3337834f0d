/** The page of the reference that tells how fast Ingot is: what the benchmarks have measured last, where, and how to repeat it. */
import type { Block, Entry } from './entry.ts'
import { FIGURES } from './figures.generated.ts'
import type { BenchFigures } from './figures.ts'

const SUMMARY =
  'What the benchmarks have measured last, each on the day and the machine that it names, beside the same by hand or by others where there is such a peer.'

export function howFast(): Entry {
  return {
    section: 'production',
    name: 'How fast',
    path: 'production/how-fast.html',
    summary: SUMMARY,
    badges: [],
    links: [],
    blocks: [
      { kind: 'words', text: SUMMARY },
      {
        kind: 'words',
        text: 'Figures of one machine say little about another one: the ratios do, since both sides take turns in one run. A clone repeats them all with `npm run bench`, and one by its name with `npm run bench -- pages`; with `--write` behind it they are put into this page.',
      },
      ...FIGURES.flatMap(blocksOf),
    ],
    also: FIGURES.map(({ name, says }) => ({ name: `bench ${name}`, summary: says, id: '' })),
  }
}

function blocksOf({ name, says, day, machine, tables }: BenchFigures): readonly Block[] {
  const { processor, cores, node, load } = machine
  const where = `${day}, Node ${node}, ${cores} cores of ${processor}, load ${load.toFixed(1)} when it began.`
  return [
    { kind: 'title', text: name },
    { kind: 'words', text: says },
    { kind: 'words', text: where },
    ...tables.map(({ heads, rows }): Block => ({ kind: 'table', heads, rows })),
  ]
}
