/**
 * Measures a workload in the page of a browser, and in Node: Ingot compared with liquidjs. Each renders to a string that is then read. The
 * output is not encoded as UTF-8, because a browser uses strings directly, and in Chromium the encoding would take longer than the
 * rendering.
 */
import { createEngine } from '../../compiler/tools/engine.ts'
import { peer } from './liquidjs.ts'
import type { Workload } from './workloads.ts'

let read = 0

/** Reads the whole text, because an engine joins the parts of a concatenated string only when it is read. */
function readWhole(text: string): void {
  read += text.charCodeAt(text.length >> 1)
}

/** Returns Ingot's speed divided by that of liquidjs for each round. @throws Error if the two print different texts */
export function inPage(workload: Workload, rounds: number, seconds: number): readonly number[] {
  const engine = createEngine({ files: workload.files, now: Date.UTC(2026, 0, 1) })
  const render = peer(workload)
  const { entry, data } = workload
  if (engine.renderSync(entry, data) !== render(data)) throw new Error(`${entry} differs`)
  const ours = () => readWhole(engine.renderSync(entry, data))
  const theirs = () => readWhole(render(data))
  rate(ours, seconds * 2)
  rate(theirs, seconds * 2)
  return Array.from({ length: rounds }, () => rate(ours, seconds) / rate(theirs, seconds))
}

/** Returns the runs per second. */
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

/** Exposes the number of characters read, so that the engine cannot optimize the reading away. */
Object.assign(globalThis, { inPage, charactersRead: () => read })
