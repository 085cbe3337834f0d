/** A baseline: the findings of a site at a certain time. Later checks report only new ones. */
import { readFile, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { FileTextLookup } from '../../core/diagnostics/line-range.ts'
import { UsageError } from '../../core/usage-error.ts'
import { errorCode } from '../../core/source/error-code.ts'

const entrySchema = z.object({
  file: z.string(),
  code: z.string(),
  /** The trimmed line of the finding, because line numbers change. For a whole file, the message. */
  text: z.string(),
  count: z.number().int().positive(),
})
const baselineSchema = z.object({ version: z.literal(1), known: z.array(entrySchema) })
type Entry = z.infer<typeof entrySchema>

interface BaselineComparison {
  /** Findings that are not in the baseline. */
  readonly fresh: readonly Diagnostic[]
  /** The number of findings in the baseline, which are left out. */
  readonly known: number
  /** Entries of the baseline that the site no longer has. */
  readonly gone: readonly Entry[]
}

/** Reads a baseline from a file. @throws UsageError if the file does not exist, or is not a baseline */
export async function readBaseline(path: string): Promise<readonly Entry[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    // Node's error for a folder has no path.
    if (code === 'EISDIR') throw new UsageError(`'${path}' is a folder: give a file.`)
    if (code !== 'ENOENT') throw error
    throw new UsageError(`There is no baseline '${path}': \`ingot check --write-baseline ${path}\` writes it.`)
  }
  try {
    return baselineSchema.parse(JSON.parse(text)).known
  } catch {
    throw new UsageError(`'${path}' is not a baseline: \`ingot check --write-baseline ${path}\` writes one.`)
  }
}

/** Writes the current findings, sorted so that small changes give small diffs. */
export async function writeBaseline(
  path: string,
  diagnostics: readonly Diagnostic[],
  textOf: FileTextLookup,
): Promise<void> {
  const counts = new Map<string, Entry>()
  for (const diagnostic of diagnostics) {
    const known = counts.get(findingKey(diagnostic, textOf))
    counts.set(findingKey(diagnostic, textOf), { ...toEntry(diagnostic, textOf), count: (known?.count ?? 0) + 1 })
  }
  const known = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
  await writeFile(path, `${JSON.stringify({ version: 1, known }, null, 2)}\n`)
}

/** Splits findings into known and new ones. */
export function compareWithBaseline(
  baseline: readonly Entry[],
  diagnostics: readonly Diagnostic[],
  textOf: FileTextLookup,
): BaselineComparison {
  const remaining = new Map(baseline.map((each) => [entryKey(each), each.count]))
  const fresh = diagnostics.filter((each) => {
    const key = findingKey(each, textOf)
    const count = remaining.get(key) ?? 0
    if (count > 0) remaining.set(key, count - 1)
    return count === 0
  })
  const gone = baseline.flatMap((each) => {
    const count = remaining.get(entryKey(each)) ?? 0
    return count > 0 ? [{ ...each, count }] : []
  })
  return { fresh, known: diagnostics.length - fresh.length, gone }
}

function findingKey(diagnostic: Diagnostic, textOf: FileTextLookup): string {
  return entryKey(toEntry(diagnostic, textOf))
}

function entryKey({ file, code, text }: Pick<Entry, 'file' | 'code' | 'text'>): string {
  return [file, code, text].join('\0')
}

function toEntry(
  { code, message, span }: Diagnostic,
  textOf: FileTextLookup,
): Omit<Entry, 'count'> & { readonly count: 1 } {
  const text = textOf(span.file) ?? ''
  const start = text.lastIndexOf('\n', span.start - 1) + 1
  const end = text.indexOf('\n', span.start)
  const isWhole = span.start === 0 && span.end === 0
  const line = isWhole ? message : text.slice(start, end < 0 ? text.length : end).trim()
  return { file: span.file, code, text: line, count: 1 }
}
