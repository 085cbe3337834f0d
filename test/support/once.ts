/** What the suites of a run share although each runs for itself: the first that needs it makes it, and the others wait. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOME } from './postgres.ts'

/** Milliseconds that a suite waits for the one that makes it. */
const PATIENCE = 120_000

/**
 * A folder that is filled once in a run, and thrown away at its end.
 * @param make fills the folder, which is there and empty
 */
export function onceInRun(name: string, make: (folder: string) => void): string {
  const run = process.env[HOME]
  if (run === undefined) throw new Error('vitest has to run with its `globalSetup`')
  const folder = join(run, name)
  const ready = join(run, `${name}.ready`)
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const end = performance.now() + PATIENCE
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
