/**
 * What is measured in the page of a browser, and in Node beside it: ours against liquidjs, each rendering to a string that is then read.
 * A browser takes text as it is: nothing there becomes UTF-8, which in Chromium would cost more than the rendering.
 */
import { createEngine } from '../../compiler/tools/engine.ts'
import { peer } from './liquidjs.ts'
import type { Workload } from './workloads.ts'

let read = 0

/** A string that was put together from parts becomes one where it is read. */
function readWhole(text: string): void {
  read += text.charCodeAt(text.length >> 1)
}

/** Ours ÷ liquidjs in each round. @throws Error where the two print different texts */
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

/** Also tells that something was read, so that no reading is left out. */
Object.assign(globalThis, { inPage, charactersRead: () => read })
