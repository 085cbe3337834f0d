/** Plugins: functions that add related filters, tags and globals to an engine. */
import type { AnyTag } from '../../language/tags/tag.ts'
import type { HostFilter } from './filter.ts'
import type { HostTag } from './tag.ts'

/** The interface passed to a plugin. */
export interface PluginHost {
  /** Adds a filter. It replaces an earlier one with the same name. */
  addFilter(filter: HostFilter): void
  /** Adds a tag: a function, or a compiled tag. */
  addTag(tag: HostTag | AnyTag): void
  /** Adds a value that is visible in every template, including partials without arguments. */
  addGlobal(name: string, value: unknown): void
}

/** Adds related filters, tags and globals to an engine. Plugins run in order, after the additions of the options. */
export type Plugin = (host: PluginHost) => void
