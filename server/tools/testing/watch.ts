/** `ingot test --watch`: runs the tests again whenever a file of the site is saved. */
import { join } from 'node:path'
import { watch } from 'chokidar'
import { StartError } from '../../core/start-error.ts'

/** Milliseconds to wait after the last saved file, because editors save in several steps. */
const QUIET_TIME = 100

/**
 * Runs the tests until a signal ends it.
 * @param run compiles the site, and runs the tests
 * @returns the exit code of the last run
 */
export async function watchTests(
  dir: string,
  run: () => Promise<number>,
  print: (text: string) => void,
): Promise<number> {
  const roots = ['app', 'marketplace_builder', 'modules'].map((part) => join(dir, part))
  let [code, isRunning, isChanged] = [0, false, false]
  let timer: NodeJS.Timeout | undefined
  const runAgain = async (): Promise<void> => {
    if (isRunning) {
      isChanged = true
      return
    }
    isRunning = true
    do {
      isChanged = false
      // The next save may fix the errors of the site.
      code = await run().catch((error: unknown) => {
        if (!(error instanceof StartError)) throw error
        print(`${error.message}\n`)
        return 2
      })
    } while (isChanged)
    isRunning = false
    print('Waiting for changes …\n')
  }
  const watcher = watch(roots, { ignoreInitial: true })
  let fail: (error: unknown) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  watcher.on('all', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void runAgain().catch(fail), QUIET_TIME)
  })
  await runAgain()
  const stopped = new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  await Promise.race([stopped, failed])
  clearTimeout(timer)
  await watcher.close()
  return code
}
