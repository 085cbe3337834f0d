/** `check --fix`: applies the safe changes of diagnostics until none are left. Changes that do not help are discarded. */
import { type Diagnostic, findingKey } from '../../core/diagnostics/diagnostic.ts'
import {
  editsOverlap,
  type PlacedEdit,
  type QuickFix,
  findQuickFix,
  applyEdits,
} from '../../core/diagnostics/quick-fix.ts'
import { type SourceFile, writtenTexts } from '../../core/source/file.ts'
import { groupBy } from '../../core/source/maps.ts'

interface FixedFiles {
  readonly files: readonly SourceFile[]
  readonly diagnostics: readonly Diagnostic[]
  /** The number of applied changes. */
  readonly made: number
  /** The new texts, by path. */
  readonly texts: ReadonlyMap<string, string>
}

interface FixContext {
  readonly compile: (files: readonly SourceFile[]) => Promise<readonly Diagnostic[]>
  readonly withText: (file: SourceFile, text: string) => SourceFile
  /** Returns true if the file may be fixed. */
  readonly isChosen: (file: string) => boolean
}

/** A change can lead to another one, but the number of rounds is limited. */
const MAX_ROUNDS = 20

interface Candidate {
  readonly key: string
  readonly diagnostic: Diagnostic
  readonly fix: QuickFix
}

/** Applies every safe change that removes its diagnostic and causes no error. */
export async function fixFiles(
  files: readonly SourceFile[],
  first: readonly Diagnostic[],
  context: FixContext,
): Promise<FixedFiles> {
  let current = files
  let diagnostics = first
  let made = 0
  const refused = new Set<string>()
  const changedTexts = new Map<string, string>()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const known = writtenTexts(current)
    const chosenCandidates = findCandidates(diagnostics, known, context, refused)
    if (chosenCandidates.length === 0) break
    const edits = chosenCandidates.flatMap(({ fix }) => fix.edits)
    const byFile: ReadonlyMap<string, readonly PlacedEdit[]> = groupBy(edits, ({ file }) => file)
    const after = current.map((file) => {
      const edits = byFile.get(file.path)
      return edits === undefined ? file : context.withText(file, applyEdits(known.get(file.path) ?? '', edits))
    })
    const remaining = await context.compile(after)
    const failed = chosenCandidates.filter((each) => !isFixed(each, byFile, remaining))
    if (failed.length > 0) {
      for (const { key } of failed) refused.add(key)
      continue
    }
    for (const [path, text] of writtenTexts(after)) if (byFile.has(path)) changedTexts.set(path, text)
    current = after
    diagnostics = remaining
    made += chosenCandidates.length
  }
  return { files: current, diagnostics, made, texts: changedTexts }
}

/** Returns safe changes that do not overlap. The others are tried in the next round. */
function findCandidates(
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
  { isChosen }: FixContext,
  refused: ReadonlySet<string>,
): readonly Candidate[] {
  const chosenCandidates: Candidate[] = []
  const editsByFile = new Map<string, PlacedEdit[]>()
  for (const diagnostic of diagnostics) {
    if (diagnostic.change?.safe !== true || !isChosen(diagnostic.span.file)) continue
    const key = diagnosticKey(diagnostic, texts)
    if (refused.has(key)) continue
    const fix = findQuickFix(diagnostic, (path) => texts.get(path))
    if (fix === null || fix.edits.some(({ file, start, end, text }) => texts.get(file)?.slice(start, end) === text))
      continue
    const files = [...new Set(fix.edits.map(({ file }) => file))]
    if (files.some((file) => !isChosen(file) || editsOverlap(fix.edits, editsByFile.get(file) ?? []))) continue
    for (const file of files)
      editsByFile.set(file, [...(editsByFile.get(file) ?? []), ...fix.edits.filter((edit) => edit.file === file)])
    chosenCandidates.push({ key, diagnostic, fix })
  }
  return chosenCandidates
}

/** Returns a key that identifies a diagnostic even if its column changes. */
function diagnosticKey(diagnostic: Diagnostic, texts: ReadonlyMap<string, string>): string {
  const { span } = diagnostic
  return [findingKey(diagnostic), span.file, texts.get(span.file)?.slice(0, span.start).split('\n').length].join('\0')
}

/** Returns true if the diagnostic is gone and the new text has no errors. */
function isFixed(
  { fix, diagnostic }: Candidate,
  byFile: ReadonlyMap<string, readonly PlacedEdit[]>,
  after: readonly Diagnostic[],
): boolean {
  return fix.edits.every((edit) => {
    const moved = (byFile.get(edit.file) ?? [])
      .filter((other) => other.start < edit.start)
      .reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0)
    const start = edit.start + moved
    const end = start + edit.text.length
    return !after.some(
      (each) =>
        each.span.file === edit.file &&
        each.span.start <= end &&
        each.span.end >= start &&
        (each.code === diagnostic.code ? findingKey(each) === findingKey(diagnostic) : each.severity === 'error'),
    )
  })
}
