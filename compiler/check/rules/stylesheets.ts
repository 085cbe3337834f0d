/** Files that stylesheets name: fonts, pictures, other stylesheets. */
import { withAbsentModule } from '../../diagnostics/absent-modules.ts'
import { missingAsset } from '../../diagnostics/codes/site/missing-asset.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Memo } from '../../model/memo.ts'
import type { Site } from '../../model/site.ts'
import { assetsNamedIn } from '../../source/stylesheet.ts'

/** The files below `/assets/` that are named and not there. */
export function checkStylesheets({ assets, byFile, modules }: Site, memo: Memo): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const [name, path] of assets) {
    if (!name.endsWith('.css')) continue
    const text = byFile.get(path)?.file.text ?? ''
    const named = memo.once('urls of a stylesheet', path, [name, text], () => assetsNamedIn(text, name))
    const told = new Set<string>()
    for (const { name: file, at } of named) {
      if (assets.has(file) || told.has(file)) continue
      told.add(file)
      const span = { file: path, start: at.start, end: at.end }
      diagnostics.push(withAbsentModule(modules, file, missingAsset(span, file, assets.keys())))
    }
  }
  return diagnostics
}
