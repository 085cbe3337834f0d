/** What can be rendered of a site by a name: pages, layouts, partials, and what `background` names. */
import { LiquidFault } from '../fault.ts'
import type { BytesFace, CompiledSite, PageEntry, RenderFace } from '../site.ts'

/** What a name stands for: a function that renders it, and the page whose settings it has. */
export interface Entry {
  /** Null for a job. */
  readonly file: string | null
  readonly render: RenderFace
  readonly bytes?: BytesFace
  readonly page: PageEntry | null
}

interface Template {
  readonly file?: string
  readonly render: RenderFace | null
  readonly bytes?: BytesFace
}

export class Entries {
  readonly #site: CompiledSite
  readonly #pages: ReadonlyMap<string, PageEntry>
  /** Partials and layouts by file. */
  readonly #templates: ReadonlyMap<string, Template>
  /** What was found, by the names that it was asked by. */
  readonly #found = new Map<string, Entry>()

  constructor(site: CompiledSite) {
    const { pages, partials, layouts } = site
    this.#site = site
    this.#pages = new Map(pages.map((page) => [page.file, page]))
    this.#templates = new Map(
      [...Object.values(layouts), ...Object.values(partials)].map((template) => [template.file, template]),
    )
  }

  /** What a file or a name stands for; null where there is nothing by it. */
  find(name: string): Entry | null {
    const known = this.#found.get(name)
    if (known !== undefined) return known
    const page = this.#pages.get(name) ?? null
    const template = page ?? this.#templates.get(name) ?? this.#unitNamed(name)
    if (template === undefined || template.render === null) return null
    const { file = null, render, bytes } = template
    const entry = { file, render, ...(bytes && { bytes }), page }
    this.#found.set(name, entry)
    return entry
  }

  /** A partial by its logical name, or what `background` names. */
  #unitNamed(name: string): Template | undefined {
    const { partials, jobs } = this.#site
    if (Object.hasOwn(partials, name)) return partials[name]
    return Object.hasOwn(jobs, name) ? jobs[name] : undefined
  }
}

/** @throws LiquidFault where there is nothing by the name */
export function foundEntry(entry: Entry | null, name: string): Entry {
  if (entry === null) throw new LiquidFault(`there is no unit \`${name}\` to render`)
  return entry
}
