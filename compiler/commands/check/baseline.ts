/** A baseline: what was wrong with a site on the day that somebody began to check it. Only what came since is told. */
import { readFile, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { FileTextLookup } from '../../core/diagnostics/line-range.ts'
import { UsageError } from '../../core/usage-error.ts'
import { errorCode } from '../../core/source/error-code.ts'

const entry = z.object({
  file: z.string(),
  code: z.string(),
  /** The line that it is told of, without the white space around it: it may move. The message, for a file as a whole. */
  text: z.string(),
  count: z.number().int().positive(),
})
const content = z.object({ version: z.literal(1), known: z.array(entry) })
type Entry = z.infer<typeof entry>

export interface Compared {
  /** What the baseline does not know. */
  readonly fresh: readonly Diagnostic[]
  /** How many are left out. */
  readonly known: number
  /** What the baseline knows, and the site has no more. */
  readonly gone: readonly Entry[]
}

/** @throws UsageError where there is none, or it is none */
export async function readBaseline(path: string): Promise<readonly Entry[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    // That error has no path.
    if (code === 'EISDIR') throw new UsageError(`'${path}' is a folder: give a file.`)
    if (code !== 'ENOENT') throw error
    throw new UsageError(`There is no baseline '${path}': \`ingot check --write-baseline ${path}\` writes it.`)
  }
  try {
    return content.parse(JSON.parse(text)).known
  } catch {
    throw new UsageError(`'${path}' is no baseline: \`ingot check --write-baseline ${path}\` writes one.`)
  }
}

/** Writes what is wrong now, in an order that makes small differences of small changes. */
export async function writeBaseline(
  path: string,
  diagnostics: readonly Diagnostic[],
  textOf: FileTextLookup,
): Promise<void> {
  const counts = new Map<string, Entry>()
  for (const each of diagnostics) {
    const known = counts.get(keyOf(each, textOf))
    counts.set(keyOf(each, textOf), { ...entryOf(each, textOf), count: (known?.count ?? 0) + 1 })
  }
  const known = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
  await writeFile(path, `${JSON.stringify({ version: 1, known }, null, 2)}\n`)
}

/** Parts what is told of a site into what its baseline knows and what is new. */
export function compareWith(
  baseline: readonly Entry[],
  diagnostics: readonly Diagnostic[],
  textOf: FileTextLookup,
): Compared {
  const left = new Map(baseline.map((each) => [keyOfEntry(each), each.count]))
  const fresh = diagnostics.filter((each) => {
    const key = keyOf(each, textOf)
    const count = left.get(key) ?? 0
    if (count > 0) left.set(key, count - 1)
    return count === 0
  })
  const gone = baseline.flatMap((each) => {
    const count = left.get(keyOfEntry(each)) ?? 0
    return count > 0 ? [{ ...each, count }] : []
  })
  return { fresh, known: diagnostics.length - fresh.length, gone }
}

function keyOf(diagnostic: Diagnostic, textOf: FileTextLookup): string {
  return keyOfEntry(entryOf(diagnostic, textOf))
}

function keyOfEntry({ file, code, text }: Pick<Entry, 'file' | 'code' | 'text'>): string {
  return [file, code, text].join('\0')
}

function entryOf(
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
