/** The reference's page about performance: the last benchmark results, their machine, and how to repeat them. */
import type { Block, Entry } from './entry.ts'
import figures from './figures.generated.json' with { type: 'json' }
import { paragraph } from './page.ts'
import { parsePage } from './parse-page.ts'
import howFast from './production/how-fast.md'

/** The output of one benchmark. */
interface BenchFigures {
  /** The name in `npm run bench -- NAME`. */
  readonly name: string
  /** Description of the benchmark, from its source file. */
  readonly description: string
  /** The date, as `2026-01-31`. */
  readonly day: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly node: string
    /** The load average of the machine at the start. */
    readonly load: number
  }
  readonly tables: readonly {
    readonly columnTitles: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }[]
}

/** What the benchmarks have measured last. `npm run bench -- --write` writes it. @internal Exported for tests. */
export const FIGURES: readonly BenchFigures[] = figures

export function performancePage(): Entry {
  return {
    ...parsePage('production', 'how-fast', howFast, { 'the benchmarks': FIGURES.flatMap(figureBlocks) }),
    also: FIGURES.map(({ name, description }) => ({ name: `bench ${name}`, summary: description, id: '' })),
  }
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
