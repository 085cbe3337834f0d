/** `missing-asset`: an asset that does not exist. */
import type { FilterCall } from '../../../../core/tree/ast.ts'
import { withAbsentModule } from '../../../../core/diagnostics/absent-modules.ts'
import type { FilterInput } from '../../walk/filter-input.ts'
import { locatedText } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { assetsNamedIn } from '../../../../core/source/stylesheet.ts'

/** Returns the path where an asset with this name belongs. */
function pathOfAsset(path: string): string {
  const [, module, below] = /^\/?modules\/([^/]+)\/(.+)$/.exec(path) ?? []
  return module === undefined ? `app/assets/${path.replace(/^\//, '')}` : `modules/${module}/public/assets/${below}`
}

export const missingAsset = message(
  'missing-asset',
  'warning',
  'MissingAsset',
  (path: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'asset', name: path },
    text: `There is no asset named ${quote(path)}.`,
    ...(suggestName(path, knownNames) ?? { hint: `Put the file at ${quote(pathOfAsset(path))}.` }),
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{{ 'app.css' | asset_url }}` },
    right: { 'app/views/pages/index.liquid': `{{ 'app.css' | asset_url }}`, 'app/assets/app.css': '' },
  },
)

/** Reports a literal path, piped to a filter for assets, of an asset that does not exist. */
export function checkAssetPath(walk: Walk, _call: FilterCall, { source }: FilterInput): void {
  const asset = locatedText(source)
  if (asset === null || asset.text === '') return
  const path = asset.text.replace(/[?#].*$/s, '').replace(/^\//, '')
  const { assets, modules } = walk.env.site
  // A path of a folder is a prefix for other paths.
  if (path !== '' && !path.endsWith('/') && !assets.has(path))
    walk.report(withAbsentModule(modules, path, missingAsset(asset.span, asset.text, assets.keys())))
}

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

/** Reports references of stylesheets to missing files in `/assets/`. */
export function checkStylesheets({ site: { assets, byFile, modules }, memo }: CheckedSite): readonly Diagnostic[] {
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
