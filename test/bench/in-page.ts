/** What the page of a browser measures: ours against liquidjs, each rendering to a string that is then written as UTF-8. */
import { createEngine } from '../../compiler/engine.ts'
import { peer } from './liquidjs.ts'
import type { Workload } from './workloads.ts'

const encoder = new TextEncoder()
const buffer = new Uint8Array(1 << 20)

/** Ours ÷ liquidjs in each round. @throws Error where the two print different texts */
function inPage(workload: Workload, rounds: number, seconds: number): readonly number[] {
  const engine = createEngine({ files: workload.files, now: Date.UTC(2026, 0, 1) })
  const render = peer(workload)
  const { entry, data } = workload
  if (engine.renderSync(entry, data) !== render(data)) throw new Error(`${entry} differs`)
  const ours = () => void encoder.encodeInto(engine.renderSync(entry, data), buffer)
  const theirs = () => void encoder.encodeInto(render(data), buffer)
  rate(ours, seconds * 2)
  rate(theirs, seconds * 2)
  return Array.from({ length: rounds }, () => rate(ours, seconds) / rate(theirs, seconds))
}

/** Runs in a second. */
function rate(run: () => void, seconds: number): number {
  const start = performance.now()
  let count = 0
  for (;;) {
    for (let at = 0; at < 8; at++) run()
    count += 8
    const used = (performance.now() - start) / 1000
    if (used >= seconds) return count / used
  }
}

Object.assign(globalThis, { inPage })
