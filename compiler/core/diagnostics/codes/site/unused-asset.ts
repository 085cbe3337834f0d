/** `unused-asset`: a file below `assets` that no template and no stylesheet names. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unusedAsset = message(
  'unused-asset',
  'info',
  'UnusedAsset',
  (name: string) => ({
    text: `No template and no stylesheet names the asset ${quoted(name)}.`,
    hint: 'Take it away, unless a script or another site needs it.',
  }),
  {
    wrong: { 'app/views/pages/index.liquid': 'x', 'app/assets/old.js': 'x' },
    right: { 'app/views/pages/index.liquid': "{{ 'old.js' | asset_url }}", 'app/assets/old.js': 'x' },
  },
)
