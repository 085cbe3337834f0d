/** The reference's page about performance: the last benchmark results, their machine, and how to repeat them. */
import type { Block, Entry } from './entry.ts'
import { FIGURES } from './figures.generated.ts'
import type { BenchFigures } from './bench-figures.ts'
import { makeEntry, paragraph } from './page.ts'

const SUMMARY =
  'The last benchmark results, each with its date and machine, next to handwritten code or other engines where possible.'

export function performancePage(): Entry {
  return makeEntry({
    section: 'production',
    name: 'How fast',
    path: 'production/how-fast.html',
    summary: SUMMARY,
    blocks: [
      paragraph(SUMMARY),
      paragraph(
        'Absolute values depend on the machine. Ratios are comparable, because both sides alternate in one run. In a clone, `npm run bench` repeats all benchmarks, and `npm run bench -- pages` one of them; add `--write` to update this page.',
      ),
      ...FIGURES.flatMap(figureBlocks),
    ],
    also: FIGURES.map(({ name, description }) => ({ name: `bench ${name}`, summary: description, id: '' })),
  })
}

/** Returns the tables of a benchmark; none if it was not measured. */
export function figureTables(name: string): readonly Block[] {
  return FIGURES.filter((figures) => figures.name === name).flatMap(({ tables }) => tables.map(tableBlock))
}

function figureBlocks({ name, description, day, machine, tables }: BenchFigures): readonly Block[] {
  const { processor, cores, node, load } = machine
  const machineNote = `${day}, Node ${node}, ${cores} cores of ${processor}, load ${load.toFixed(1)} at the start.`
  return [{ kind: 'title', text: name }, paragraph(description), paragraph(machineNote), ...tables.map(tableBlock)]
}

function tableBlock({ columnTitles, rows }: BenchFigures['tables'][number]): Block {
  return { kind: 'table', columnTitles, rows }
}
