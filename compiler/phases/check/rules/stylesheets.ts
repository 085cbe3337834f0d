/** Files that stylesheets name: fonts, pictures, other stylesheets. */
import { withAbsentModule } from '../../../core/diagnostics/absent-modules.ts'
import { missingAsset } from '../../../core/diagnostics/codes/site/missing-asset.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import { assetsNamedIn } from '../../../core/source/stylesheet.ts'

const VENDOR_PATH = /(?:^|\/)(?:vendors?|node_modules|bower_components|third[-_]?party|plugins)(?:[/.]|$)|\.min\.css$/i
/** A licence comment that minifiers keep, or a map that a build leaves. */
const BUILT = /\/\*!|\/\*# sourceMappingURL=/
/** Average characters per line of a stylesheet. Above this, it is minified. */
const MINIFIED = 400

/** Whether a stylesheet belongs to a library or is generated. Authors of sites edit neither. */
function isVendored(name: string, text: string): boolean {
  return VENDOR_PATH.test(name) || BUILT.test(text) || text.length > MINIFIED * (text.split('\n').length + 1)
}

/** The files below `/assets/` that are named and not there. */
export function checkStylesheets({ assets, byFile, modules }: Site, memo: Memo): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const [name, path] of assets) {
    if (!name.endsWith('.css')) continue
    const text = byFile.get(path)?.file.text ?? ''
    const named = memo.once('urls of a stylesheet', path, [name, text], () => assetsNamedIn(text, name))
    const vendored = isVendored(name, text)
    const told = new Set<string>()
    for (const { name: file, at } of named) {
      if (assets.has(file) || told.has(file)) continue
      told.add(file)
      const span = { file: path, start: at.start, end: at.end }
      const missing = missingAsset(span, file, assets.keys())
      diagnostics.push(withAbsentModule(modules, file, vendored ? { ...missing, severity: 'info' } : missing))
    }
  }
  return diagnostics
}
