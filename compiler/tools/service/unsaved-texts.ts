/** Unsaved texts of open files, which override those on disk. */
import { byDeployOrder, type DiscoveredSite, sourceOf } from '../../core/source/discover.ts'
import type { SourceFile } from '../../core/source/file.ts'

export class UnsavedTexts {
  /** Unsaved texts by path; null for a file that is to be removed. */
  readonly #texts = new Map<string, string | null>()
  /** The file made from each text, kept as one object while the text does not change. */
  readonly #files = new Map<string, { readonly text: string; readonly file: SourceFile | null }>()

  /** Sets the unsaved text of a file. @param text null for a file that is to be removed */
  set(path: string, text: string | null): void {
    this.#texts.set(path, text)
  }

  delete(path: string): void {
    this.#texts.delete(path)
    this.#files.delete(path)
  }

  has(path: string): boolean {
    return this.#texts.has(path)
  }

  get(path: string): string | undefined {
    return this.#texts.get(path) ?? undefined
  }

  paths(): readonly string[] {
    return [...this.#texts.keys()]
  }

  /** Returns the file at a path with its unsaved text; null if it is not part of the site. */
  fileOf(path: string, site: DiscoveredSite): SourceFile | null {
    const text = this.#texts.get(path)
    if (text === undefined) return site.files.find((each) => each.path === path) ?? null
    if (text === null) return null
    const known = this.#files.get(path)
    if (known?.text === text) return known.file
    const file = sourceOf(path, text, site.siteRoot)
    this.#files.set(path, { text, file })
    return file
  }

  /** Returns the site with unsaved texts replacing those on disk. */
  applyTo(site: DiscoveredSite): DiscoveredSite {
    if (this.#texts.size === 0) return site
    const own = new Map<string, SourceFile>()
    for (const path of this.#texts.keys()) {
      const file = this.fileOf(path, site)
      if (file !== null) own.set(path, file)
    }
    const files = site.files
      .filter(({ path }) => this.#texts.get(path) !== null)
      .map((file) => own.get(file.path) ?? file)
    const knownNames = new Set(site.files.map(({ path }) => path))
    const fresh = [...own.values()].filter(({ path }) => !knownNames.has(path))
    if (fresh.length === 0) return { ...site, files }
    return { ...site, files: [...files, ...fresh].sort((a, b) => byDeployOrder(a.path, b.path)) }
  }
}
