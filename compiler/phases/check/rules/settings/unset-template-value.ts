/** `unset-template-value`: `<%= key =%>` whose key has no value. It is replaced by empty text. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unsetTemplateValue = message(
  'unset-template-value',
  'warning',
  'TemplateValue',
  (key: string) => ({
    text: `The template value ${quote(key)} is not set, so this is empty text.`,
    hint: 'Set the value in `template-values.json`, next to the manifest of the module.',
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
