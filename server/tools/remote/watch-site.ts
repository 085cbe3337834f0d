/** Watches the files of a site. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { readIgnored } from './ignored.ts'
import { isSkipped, siteFiles, siteFolders, sitePath } from './site-files.ts'

/** Milliseconds in which several events of a save count as one change. */
const SAVE_WINDOW = 20
/** Milliseconds after the last system event, after which all files are compared with their last reported state. */
const COMPARE_DELAY = 150

/**
 * Watches the files of a site until it is closed.
 * @param links folders outside of the site to which its links may lead
 * @param changed called with the path of a written or removed file, in the site and on this machine
 */
export async function watchSite(
  dir: string,
  links: readonly string[],
  changed: (path: string, from: string) => void,
): Promise<{ close(): Promise<void> }> {
  const timers = new Map<string, NodeJS.Timeout>()
  const later = (key: string, wait: number, action: () => void): void => {
    clearTimeout(timers.get(key))
    const timer = setTimeout(() => {
      timers.delete(key)
      action()
    }, wait)
    timers.set(key, timer)
  }
  const isIgnored = await readIgnored(dir)
  /** The last reported state of each file. */
  let known = (await readStamps(dir, links)) ?? new Map<string, Known>()
  const watcher = watch(
    siteFolders(dir).map((folder) => join(dir, folder)),
    { ignoreInitial: true, ignored: (path) => isSkipped(path.split(/[/\\]/).at(-1) ?? '') },
  )
  watcher.on('all', (event, from, info) => {
    const path = sitePath(dir, from)
    if (path === null || isIgnored(path) || (event !== 'add' && event !== 'change' && event !== 'unlink')) return
    if (info === undefined) known.delete(path)
    else known.set(path, { from, stamp: formatStamp(info) })
    later(path, SAVE_WINDOW, () => changed(path, from))
  })
  // The watcher misses a change within 50 ms of another one and, on a busy machine, files in a new folder. So all files are compared later.
  watcher.on('raw', () => later('\0compare', COMPARE_DELAY, () => void compare()))
  async function compare(): Promise<void> {
    const now = await readStamps(dir, links)
    if (now === null) return
    const before = known
    known = now
    for (const [path, { from, stamp }] of now) if (before.get(path)?.stamp !== stamp) changed(path, from)
    for (const [path, { from }] of before) if (!now.has(path) && !existsSync(from)) changed(path, from)
  }
  await new Promise<void>((ready) => watcher.once('ready', ready))
  return {
    async close() {
      for (const timer of timers.values()) clearTimeout(timer)
      await watcher.close()
    },
  }
}

interface Known {
  readonly from: string
  readonly stamp: string
}

/** Reads the state of all files that can be sent alone, by path; returns null while they cannot be listed. */
async function readStamps(dir: string, links: readonly string[]): Promise<Map<string, Known> | null> {
  // The site may have no files for a moment. A link that leads out of it is reported when it is sent. In both cases, the files are compared
  // again after the next change.
  const files = await siteFiles(dir, links).catch(() => null)
  if (files === null) return null
  const stamps = new Map<string, Known>()
  await Promise.all(
    files.map(async ({ path, from }) => {
      if (sitePath(dir, join(dir, path)) === null) return
      // A file that vanishes meanwhile counts as removed.
      const info = await stat(from).catch(() => null)
      if (info !== null) stamps.set(path, { from, stamp: formatStamp(info) })
    }),
  )
  return stamps
}

function formatStamp({ mtimeMs, size }: { readonly mtimeMs: number; readonly size: number }): string {
  return `${mtimeMs} ${size}`
}
