/** Finds templates that can be rendered by name: pages, layouts, partials, and jobs of `background`. */
import { LiquidFault } from '../fault.ts'
import type { RenderBytesFunction, CompiledSite, PageEntry, RenderFunction } from '../site.ts'

/** A template that can be rendered, with the page whose settings apply to it. */
export interface Entry {
  /** The page; null for a job. */
  readonly file: string | null
  readonly render: RenderFunction
  readonly bytes?: RenderBytesFunction
  readonly page: PageEntry | null
}

interface Template {
  readonly file?: string
  readonly render: RenderFunction | null
  readonly bytes?: RenderBytesFunction
}

export class Entries {
  readonly #site: CompiledSite
  readonly #pages: ReadonlyMap<string, PageEntry>
  /** Partials and layouts by file. */
  readonly #templates: ReadonlyMap<string, Template>
  /** Cached results by requested name. */
  readonly #found = new Map<string, Entry>()

  constructor(site: CompiledSite) {
    const { pages, partials, layouts } = site
    this.#site = site
    this.#pages = new Map(pages.map((page) => [page.file, page]))
    this.#templates = new Map(
      [...Object.values(layouts), ...Object.values(partials)].map((template) => [template.file, template]),
    )
  }

  /** Returns the template with this file or name; null when there is none. */
  find(name: string): Entry | null {
    const cachedEntry = this.#found.get(name)
    if (cachedEntry !== undefined) return cachedEntry
    const page = this.#pages.get(name) ?? null
    const template = page ?? this.#templates.get(name) ?? this.#findUnit(name)
    if (template === undefined || template.render === null) return null
    const { file = null, render, bytes } = template
    const entry = { file, render, ...(bytes && { bytes }), page }
    this.#found.set(name, entry)
    return entry
  }

  /** Returns a partial or a job of `background` by its logical name. */
  #findUnit(name: string): Template | undefined {
    const { partials, jobs } = this.#site
    if (Object.hasOwn(partials, name)) return partials[name]
    return Object.hasOwn(jobs, name) ? jobs[name] : undefined
  }
}

/**
 * Returns the entry unchanged.
 * @throws LiquidFault when it is null, because no template has this name
 */
export function requireEntry(entry: Entry | null, name: string): Entry {
  if (entry === null) throw new LiquidFault(`there is no unit \`${name}\` to render`)
  return entry
}
