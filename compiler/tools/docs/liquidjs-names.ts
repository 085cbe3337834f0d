/**
 * Differences between liquidjs and Ingot, by name. Missing filters and tags are not listed, because the registries and the hints
 * for other Liquid dialects cover them. The tests run every example in both engines.
 */
import * as z from 'zod'
import names from './liquidjs-names.json' with { type: 'json' }

const switches = z.strictObject({
  strictFilters: z.boolean().exactOptional(),
  strictVariables: z.boolean().exactOptional(),
})

const difference = z.strictObject({
  /** A sentence; `code` in backticks. */
  description: z.string(),
  template: z.string(),
  /** The output of each engine: `Error: …` with the message if it throws. */
  liquidjs: z.string(),
  ingot: z.string(),
  data: z.record(z.string(), z.unknown()).exactOptional(),
  /** Partials by name. */
  files: z.record(z.string(), z.string()).exactOptional(),
  /** Additional options; the dialect is base Liquid. */
  options: z
    .strictObject({ liquidjs: switches.extend({ timezoneOffset: z.number().exactOptional() }), ingot: switches })
    .exactOptional(),
})

/** A template that the two engines print differently. */
export type Difference = z.infer<typeof difference>

const option = z.strictObject({
  /** The corresponding option of Ingot; null if there is none. */
  ingotName: z.string().nullable().default(null),
  /** What to write instead, or a note. Empty if the options are identical. */
  description: z.string().default(''),
  differences: z.array(difference).default([]),
})

/** An option of liquidjs, or of one of its render methods. */
export type LiquidjsOption = z.infer<typeof option>

const { filters, tags, values, options } = z
  .strictObject({
    filters: z.record(z.string(), z.array(difference)),
    tags: z.record(z.string(), z.array(difference)),
    values: z.record(z.string(), difference),
    options: z.record(z.string(), option),
  })
  .parse(names)

/** Filters with their differences. Empty for identical filters, and for filters that Ingot lacks. */
export const LIQUIDJS_FILTERS: Readonly<Record<string, readonly Difference[]>> = filters

/** Tags with their differences. Empty for identical tags, and for tags that Ingot lacks. */
export const LIQUIDJS_TAGS: Readonly<Record<string, readonly Difference[]>> = tags

/** Differences that apply everywhere. */
export const LIQUIDJS_VALUES: Readonly<Record<string, Difference>> = values

/** Options of liquidjs, and what Ingot has instead. */
export const LIQUIDJS_OPTIONS: Readonly<Record<string, LiquidjsOption>> = options
