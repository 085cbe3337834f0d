/** Renders a compiled site's pages and partials by name as a library, without a server or compiler. */
import type { CompiledSite, Format } from '../site.ts'
import { Entries, requireEntry } from './entries.ts'
import { type Data, EntryRender, type GivenLimits, type Host, withDefaultLimits } from './entry-render.ts'
import { memoryServices, type MemoryServicesOptions } from './memory-services.ts'

export interface RendererOptions extends MemoryServicesOptions {
  /** Format of entries that are not pages; `html` by default. A page has its own. */
  readonly format?: Format | undefined
  /** Limits of a render; missing ones have defaults. */
  readonly limits?: GivenLimits | undefined
}

export interface Renderer {
  /**
   * Renders a page, layout or partial by its path or name, with its variables.
   * @throws LiquidFault when the site was built to throw errors
   */
  render(name: string, data?: Data): Promise<string>
  /** Renders synchronously. @throws Error when the template suspends (a cache, a query) */
  renderSync(name: string, data?: Data): string
  /**
   * Writes the text as UTF-8 from the buffer's beginning and returns the number of bytes.
   * @throws RangeError when it does not fit
   */
  renderInto(buffer: Uint8Array, name: string, data?: Data): number
}

/** Creates a renderer for `site`, a module that `ingot build` has written. */
export function createRenderer(site: CompiledSite, options: RendererOptions = {}): Renderer {
  const entries = new Entries(site)
  const host: Host = {
    site,
    // The JavaScript stack already locates a fault through the source maps of the modules.
    services: { ...memoryServices(options), locate() {} },
    format: options.format ?? 'html',
    limits: withDefaultLimits(options.limits),
    raise: site.options.raise,
  }
  const start = (name: string, data: Data): EntryRender =>
    new EntryRender(host, requireEntry(entries.find(name), name), data)
  return {
    render: async (name, data = {}) => start(name, data).text(),
    renderSync: (name, data = {}) => start(name, data).textSync(name),
    renderInto: (buffer, name, data = {}) => start(name, data).into(buffer, name),
  }
}
