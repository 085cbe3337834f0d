/** Reads settings files, and returns their diagnostics. */
import { type Diagnostic, Report } from '../../../compiler/core/diagnostics/diagnostic.ts'
import { readSettings } from '../../../compiler/language/settings/index.ts'
import { parseYaml } from '../../../compiler/language/settings/yaml.ts'
import type { FileKind, SourceFile } from '../../../compiler/core/source/file.ts'
import { cutFrontMatter } from '../../../compiler/core/source/front-matter.ts'
import { classify } from '../../../compiler/core/source/kinds.ts'

export function sourceFile<Kind extends FileKind>(
  path: string,
  text: string,
  kind: Kind,
): SourceFile & { readonly kind: Kind } {
  const classified = classify(path)
  if (classified === null || 'reason' in classified || classified.kind !== kind)
    throw new Error(`${path} is no ${kind}`)
  return { path, ...classified, text, kind }
}

export function readSettingsFile<Kind extends FileKind>(path: string, kind: Kind, yaml: string) {
  const inFrontMatter = path.endsWith('.liquid')
  const file = sourceFile(path, inFrontMatter ? `---\n${yaml}---\n` : yaml, kind)
  const report = new Report()
  const part = inFrontMatter ? cutFrontMatter(file.text).yaml : { text: file.text, start: 0 }
  if (part === null) throw new Error(`${path} has no front matter`)
  const tree = parseYaml(part.text, file.path, part.start, report)
  const settings = readSettings(file, tree, report)
  return { file, settings, tree, report, said: report.diagnostics.map((each) => formatDiagnostic(each, file)) }
}

/** Returns a diagnostic as `code «marked text»: message`. */
export function formatDiagnostic(diagnostic: Diagnostic, file: SourceFile): string {
  const marked = file.text.slice(diagnostic.span.start, diagnostic.span.end)
  return `${diagnostic.code} «${marked}»: ${diagnostic.message}${diagnostic.hint === undefined ? '' : ` ${diagnostic.hint}`}`
}
