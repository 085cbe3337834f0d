/** Resolves the options of an engine, with defaults. */
import type { CompileOptions } from '../../pipeline/options.ts'
import type { Features } from '../../pipeline/features.ts'
import type { LibraryHost } from './host.ts'
import { formatClass } from '../../language/settings/format.ts'
import type { Format, Limits } from '../../../runtime/index.ts'
import { withDefaultLimits } from '../../../runtime/page/renderer/entry-render.ts'
import type { EngineOptions } from './options.ts'
import { collectAdditions } from './additions.ts'

export interface EngineSetup {
  /** Functions and values of the host for emitted code. */
  readonly functions: Readonly<Record<string, unknown>>
  readonly features: Features
  readonly compile: CompileOptions
  /** Whether template errors are thrown. */
  readonly raise: boolean
  readonly format: Format
  readonly limits: Limits
}

export function resolveSetup(host: LibraryHost, options: EngineOptions): EngineSetup {
  const dialect = options.dialect ?? 'platform'
  const format = options.format ?? 'html'
  const raise = (options.errors ?? (dialect === 'liquid' ? 'inline' : 'raise')) === 'raise'
  const { language, functions, globals } = collectAdditions(options, host.missingFilters)
  return {
    functions,
    features: host.features,
    compile: {
      language,
      globals,
      dialect,
      syntax: options.syntax ?? 'lax',
      raise,
      keepGoing: true,
      openEntries: true,
      takesHosted: true,
      printAs: 'javascript',
      format: dialect === 'liquid' ? 'plain' : formatClass(format),
      strictVariables: options.strictVariables === true,
      strictFilters: options.strictFilters === true,
      scored: options.limits?.renderScore !== undefined || options.limits?.assignScore !== undefined,
    },
    raise,
    format,
    limits: withDefaultLimits(options.limits),
  }
}
