/**
 * What `ingot check` and the process of the custom checks tell each other. The request is a file. The process appends its answers to
 * another file, one line of JSON each, so that nothing it has reported is lost when it is killed. A third file contains the place that it has reached.
 */
import * as z from 'zod'

/** What a file is parsed as; the values are those of `meta.type` of a check. */
export type SourceType = 'LiquidHtml' | 'GraphQL' | 'YAML'

export interface CheckedFile {
  /** Relative to the root of the site, with forward slashes. */
  readonly path: string
  /** Null for a file that no check visits, such as an asset. */
  readonly type: SourceType | null
  /** The kind of the file as checks know it: `Page`, `Partial`. */
  readonly fileType: string | null
  readonly module: string | null
  /** The text as its author wrote it; null for an asset, which is read when a check asks for it. */
  readonly text: string | null
}

export interface CheckRequest {
  /** The folder of the site, as an absolute path. */
  readonly root: string
  readonly files: readonly CheckedFile[]
  /** Indexes of the files to visit. */
  readonly visited: readonly number[]
  readonly modules: readonly {
    readonly name: string
    /** The absolute path of the folder from which the name is resolved. */
    readonly folder: string
  }[]
  /** The settings of each named check. A check without settings does not run. */
  readonly settings: Readonly<Record<string, CheckSettings>>
  /** Milliseconds after which the process ends itself, if the command has not ended it. */
  readonly limit: number
}

export interface CheckSettings {
  readonly enabled: boolean
  /** 0 for errors, 1 for warnings, 2 for infos; null for the severity of the check. */
  readonly severity: 0 | 1 | 2 | null
  /** Regular expressions of paths that are not visited. */
  readonly ignored: readonly string[]
  /** The check's own settings. */
  readonly options: Readonly<Record<string, unknown>>
}

/** Where a process begins: after a crash, the next one continues without what has caused it. */
export interface StartPlace {
  readonly withoutModules: readonly number[]
  readonly withoutChecks: readonly string[]
  /** The position in `visited`, and of the check in the list of all checks. */
  readonly file: number
  readonly check: number
}

const edits = z
  .array(z.object({ start: z.number().int().nonnegative(), end: z.number().int().nonnegative(), text: z.string() }))
  .readonly()
export type TextEdits = z.infer<typeof edits>

const index = z.number().int().nonnegative()
const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('loaded'), module: index, enabled: z.array(z.string()), all: z.array(z.string()) }),
  z.object({
    kind: z.literal('refused'),
    module: index,
    problem: z.enum(['missing-module', 'module-error', 'no-checks']),
    reason: z.string(),
  }),
  z.object({ kind: z.literal('no-check'), module: index, number: index, reason: z.string() }),
  z.object({ kind: z.literal('no-parser'), module: index }),
  z.object({
    kind: z.literal('setting'),
    /** The name with which the settings name the check: its code, or an alias. */
    check: z.string(),
    key: z.string(),
    problem: z.enum(['unknown', 'type', 'missing']),
    expected: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('finding'),
    check: z.string(),
    file: index,
    severity: z.literal([0, 1, 2]),
    message: z.string(),
    /** Offsets in the text of the file, in UTF-16 units. */
    start: index,
    end: index,
    edits: edits.nullable(),
    suggestion: z.object({ message: z.string(), edits }).nullable(),
  }),
  z.object({ kind: z.literal('thrown'), check: z.string(), file: index, reason: z.string() }),
  z.object({ kind: z.literal('done') }),
])
export type Answer = Readonly<z.infer<typeof answer>>

const place = z.object({
  module: index.nullable(),
  /** The position in `visited`. */
  file: index.nullable(),
  check: index.nullable(),
  code: z.string().nullable(),
})
export type RunningPlace = Readonly<z.infer<typeof place>>

/** Returns the answers in the lines of a file. The last line may be incomplete, and a check may have written to the file. */
export function readAnswers(text: string): readonly Answer[] {
  return text.split('\n').flatMap((line) => {
    const parsed = answer.safeParse(parseJson(line))
    return parsed.success ? [parsed.data] : []
  })
}

/** Returns where the process was, from the first line of its file; null before its first module. */
export function readPlace(text: string): RunningPlace | null {
  const [line = ''] = text.split('\n')
  const parsed = place.safeParse(parseJson(line))
  return parsed.success ? parsed.data : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
