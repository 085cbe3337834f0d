/** Renders the pages and partials of a compiled site by name. It needs no server and no compiler. */
import type { CompiledSite, Format } from '../site.ts'
import { Entries, requireEntry } from './entries.ts'
import { type Data, EntryRender, type GivenLimits, type Host, withDefaultLimits } from './entry-render.ts'
import { memoryServices, type MemoryServicesOptions } from './memory-services.ts'

export interface RendererOptions extends MemoryServicesOptions {
  /** The format of entries that are not pages. The default is `html`. A page has its own format. */
  readonly format?: Format | undefined
  /** The limits of a render. Missing limits have default values. */
  readonly limits?: GivenLimits | undefined
}

export interface Renderer {
  /**
   * Renders a page, layout or partial by its path or name, with its variables.
   * @throws LiquidFault when the site was built to throw errors
   */
  render(name: string, data?: Data): Promise<string>
  /**
   * Renders synchronously.
   * @throws Error when the template has to wait, for example for a cache or a query
   */
  renderSync(name: string, data?: Data): string
  /**
   * Writes the text as UTF-8 at the beginning of the buffer, and returns the number of bytes.
   * @throws RangeError when the text does not fit
   */
  renderInto(buffer: Uint8Array, name: string, data?: Data): number
}

/** Creates a renderer for `site`, a module that `ingot build` has written. */
export function createRenderer(site: CompiledSite, options: RendererOptions = {}): Renderer {
  const entries = new Entries(site)
  const host: Host = {
    site,
    // Nothing to locate: the JavaScript stack already names templates, through the source maps of the modules.
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
