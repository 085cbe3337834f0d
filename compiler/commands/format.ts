/** `ingot format`: formats the files of a site, or reports which ones are not formatted. */
import { parseArgs } from 'node:util'
import { type Selection, resolveSelection, isSelected } from './check/selection.ts'
import { withStandardInput } from './check/standard-input.ts'
import { writeFixed } from './check/write-fixed.ts'
import { Report } from '../core/diagnostics/diagnostic.ts'
import { formatCount } from '../core/diagnostics/words.ts'
import { applyEdits } from '../core/diagnostics/quick-fix.ts'
import { formatFile } from '../tools/format/file.ts'
import type { LiquidOptions } from '../tools/format/liquid.ts'
import { Memory } from '../core/model/memo.ts'
import { parseConfig } from '../phases/parse/parse.ts'
import { readFolder } from '../tools/read-folder.ts'
import { type DiscoveredSite, discover } from '../core/source/discover.ts'
import { lineStarts, position, type SourceFile } from '../core/source/file.ts'
import { UsageError } from '../core/usage-error.ts'

/** The result of formatting the chosen files. */
interface FormatResult {
  /** The new and the original texts of files that change, by path. */
  readonly texts: ReadonlyMap<string, string>
  readonly before: ReadonlyMap<string, string>
  /** The reasons why other files stay unchanged, with positions. */
  readonly unreadable: readonly string[]
  /** The number of chosen files. */
  readonly count: number
}

/**
 * Runs the command.
 * @param args arguments after `format`
 * @returns the exit code: 1 for a file that does not parse, and with `--check` also for one that would change
 * @throws UsageError
 */
export async function format(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { check: { type: 'boolean', default: false }, stdin: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const selection = await resolveSelection(positionals, values.stdin, 'format')
  if (values.stdin) {
    if (values.check) throw new UsageError('`--stdin` and `--check` cannot be combined: omit one of them.')
    return formatStandardInput(selection)
  }
  const site = await readFolder(selection.root)
  const outcome = formatFiles(chosenFiles(site, selection), parseOptionsFor(site.files))
  for (const each of outcome.unreadable) process.stderr.write(`${each}\n`)
  return values.check ? reportUnformatted(outcome) : writeFormatted(selection, outcome)
}

/** Installed modules are third-party code. They are formatted only if they are named. */
function chosenFiles({ files, siteRoot }: DiscoveredSite, selection: Selection): readonly SourceFile[] {
  const { requiredModules } = siteRoot.manifests
  const isInstalled = ({ module, override }: SourceFile): boolean =>
    selection.paths === null && module !== null && !override && requiredModules.has(module)
  return files.filter((file) => isSelected(selection, file.path) && !isInstalled(file) && file.unreadable === undefined)
}

function parseOptionsFor(files: readonly SourceFile[]): LiquidOptions {
  const { stringInterpolation } = parseConfig(files, new Report(), new Memory(1))
  return { dialect: 'platform', syntax: 'lax', interpolation: stringInterpolation }
}

function formatFiles(files: readonly SourceFile[], reading: LiquidOptions): FormatResult {
  const texts = new Map<string, string>()
  const before = new Map<string, string>()
  const unreadable: string[] = []
  let count = 0
  for (const file of files) {
    const formatting = formatFile(file, reading)
    if (formatting === null) continue
    count++
    const text = file.writtenText?.text ?? file.text
    if (formatting.edits === null) {
      const { offset, message } = formatting.unreadable
      const { line, column } = position(lineStarts(text), offset)
      unreadable.push(`${file.path}:${line}:${column}  not formatted: ${message}`)
    } else if (formatting.edits.length > 0) {
      before.set(file.path, text)
      texts.set(file.path, applyEdits(text, formatting.edits))
    }
  }
  return { texts, before, unreadable, count }
}

function reportUnformatted({ texts, unreadable, count }: FormatResult): number {
  for (const path of texts.keys()) process.stdout.write(`${path}\n`)
  process.stdout.write(
    texts.size === 0
      ? `${formatCount(count - unreadable.length, 'file')} already formatted.\n`
      : `${texts.size} of ${formatCount(count, 'file')} would change: \`ingot format\` changes them.\n`,
  )
  return texts.size + unreadable.length > 0 ? 1 : 0
}

async function writeFormatted(
  { root }: Selection,
  { texts, before, unreadable, count }: FormatResult,
): Promise<number> {
  const skipped = await writeFixed(root, texts, before)
  for (const path of texts.keys()) if (!skipped.includes(path)) process.stdout.write(`${path}\n`)
  for (const path of skipped)
    process.stderr.write(`${path}  not formatted, because it changed meanwhile: run the command again.\n`)
  process.stdout.write(`Changed ${texts.size - skipped.length} of ${formatCount(count, 'file')}.\n`)
  return unreadable.length + skipped.length > 0 ? 1 : 0
}

/** Prints the formatted text. A text that does not parse, or is in another language, is printed unchanged. */
async function formatStandardInput(selection: Selection): Promise<number> {
  const site = await withStandardInput(await discover(selection.root), selection, 'format')
  const file = site.files.find(({ path }) => path === selection.paths?.[0])
  if (file === undefined) return 1
  const { texts, unreadable } = formatFiles([file], parseOptionsFor(site.files))
  process.stdout.write(texts.get(file.path) ?? file.writtenText?.text ?? file.text)
  for (const each of unreadable) process.stderr.write(`${each}\n`)
  return unreadable.length > 0 ? 1 : 0
}
