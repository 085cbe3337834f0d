/** `unset-template-value`: `<%= key =%>` whose key has no value; it becomes empty text. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unsetTemplateValue = message(
  'unset-template-value',
  'warning',
  'TemplateValue',
  (key: string) => ({
    text: `The template value ${quoted(key)} is not set: empty text stands here.`,
    hint: 'Give it in `template-values.json`, beside the manifest of the module.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': "{% render 'modules/shop/version' %}",
      'modules/shop/pos-module.json': '{ "machine_name": "shop" }',
      'modules/shop/public/views/partials/version.liquid': 'Version <%= version =%>',
    },
    right: {
      'app/views/pages/index.liquid': "{% render 'modules/shop/version' %}",
      'modules/shop/pos-module.json': '{ "machine_name": "shop", "version": "1.2.0" }',
      'modules/shop/public/views/partials/version.liquid': 'Version <%= version =%>',
    },
  },
)
