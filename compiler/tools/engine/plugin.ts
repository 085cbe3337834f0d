/** Plugins: functions that add to an engine what belongs together. */
import type { AnyTag } from '../../language/tags/tag.ts'
import type { HostFilter } from './filter.ts'
import type { HostTag } from './tag.ts'

/** What a plugin is handed. */
export interface PluginHost {
  /** Adds a filter; it wins over an earlier one of its name. */
  addFilter(filter: HostFilter): void
  /** Adds a tag: a function, or one against the contract of the language's own. */
  addTag(tag: HostTag | AnyTag): void
  /** Adds a value that every template knows by the name, also a partial that is handed nothing. */
  addGlobal(name: string, value: unknown): void
}

/** Adds to an engine what belongs together. Plugins run in their order, behind what the options themselves have. */
export type Plugin = (host: PluginHost) => void
