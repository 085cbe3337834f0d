/** The texts of files that somebody is writing, over those on disk. */
import { byDeployOrder, type DiscoveredSite, sourceOf } from '../../core/source/discover.ts'
import type { SourceFile } from '../../core/source/file.ts'

export class UnsavedTexts {
  /** Null for a file that is to be gone. */
  readonly #texts = new Map<string, string | null>()
  /** What was made of each text, which stays one value while the text does. */
  readonly #files = new Map<string, { readonly text: string; readonly file: SourceFile | null }>()

  /** @param text null for a file that is to be gone */
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

  /** The file that a path is in a site, with its unsaved text; null where it is none of the site's. */
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

  /** The site with the unsaved texts in the places of those on disk. */
  over(site: DiscoveredSite): DiscoveredSite {
    if (this.#texts.size === 0) return site
    const own = new Map<string, SourceFile>()
    for (const path of this.#texts.keys()) {
      const file = this.fileOf(path, site)
      if (file !== null) own.set(path, file)
    }
    const files = site.files
      .filter(({ path }) => this.#texts.get(path) !== null)
      .map((file) => own.get(file.path) ?? file)
    const known = new Set(site.files.map(({ path }) => path))
    const fresh = [...own.values()].filter(({ path }) => !known.has(path))
    if (fresh.length === 0) return { ...site, files }
    return { ...site, files: [...files, ...fresh].sort((a, b) => byDeployOrder(a.path, b.path)) }
  }
}
