/** The options of an engine, and what is said of wrong ones. */
import * as z from 'zod'
import { didYouMean } from '../../core/diagnostics/suggest.ts'
import type { Dialect, Syntax } from '../../core/model/dialect.ts'
import { HostFilter } from './filter.ts'
import { EngineOptionError } from './option-error.ts'
import type { FileSource } from './source.ts'
import type { AnyTag } from '../../language/tags/tag.ts'
import type { Plugin } from './plugin.ts'
import type { HostTag } from './tag.ts'
import type { Format, GivenLimits, Services } from '../../../runtime/index.ts'

export interface EngineOptions {
  /**
   * Path (`app/views/partials/a.liquid`) or bare name (`a`) → text, as a record or a map; a `folder`; or a function that is asked for a
   * file by its name, and gives its text or a promise of it, or null.
   */
  readonly files?: FileSource | undefined
  /** How many texts of `parseAndRender`, and expressions, stay compiled; 200 by default. */
  readonly textCache?: number | undefined
  /** `platform` (default) or `liquid`, which prints as the Ruby reference does. */
  readonly dialect?: Dialect | undefined
  /** How base Liquid treats broken markup; `lax` by default. */
  readonly syntax?: Syntax | undefined
  /** Format of units that are rendered by name; `html` by default. A page has its own. */
  readonly format?: Format | undefined
  /** Whether an error in a template is thrown or printed in its place. */
  readonly errors?: 'raise' | 'inline' | undefined
  /** Whether reading a variable, or a key of a hash, that is not there is an error. It is nil by default. */
  readonly strictVariables?: boolean | undefined
  /** Whether base Liquid refuses a filter that it does not know. It lets the value pass by default; the platform always refuses. */
  readonly strictFilters?: boolean | undefined
  /** Filters of one's own, made by `filter`. */
  readonly filters?: readonly HostFilter[] | undefined
  /** Tags of one's own: functions, made by `runtimeTag`, or against the contract of the language's own, made by `defineTag`. */
  readonly tags?: readonly (HostTag | AnyTag)[] | undefined
  /** Values that every template knows, also a partial that is handed nothing. What is handed to a template comes first. */
  readonly globals?: Readonly<Record<string, unknown>> | undefined
  /** Functions that add filters and more. */
  readonly plugins?: readonly Plugin[] | undefined
  /** The moment that templates see as now: a date or milliseconds. The clock by default. */
  readonly now?: Date | number | undefined
  /** IANA zone of times without one; UTC by default. */
  readonly timeZone?: string | undefined
  /** Bounds of a render; those that are not given have defaults. */
  readonly limits?: GivenLimits | undefined
  /** What the host offers beside a clock, random numbers and fragments in memory; by default nothing. */
  readonly services?: Partial<Omit<Services, 'locate'>> | undefined
}

const FORMATS = [
  'html',
  'json',
  'xml',
  'rss',
  'csv',
  'pdf',
  'css',
  'text',
  'js',
  'txt',
  'svg',
  'ics',
  'md',
] as const satisfies readonly Format[]

const count = z.int().nonnegative()
/** A function of the host, of which no more can be told than that it is one. */
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
      'expected texts by their names, a map of them, a folder, or a function',
    )
    .optional(),
  textCache: count.optional(),
  dialect: z.enum(['platform', 'liquid']).optional(),
  syntax: z.enum(['lax', 'strict', 'strict2']).optional(),
  format: z.enum(FORMATS).optional(),
  errors: z.enum(['raise', 'inline']).optional(),
  strictVariables: z.boolean().optional(),
  strictFilters: z.boolean().optional(),
  filters: z.array(z.instanceof(HostFilter, { error: 'expected what `filter` gives' })).optional(),
  tags: z.array(z.custom<unknown>((value) => typeof value === 'object' && value !== null, 'expected a tag')).optional(),
  globals: z.record(z.string(), z.unknown()).optional(),
  plugins: z.array(hook).optional(),
  now: z.union([z.date(), z.number()]).optional(),
  timeZone: z.string().refine(isTimeZone, 'is no time zone').optional(),
  limits: LIMITS.optional(),
  services: z.record(z.string(), z.unknown()).optional(),
})

/**
 * The options as they were given.
 * @throws EngineOptionError for the first that is unknown, with the nearest known name, or has a wrong value
 */
export function checkedOptions(options: EngineOptions): EngineOptions {
  const checked = OPTIONS.safeParse(options)
  if (checked.success) return options
  const [issue] = checked.error.issues
  throw new EngineOptionError(issue === undefined ? 'these are no options of an engine' : issueText(issue))
}

function issueText(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.')
  if (issue.code !== 'unrecognized_keys') return `option \`${path}\`: ${issue.message}`
  const [name = ''] = issue.keys
  const known = Object.keys(path === 'limits' ? LIMITS.shape : OPTIONS.shape)
  const where = path === '' ? 'an engine' : `\`${path}\``
  const hint = didYouMean(name, known) ?? `There are ${known.map((each) => `\`${each}\``).join(', ')}.`
  return `${where} has no option \`${name}\`. ${hint}`
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
