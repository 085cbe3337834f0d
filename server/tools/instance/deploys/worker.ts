/** The entry of the process that executes deploy requests. */
import { fileURLToPath } from 'node:url'
import { runWork } from '../tasks/child.ts'
import { startDeploys } from './process.ts'

/** Returns the absolute path of a product file. @param file path relative to dist/ */
function productPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

runWork((options) =>
  startDeploys({
    ...options,
    bin: productPath('../server/bin.mjs'),
    thread: productPath('./job-thread.mjs'),
  }),
)
