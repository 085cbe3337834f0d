/** Watches the files of a site. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { readIgnored } from './ignored.ts'
import { isSkipped, siteFolders, sitePath } from './site-files.ts'

/** Milliseconds in which several events of one save are one change. */
const GATHER = 20
/** Milliseconds after which a file is looked at again: the watcher leaves out a change that follows another within 50 ms. */
const AGAIN = 120

/**
 * Watches until it is closed.
 * @param changed called with the path of a file in the site, and on this machine, whenever it is written or removed
 */
export async function watchSite(
  dir: string,
  changed: (path: string, from: string) => void,
): Promise<{ close(): Promise<void> }> {
  const timers = new Map<string, NodeJS.Timeout>()
  const stamps = new Map<string, string>()
  const later = (key: string, wait: number, action: () => void): void => {
    clearTimeout(timers.get(key))
    const timer = setTimeout(() => {
      timers.delete(key)
      action()
    }, wait)
    timers.set(key, timer)
  }
  const isIgnored = await readIgnored(dir)
  const watcher = watch(
    siteFolders(dir).map((folder) => join(dir, folder)),
    { ignoreInitial: true, ignored: (path) => isSkipped(path.split(/[/\\]/).at(-1) ?? '') },
  )
  watcher.on('all', (event, from, info) => {
    const path = sitePath(dir, from)
    if (path === null || isIgnored(path) || (event !== 'add' && event !== 'change' && event !== 'unlink')) return
    stamps.set(path, info === undefined ? '' : `${info.mtimeMs} ${info.size}`)
    later(path, GATHER, () => changed(path, from))
    if (event === 'unlink') return
    later(`${path}\0again`, AGAIN, () => void recheck(path, from))
  })
  async function recheck(path: string, from: string): Promise<void> {
    const info = await stat(from).catch(() => null)
    const stamp = info === null ? '' : `${info.mtimeMs} ${info.size}`
    if (stamps.get(path) !== stamp) {
      stamps.set(path, stamp)
      changed(path, from)
    }
  }
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return {
    async close() {
      for (const timer of timers.values()) clearTimeout(timer)
      await watcher.close()
    },
  }
}
