/** What has changed in a folder since it was looked at last: an agent writes files by other means, and asks right after. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export class DiskChanges {
  readonly #root: string
  #seen = new Map<string, string>()

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Looks at all files below these folders, and at these files.
   * @returns those that were written, are new, or are gone since the last look
   */
  look(roots: readonly string[]): readonly string[] {
    const now = new Map<string, string>()
    for (const each of roots) this.#note(each, now)
    const before = this.#seen
    this.#seen = now
    const changed = [...now].filter(([path, version]) => before.get(path) !== version).map(([path]) => path)
    return [...changed, ...[...before.keys()].filter((path) => !now.has(path))]
  }

  #note(path: string, now: Map<string, string>): void {
    // What went between two looks is gone, and a link that leads nowhere is no file.
    const info = statSync(join(this.#root, path), { throwIfNoEntry: false })
    if (info?.isFile() === true) now.set(path, `${info.mtimeMs} ${info.size} ${info.ino}`)
    else if (info?.isDirectory() === true) this.#below(path, now)
  }

  #below(folder: string, now: Map<string, string>): void {
    for (const entry of readdirSync(join(this.#root, folder), { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) continue
      const path = join(entry.parentPath, entry.name)
        .slice(this.#root.length + 1)
        .replaceAll('\\', '/')
      const info = statSync(join(this.#root, path), { throwIfNoEntry: false })
      if (info?.isFile() === true) now.set(path, `${info.mtimeMs} ${info.size} ${info.ino}`)
    }
  }
}
