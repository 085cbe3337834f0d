/** A compiled site as a library: its pages and partials rendered by name, in a server of one's own and without a compiler. */
import type { CompiledSite, Format } from '../site.ts'
import { Entries, foundEntry } from './entries.ts'
import { type Data, EntryRender, type GivenLimits, type Host, limitsOf } from './entry-render.ts'
import { memoryServices, type MemoryServicesOptions } from './memory-services.ts'

export interface RendererOptions extends MemoryServicesOptions {
  /** Format of what is no page; `html` by default. A page has its own. */
  readonly format?: Format | undefined
  /** Bounds of a render; those that are not given have defaults. */
  readonly limits?: GivenLimits | undefined
}

export interface Renderer {
  /** Renders a page, layout or partial by its path or name, with its variables. @throws LiquidFault where the site was built to throw errors */
  render(name: string, data?: Data): Promise<string>
  /** The same at once. @throws Error where it suspends (a cache, a query) */
  renderSync(name: string, data?: Data): string
  /** Writes the text as UTF-8 from the buffer's beginning and gives the number of bytes. @throws RangeError when it does not fit */
  renderInto(buffer: Uint8Array, name: string, data?: Data): number
}

/** Renders what `site`, which `ingot build` has written as a module, has by name. */
export function createRenderer(site: CompiledSite, options: RendererOptions = {}): Renderer {
  const entries = new Entries(site)
  const host: Host = {
    site,
    // Where a fault lies, its JavaScript stack tells through the source maps of the modules.
    services: { ...memoryServices(options), locate() {} },
    format: options.format ?? 'html',
    limits: limitsOf(options.limits),
    raise: site.options.raise,
  }
  const start = (name: string, data: Data): EntryRender =>
    new EntryRender(host, foundEntry(entries.find(name), name), data)
  return {
    render: async (name, data = {}) => start(name, data).text(),
    renderSync: (name, data = {}) => start(name, data).textAtOnce(name),
    renderInto: (buffer, name, data = {}) => start(name, data).into(buffer, name),
  }
}
