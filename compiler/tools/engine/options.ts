/** The options of an engine, and their validation. */
import * as z from 'zod'
import { didYouMean } from '../../core/diagnostics/suggest.ts'
import type { Dialect, Syntax } from '../../core/model/dialect.ts'
import { FORMATS } from '../../core/source/file.ts'
import { HostFilter } from './filter.ts'
import { EngineOptionError } from './option-error.ts'
import type { FileSource } from './source.ts'
import type { AnyTag } from '../../language/tags/tag.ts'
import type { Plugin } from './plugin.ts'
import type { HostTag } from './tag.ts'
import type { Format, GivenLimits, Services } from '../../../runtime/index.ts'

export interface EngineOptions {
  /**
   * Maps a path (`app/views/partials/a.liquid`) or bare name (`a`) to its text, as a record or a map; or a `folder`; or a function that
   * takes a name and returns the text, a promise of it, or null.
   */
  readonly files?: FileSource | undefined
  /** Number of `parseAndRender` texts and expressions that stay compiled; 200 by default. */
  readonly textCache?: number | undefined
  /** `platform` (default) or `liquid`, which prints exactly what the Ruby reference implementation prints. */
  readonly dialect?: Dialect | undefined
  /** How base Liquid treats malformed markup; `lax` by default. */
  readonly syntax?: Syntax | undefined
  /** Format of units rendered by name; `html` by default. A page has its own format. */
  readonly format?: Format | undefined
  /** Whether a template error is thrown, or printed in place. */
  readonly errors?: 'raise' | 'inline' | undefined
  /** Whether reading a missing variable or hash key is an error. By default it is nil. */
  readonly strictVariables?: boolean | undefined
  /** Whether base Liquid rejects an unknown filter. By default the value passes unchanged; the platform always rejects it. */
  readonly strictFilters?: boolean | undefined
  /** Custom filters, created by `filter`. */
  readonly filters?: readonly HostFilter[] | undefined
  /** Custom tags: functions created by `runtimeTag`, or compiled tags created by `defineTag`. */
  readonly tags?: readonly (HostTag | AnyTag)[] | undefined
  /** Values visible in every template, including partials without arguments. Data passed to a template take precedence. */
  readonly globals?: Readonly<Record<string, unknown>> | undefined
  /** Functions that add filters, tags and globals. */
  readonly plugins?: readonly Plugin[] | undefined
  /** The current time in templates, as a date or in milliseconds. The system clock by default. */
  readonly now?: Date | number | undefined
  /** IANA time zone for times without one; UTC by default. */
  readonly timeZone?: string | undefined
  /** Limits of a render. Missing ones have defaults. */
  readonly limits?: GivenLimits | undefined
  /** Services of the host. By default only a clock, random numbers and an in-memory fragment cache exist. */
  readonly services?: Partial<Omit<Services, 'locate'>> | undefined
}

const count = z.int().nonnegative()
/** Validates only that the value is a function. */
const hook = z.custom<() => unknown>((value) => typeof value === 'function', 'expected a function')

const LIMITS = z.strictObject({
  steps: count.optional(),
  output: count.optional(),
  depth: count.optional(),
  renderLength: count.optional(),
  renderScore: count.optional(),
  assignScore: count.optional(),
  time: z.number().nonnegative().optional(),
  cpuWait: hook.optional(),
  memory: hook.optional(),
})

const OPTIONS = z.strictObject({
  files: z
    .union(
      [
        z.record(z.string(), z.string()),
        z.map(z.string(), z.string()),
        hook,
        z.looseObject({ names: hook, read: hook }),
      ],
      'expected a record or a map of texts by name, a folder, or a function',
    )
    .optional(),
  textCache: count.optional(),
  dialect: z.enum(['platform', 'liquid']).optional(),
  syntax: z.enum(['lax', 'strict', 'strict2']).optional(),
  format: z.enum([...FORMATS, 'md']).optional(),
  errors: z.enum(['raise', 'inline']).optional(),
  strictVariables: z.boolean().optional(),
  strictFilters: z.boolean().optional(),
  filters: z.array(z.instanceof(HostFilter, { error: 'expected what `filter` gives' })).optional(),
  tags: z.array(z.custom<unknown>((value) => typeof value === 'object' && value !== null, 'expected a tag')).optional(),
  globals: z.record(z.string(), z.unknown()).optional(),
  plugins: z.array(hook).optional(),
  now: z.union([z.date(), z.number()]).optional(),
  timeZone: z.string().refine(isTimeZone, 'is not a time zone').optional(),
  limits: LIMITS.optional(),
  services: z.record(z.string(), z.unknown()).optional(),
})

/**
 * Validates the options and returns them.
 * @throws EngineOptionError for the first unknown option, with the nearest known name, or for an invalid value
 */
export function validateOptions(options: EngineOptions): EngineOptions {
  const checked = OPTIONS.safeParse(options)
  if (checked.success) return options
  const [issue] = checked.error.issues
  throw new EngineOptionError(issue === undefined ? 'these are not options of an engine' : issueText(issue))
}

function issueText(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return `option \`${path}\`: ${issue.message}`
  const [name = ''] = issue.keys
  const knownNames = Object.keys(path === 'limits' ? LIMITS.shape : OPTIONS.shape)
  const place = path === '' ? 'an engine' : `\`${path}\``
  const hint = didYouMean(name, knownNames) ?? `The options are ${knownNames.map((each) => `\`${each}\``).join(', ')}.`
  return `${place} has no option \`${name}\`. ${hint}`
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
