/** What can be rendered of a site by a name: pages, layouts, partials, and what `background` names. */
import type { BytesFace, CompiledSite, PageEntry, RenderFace } from '../site.ts'

/** What a name stands for: a function that renders it, and the page whose settings it has. */
export interface Entry {
  readonly render: RenderFace
  readonly bytes?: BytesFace
  readonly page: PageEntry | null
}

interface Template {
  readonly render: RenderFace | null
  readonly bytes?: BytesFace
}

export class Entries {
  readonly #site: CompiledSite
  readonly #pages: ReadonlyMap<string, PageEntry>
  /** Partials and layouts by file. */
  readonly #templates: ReadonlyMap<string, Template>

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
    const page = this.#pages.get(name) ?? null
    const template = page ?? this.#templates.get(name) ?? this.#unitNamed(name)
    return template === undefined || template.render === null
      ? null
      : { render: template.render, ...(template.bytes && { bytes: template.bytes }), page }
  }

  /** A partial by its logical name, or what `background` names. */
  #unitNamed(name: string): Template | undefined {
    const { partials, jobs } = this.#site
    if (Object.hasOwn(partials, name)) return partials[name]
    return Object.hasOwn(jobs, name) ? jobs[name] : undefined
  }
}
