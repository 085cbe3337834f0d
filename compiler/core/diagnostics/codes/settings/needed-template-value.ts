/**
 * `needed-template-value`: a template value that is not set and that the slug, name or resource of a file needs. Reported by
 * `checkTemplateValues` (phases/check/rules/settings/unset-template-value.ts) and `reportNeededValues` (phases/parse/parse.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const neededTemplateValue = message(
  'needed-template-value',
  'error',
  'ValidFrontmatter',
  (value: string, key: string) => ({
    text: `The template value ${quote(value)} is not set, so the ${key} of this file is empty.`,
    hint: 'Set the value in `template-values.json`, next to the manifest of the module.',
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
