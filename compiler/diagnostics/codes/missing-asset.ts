/** `missing-asset`: a file that is not among the assets. */
import { message } from '../diagnostic.ts'
import { didYouMean } from '../suggest.ts'
import { quoted } from '../words.ts'

export const missingAsset = message(
  'missing-asset',
  'warning',
  'MissingAsset',
  (path: string, known: Iterable<string>) => ({
    text: `There is no asset ${quoted(path)}.`,
    hint: didYouMean(path, known),
  }),
  {
    wrong: { 'app/views/pages/index.liquid': `{{ 'app.css' | asset_url }}` },
    right: { 'app/views/pages/index.liquid': `{{ 'app.css' | asset_url }}`, 'app/assets/app.css': '' },
  },
)
