/** `needed-template-value`: a template value that is not set, and without which a file has no slug, name or resource. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const neededTemplateValue = message(
  'needed-template-value',
  'error',
  'ValidFrontmatter',
  (value: string, key: string) => ({
    text: `The template value ${quoted(value)} is not set, and nothing is left of the ${key} of this file.`,
    hint: 'Give it in `template-values.json`, beside the manifest of the module.',
  }),
  {
    wrong: {
      'modules/shop/pos-module.json': '{ "machine_name": "shop" }',
      'modules/shop/public/views/pages/index.liquid': '---\nslug: <%= shop_path =%>\n---\nx',
    },
    right: {
      'modules/shop/pos-module.json': '{ "machine_name": "shop" }',
      'modules/shop/template-values.json': '{ "shop_path": "shop" }',
      'modules/shop/public/views/pages/index.liquid': '---\nslug: <%= shop_path =%>\n---\nx',
    },
  },
)
