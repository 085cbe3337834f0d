/** `ingot test --watch`: runs the tests again whenever a file of the site is saved. */
import { join } from 'node:path'
import { watch } from 'chokidar'
import { StartError } from '../../core/start-error.ts'

/** Milliseconds of rest after which what was saved is tested: editors save in several steps. */
const REST = 100

/**
 * Runs until a signal ends it.
 * @param run compiles and tests
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
  const again = async (): Promise<void> => {
    if (isRunning) {
      isChanged = true
      return
    }
    isRunning = true
    do {
      isChanged = false
      // What is wrong with the site now may be mended by the next save.
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
    timer = setTimeout(() => void again().catch(fail), REST)
  })
  await again()
  const stopped = new Promise<void>((done) => process.once('SIGINT', done).once('SIGTERM', done))
  await Promise.race([stopped, failed])
  clearTimeout(timer)
  await watcher.close()
  return code
}
