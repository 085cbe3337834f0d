/** Collects a host's additions to the language and to every render, from options and plugins. */
import { type Language, languageWith } from '../../language/language.ts'
import { HOST_GLOBALS } from '../../phases/emit/imports.ts'
import type { Type } from '../../core/model/type.ts'
import type { HostFilter } from './filter.ts'
import type { EngineOptions } from './options.ts'
import type { PluginHost } from './plugin.ts'
import { HostTag } from './tag.ts'
import type { AnyTag } from '../../language/tags/tag.ts'
import { typeOfValue } from '../../language/types/from-value.ts'

/** The additions to an engine. */
export interface Additions {
  readonly language: Language
  /** Functions called by emitted code, by their names there. */
  readonly functions: Readonly<Record<string, unknown>>
  /** Types of the global variables, by name. */
  readonly globals: ReadonlyMap<string, Type>
}

/** @param missingFilters names of filters that the library lacks where it runs */
export function collectAdditions(
  { filters = [], tags = [], globals = {}, plugins = [] }: EngineOptions,
  missingFilters: readonly string[],
): Additions {
  const values: Record<string, unknown> = Object.assign(Object.create(null), globals)
  const filtersByName = new Map<string, HostFilter>()
  const allTags: (HostTag | AnyTag)[] = [...tags]
  const host: PluginHost = {
    addFilter: (filter) => void filtersByName.set(filter.name, filter),
    addTag: (tag) => void allTags.push(tag),
    addGlobal: (name, value) => {
      values[name] = value
    },
  }
  for (const filter of filters) host.addFilter(filter)
  for (const plugin of plugins) plugin(host)
  const hostFilters = [...filtersByName.values()]
  const language = languageWith(
    allTags.map((each) => (each instanceof HostTag ? each.tag : each)),
    hostFilters.map(({ name, signature }) => [name, signature] as const),
    missingFilters,
  )
  const functions = [
    ...hostFilters.map(({ signature, call }) => [signature.exportName, call] as const),
    ...allTags.flatMap((each) => (each instanceof HostTag ? [[each.function, each.call] as const] : [])),
  ]
  return {
    language,
    functions: { ...Object.fromEntries(functions), [HOST_GLOBALS]: values },
    globals: new Map(Object.entries(values).map(([name, value]) => [name, typeOfValue(value)])),
  }
}
