/** Checks the files that stylesheets reference: fonts, pictures, other stylesheets. */
import { withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { missingAsset } from '../rules/site/missing-asset.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import { assetsNamedIn } from '../../../core/source/stylesheet.ts'

const VENDOR_PATH = /(?:^|\/)(?:vendors?|node_modules|bower_components|third[-_]?party|plugins)(?:[/.]|$)|\.min\.css$/i
/** A license comment that minifiers keep, or a source map reference. */
const BUILD_MARKER = /\/\*!|\/\*# sourceMappingURL=/
/** The average number of characters per line above which a stylesheet counts as minified. */
const MINIFIED_LINE_LENGTH = 400

/** Returns whether a stylesheet belongs to a library or is generated. Site authors do not edit either. */
function isVendored(name: string, text: string): boolean {
  return (
    VENDOR_PATH.test(name) ||
    BUILD_MARKER.test(text) ||
    text.length > MINIFIED_LINE_LENGTH * (text.split('\n').length + 1)
  )
}

/** Reports references to missing files in `/assets/`. */
export function checkStylesheets({
  site: { assets, byFile, modules },
  memo,
}: {
  readonly site: Site
  readonly memo: Memo
}): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const [name, path] of assets) {
    if (!name.endsWith('.css')) continue
    const text = byFile.get(path)?.file.text ?? ''
    const references = memo.once('urls of a stylesheet', path, [name, text], () => assetsNamedIn(text, name))
    const isVendorFile = isVendored(name, text)
    const reportedFiles = new Set<string>()
    for (const { name: file, at } of references) {
      if (assets.has(file) || reportedFiles.has(file)) continue
      reportedFiles.add(file)
      const span = { file: path, start: at.start, end: at.end }
      const diagnostic = missingAsset(span, file, assets.keys())
      diagnostics.push(withAbsentModule(modules, file, isVendorFile ? { ...diagnostic, severity: 'info' } : diagnostic))
    }
  }
  return diagnostics
}
