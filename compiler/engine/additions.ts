/** What a host adds to the language and to every render, by the options or by plugins. */
import { type Language, languageWith } from '../language.ts'
import type { HostFilter } from './filter.ts'
import type { EngineOptions } from './options.ts'
import type { PluginHost } from './plugin.ts'

/** What an engine has beside the language. */
export interface Additions {
  readonly language: Language
  /** What emitted code calls, by the names that it has there. */
  readonly functions: Readonly<Record<string, unknown>>
}

export function additionsOf({ filters = [], plugins = [] }: EngineOptions): Additions {
  const named = new Map<string, HostFilter>()
  const host: PluginHost = {
    addFilter: (filter) => void named.set(filter.name, filter),
  }
  for (const filter of filters) host.addFilter(filter)
  for (const plugin of plugins) plugin(host)
  const added = [...named.values()]
  const language = languageWith(
    [],
    added.map(({ name, signature }) => [name, signature] as const),
  )
  return { language, functions: Object.fromEntries(added.map(({ signature, call }) => [signature.exportName, call])) }
}
