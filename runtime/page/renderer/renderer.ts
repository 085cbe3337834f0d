/** A compiled site as a library: its pages and partials rendered by name, in a server of one's own and without a compiler. */
import { LiquidFault } from '../fault.ts'
import { DEFAULT_LIMITS, type Limits } from '../render.ts'
import type { CompiledSite, Format } from '../site.ts'
import { Entries } from './entries.ts'
import { type Data, EntryRender, type Host } from './entry-render.ts'
import { memoryServices, type MemoryServicesOptions } from './memory-services.ts'

export interface RendererOptions extends MemoryServicesOptions {
  /** Format of what is no page; `html` by default. A page has its own. */
  readonly format?: Format | undefined
  /** Bounds of a render; those that are not given have defaults. */
  readonly limits?: Partial<Limits> | undefined
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
    limits: { ...DEFAULT_LIMITS, ...definedOf(options.limits ?? {}) },
    raise: site.options.raise,
  }
  const start = (name: string, data: Data): EntryRender => {
    const entry = entries.find(name)
    if (entry === null) throw new LiquidFault(`there is no unit \`${name}\` to render`)
    return new EntryRender(host, entry, data)
  }
  return {
    render: async (name, data = {}) => start(name, data).text(),
    renderSync: (name, data = {}) => start(name, data).textAtOnce(name),
    renderInto: (buffer, name, data = {}) => start(name, data).into(buffer, name),
  }
}

/** The limits that are set: one that is undefined leaves the default. */
export function definedOf(limits: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}
