/** What a process holds in memory that goes on for weeks. */
import { setFlagsFromString } from 'node:v8'

/** Milliseconds after which the engine's code was kept, which is for processes with the flags that they were started with. */
const SETTLED = 5_000

/**
 * Has the engine look for what is not needed any more whenever its heap has grown by a part since: by itself it lets the heap grow to
 * several times of what it holds. Does so a while after the start, in which growing is what the heap is there for.
 * @param percent the part: a smaller one is less memory, and more often a pause of tens of milliseconds
 */
export function boundHeapSoon(percent: number): void {
  setTimeout(() => setFlagsFromString(`--heap-growing-percent=${percent}`), SETTLED).unref()
}
