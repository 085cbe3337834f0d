/** Detects changes in a folder since the last scan. Agents write files by other means and send requests immediately afterwards. */
import { readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds after which a second change surely gets a different modification time. File systems have coarse clocks. */
const SETTLED = 2_000

/** The names in a folder, valid while its modification time does not change. */
interface Folder {
  readonly version: string
  readonly folders: readonly string[]
  readonly others: readonly string[]
}

export class DiskChanges {
  readonly #root: string
  #seen = new Map<string, string>()
  /** Folders whose last change was old enough when they were scanned, so that any new change gets a different time. */
  #folders = new Map<string, Folder>()

  constructor(root: string) {
    this.#root = root
  }

  /** Scans the given files and all files below the given folders. @returns paths changed, added or removed since the last scan */
  scan(roots: readonly string[]): readonly string[] {
    const now = new Map<string, string>()
    const folders = new Map<string, Folder>()
    for (const each of roots) this.#note(each, now, folders)
    const before = this.#seen
    this.#seen = now
    this.#folders = folders
    const changed = [...now].filter(([path, version]) => before.get(path) !== version).map(([path]) => path)
    return [...changed, ...[...before.keys()].filter((path) => !now.has(path))]
  }

  #note(path: string, now: Map<string, string>, folders: Map<string, Folder>): void {
    // The file may be removed during the scan, and a broken link is not a file.
    const info = statSync(`${this.#root}/${path}`, { throwIfNoEntry: false })
    if (info?.isFile() === true) now.set(path, versionOf(info))
    else if (info?.isDirectory() === true) this.#below(path, info, now, folders)
  }

  #below(path: string, info: Stats, now: Map<string, string>, folders: Map<string, Folder>): void {
    const version = versionOf(info)
    const known = this.#folders.get(path)
    const folder = known?.version === version ? known : this.#read(path, version)
    if (Date.now() - info.mtimeMs > SETTLED) folders.set(path, folder)
    for (const name of folder.others) {
      const file = `${path}/${name}`
      const own = statSync(`${this.#root}/${file}`, { throwIfNoEntry: false })
      if (own?.isFile() === true) now.set(file, versionOf(own))
    }
    for (const name of folder.folders) this.#note(`${path}/${name}`, now, folders)
  }

  #read(path: string, version: string): Folder {
    const entries = readdirSync(join(this.#root, path), { withFileTypes: true })
    const names = (isFolder: boolean): readonly string[] =>
      entries.filter((entry) => entry.isDirectory() === isFolder).map(({ name }) => name)
    return { version, folders: names(true), others: names(false) }
  }
}

function versionOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`
}
