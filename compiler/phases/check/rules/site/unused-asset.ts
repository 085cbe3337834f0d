/** `unused-asset`: a file in `assets` that no template or stylesheet uses. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedAsset = message(
  'unused-asset',
  'info',
  'UnusedAsset',
  (name: string) => ({
    text: `No template or stylesheet uses the asset ${quote(name)}.`,
    hint: 'Remove the file, unless a script or another site uses it.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': 'x', 'app/assets/old.js': 'x' },
    right: { 'app/views/pages/index.liquid': "{{ 'old.js' | asset_url }}", 'app/assets/old.js': 'x' },
  },
)
