/** `ingot watch DIR`: rebuilds a site after every save, for development. Each build and check writes a line of JSON to standard output. */
import { join } from 'node:path'
import { watch as watchFiles } from 'chokidar'
import { discover } from '../core/source/discover.ts'
import { HeapLimiter } from '../tools/service/heap-limiter.ts'
import { messageOf, WatchSession } from '../tools/watch/watch-session.ts'

/** Watches a site until standard input closes or a signal arrives. Then the process ends. */
export async function watch(root: string): Promise<never> {
  const session = new WatchSession(root)
  const { siteRoot } = await discover(root)
  const watcher = watchFiles(
    siteRoot.roots.map((path) => join(root, path)),
    {
      ignoreInitial: true,
      // Editors write in several steps.
      awaitWriteFinish: false,
    },
  )
  // A manifest may add top-level folders to the site.
  session.onRoots((roots) => watcher.add(roots.map((path) => join(root, path))))
  let heap: HeapLimiter | null = null
  watcher.on('all', (event, path) => {
    heap?.noteRequest()
    session.changed(event, path)
  })
  // If a folder cannot be watched, all other folders are still watched.
  watcher.on('error', (error) => process.stderr.write(`Not all files can be watched: ${messageOf(error)}.\n`))
  // The watcher reports changes only after it has seen all folders.
  watcher.on('ready', () => void session.checkAllFiles())
  await session.build()
  // The heap is limited only after the first build, which would be slower with a limit.
  heap = new HeapLimiter(45)
  // The parent server keeps standard input open. When it closes, this process ends.
  await new Promise<void>((resolve) => {
    process.stdin.resume()
    process.stdin.on('end', resolve).on('close', resolve)
    process.on('SIGTERM', resolve).on('SIGINT', resolve)
  })
  await watcher.close()
  session.close()
  // A folder that chokidar was reading when it was closed is still watched, and so is standard input. Both would keep the process running.
  process.exit(0)
}
