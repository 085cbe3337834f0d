/** Creates folders that all suites of a test run share. The first suite fills the folder, and the others wait. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUN_FOLDER_VARIABLE } from './postgres.ts'

/** Milliseconds that a suite waits for another suite to fill the folder. */
const MAX_WAIT = 120_000

/**
 * Returns a folder that is filled once in a test run and removed at its end. @param make fills the empty folder
 */
export function onceInRun(name: string, make: (folder: string) => void): string {
  const run = process.env[RUN_FOLDER_VARIABLE]
  if (run === undefined)
    throw new Error('Run tests with `npm test -- FILE`: vitest needs `--config test/vitest.config.ts`')
  const folder = join(run, name)
  const ready = join(run, `${name}.ready`)
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const end = performance.now() + MAX_WAIT
    while (!existsSync(ready)) {
      if (performance.now() > end) throw new Error(`'${name}' was not made: another suite says why.`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    }
    return folder
  }
  make(folder)
  writeFileSync(ready, '')
  return folder
}
