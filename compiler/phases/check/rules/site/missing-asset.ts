/** `missing-asset`: an asset that does not exist. */
import type { FilterCall } from '../../../../core/tree/ast.ts'
import { withAbsentModule } from '../../../../core/diagnostics/absent-modules.ts'
import type { FilterInput } from '../../walk/filter-input.ts'
import { locatedText } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

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
