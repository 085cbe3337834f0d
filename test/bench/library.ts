/** What options of the library cost: a render with one against the same render without, in one process. */
import { createEngine, type EngineOptions } from '../../compiler/engine.ts'
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
  return [...strict, ['strict variables, mean', geometricMean(strict.map(([, value]) => value))]]
}

interface Measured {
  readonly entry: string
  readonly data: Readonly<Record<string, unknown>>
  readonly rounds: number
  readonly seconds: number
}

/** How many renders the first engine makes while the second makes one. Both have to print the same. */
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
