/** `missing-asset`: an asset that does not exist. */
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
