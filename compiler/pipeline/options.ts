/** The options of an analysis and of a compilation. */
import type { ServedAssets } from '../core/model/asset.ts'
import type { Dialect, Syntax } from '../core/model/dialect.ts'
import type { FormatClass } from '../core/model/effects.ts'
import type { CodeLanguage } from '../core/model/printed.ts'
import type { Type } from '../core/model/type.ts'
import type { IgnoredPath } from '../core/source/discover.ts'
import type { ModuleRequirements } from '../core/source/manifests.ts'
import type { Language } from '../language/language.ts'
import type { ParseOptions } from '../phases/parse/parse.ts'

export interface AnalysisOptions {
  readonly dialect: Dialect
  readonly syntax: Syntax
  /** The language with a host's tags and filters; the built-in language by default. */
  readonly language?: Language
  /** Whether errors end the render. Overrides `liquid_raise_mode` of the configuration. */
  readonly raise?: boolean
  /** Whether any unit can be rendered by name. True in the library. */
  readonly openEntries: boolean
  /** Reading a missing variable or hash key is an error. */
  readonly strictVariables?: boolean
  /** Base Liquid rejects unknown filters. */
  readonly strictFilters?: boolean
  /** The emitted code counts rendered nodes and the sizes of assigned values, for limits of the host. */
  readonly scored?: boolean
  /** Whether templates may receive dates, maps and class instances, not only plain data. */
  readonly takesHosted?: boolean
  /** Global variables of the host, by name, with their types. */
  readonly globals?: ReadonlyMap<string, Type>
  /** The globals are complete. A variable that is neither a global nor set is reported, and checks continue after errors. */
  readonly globalsAreAll?: boolean
  /** Output format of units that are rendered by name. */
  readonly format?: FormatClass
  /** Files that look like part of the site but are not, with the reason. */
  readonly ignored?: readonly IgnoredPath[]
  /** The names of partials that request tests run. */
  readonly testRuns?: readonly string[]
  /** Modules that the site's manifests require. */
  readonly requiredModules?: ModuleRequirements
  /** Checks only these files, each separately. All other files were checked before and have not changed. */
  readonly checkedFiles?: ReadonlySet<string>
}

export interface CompileOptions extends AnalysisOptions {
  /** Also emits a site with errors. At run time, code with an error fails when it is reached. */
  readonly keepGoing: boolean
  /** The language of the printed modules; TypeScript by default. */
  readonly printAs?: CodeLanguage
  /** The assets whose URLs contain a stamp. Other assets are served unchanged. */
  readonly assets?: ServedAssets
}

/** Returns the parse options for a site. */
export function parseOptionsOf(options: AnalysisOptions): ParseOptions {
  return {
    ...options,
    readOn: options.globalsAreAll === true,
    ...(options.dialect === 'liquid' ? { interpolation: false } : {}),
  }
}
