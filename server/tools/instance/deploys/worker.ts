/** The entry of the process that makes what is deployed. */
import { fileURLToPath } from 'node:url'
import { runWork } from '../tasks/child.ts'
import { startDeploys } from './process.ts'

/** Relative to dist/. */
function pathFrom(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

runWork((options) =>
  startDeploys({
    ...options,
    bin: pathFrom('../server/bin.mjs'),
    thread: pathFrom('./job-thread.mjs'),
  }),
)
