/** Watches the files of a site. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { watch } from 'chokidar'
import { readIgnored } from './ignored.ts'
import { isSkipped, siteFiles, siteFolders, sitePath } from './site-files.ts'

/** Milliseconds in which several events of one save are one change. */
const GATHER = 20
/** Milliseconds after the last event of the system, after which all files are compared with what was reported of them. */
const COMPARE = 150

/**
 * Watches until it is closed.
 * @param links folders outside of the site to which its links may lead
 * @param changed called with the path of a file in the site, and on this machine, whenever it is written or removed
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
  /** What was reported last of each file. */
  let known = (await stampsOf(dir, links)) ?? new Map<string, Known>()
  const watcher = watch(
    siteFolders(dir).map((folder) => join(dir, folder)),
    { ignoreInitial: true, ignored: (path) => isSkipped(path.split(/[/\\]/).at(-1) ?? '') },
  )
  watcher.on('all', (event, from, info) => {
    const path = sitePath(dir, from)
    if (path === null || isIgnored(path) || (event !== 'add' && event !== 'change' && event !== 'unlink')) return
    if (info === undefined) known.delete(path)
    else known.set(path, { from, stamp: stampOf(info) })
    later(path, GATHER, () => changed(path, from))
  })
  // The watcher leaves out a change that follows another within 50 ms, and on a busy machine files of a new folder.
  watcher.on('raw', () => later('\0compare', COMPARE, () => void compare()))
  async function compare(): Promise<void> {
    const now = await stampsOf(dir, links)
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

/** All files of the site that can be sent alone, by path; null while they cannot be listed. */
async function stampsOf(dir: string, links: readonly string[]): Promise<Map<string, Known> | null> {
  // The site may have no file for a moment. A link that leads out of it is reported when it is sent.
  // So there is nothing to compare with, and the next change is compared again.
  const files = await siteFiles(dir, links).catch(() => null)
  if (files === null) return null
  const stamps = new Map<string, Known>()
  await Promise.all(
    files.map(async ({ path, from }) => {
      if (sitePath(dir, join(dir, path)) === null) return
      // A file that vanishes between the list and this is one that is gone.
      const info = await stat(from).catch(() => null)
      if (info !== null) stamps.set(path, { from, stamp: stampOf(info) })
    }),
  )
  return stamps
}

function stampOf({ mtimeMs, size }: { readonly mtimeMs: number; readonly size: number }): string {
  return `${mtimeMs} ${size}`
}
