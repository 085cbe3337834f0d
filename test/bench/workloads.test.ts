import { expect, it } from 'vitest'
import { createEngine } from '../../compiler/tools/engine.ts'
import { peer } from './liquidjs.ts'
import { loadWorkload, WORKLOADS } from './workloads.ts'

for (const name of WORKLOADS) {
  it(`${name} prints byte for byte what the hand-written function does`, async () => {
    const workload = await loadWorkload(name)
    const engine = createEngine({ files: workload.files })
    const expected = workload.hand(workload.data)
    expect(engine.renderSync(workload.entry, workload.data)).toBe(expected)
    const buffer = Buffer.alloc(1 << 20)
    expect(buffer.toString('utf8', 0, engine.renderInto(buffer, workload.entry, workload.data))).toBe(expected)
    expect(peer(workload)(workload.data)).toBe(expected)
  })
}
