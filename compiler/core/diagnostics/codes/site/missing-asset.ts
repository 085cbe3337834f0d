/** `missing-asset`: a file that is not among the assets. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

/** Where an asset of that name stands. */
function placeOf(path: string): string {
  const [, module, below] = /^\/?modules\/([^/]+)\/(.+)$/.exec(path) ?? []
  return module === undefined ? `app/assets/${path.replace(/^\//, '')}` : `modules/${module}/public/assets/${below}`
}

export const missingAsset = message(
  'missing-asset',
  'warning',
  'MissingAsset',
  (path: string, known: Iterable<string>) => ({
    text: `There is no asset ${quoted(path)}.`,
    ...(meantName(path, known) ?? { hint: `Put the file at ${quoted(placeOf(path))}.` }),
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{{ 'app.css' | asset_url }}` },
    right: { 'app/views/pages/index.liquid': `{{ 'app.css' | asset_url }}`, 'app/assets/app.css': '' },
  },
)
