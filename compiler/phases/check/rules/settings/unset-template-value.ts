/** `unset-template-value`: `<%= key =%>` whose key has no value. It is replaced by empty text. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { WrittenText } from '../../../../core/source/template-values.ts'
import { neededTemplateValue } from '../../../../core/diagnostics/codes/settings/needed-template-value.ts'

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

/**
 * Reports the template values that are not set, except those whose absence is already reported as an error.
 * @param written the files with template values, by path
 * @param diagnostics all other diagnostics, with their spans in the text as the author wrote it
 */
export function checkTemplateValues(
  written: ReadonlyMap<string, WrittenText>,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const neededPlaces = new Set(
    diagnostics
      .filter(({ code }) => code === neededTemplateValue.code)
      .map(({ span: { file, start } }) => `${file}\0${start}`),
  )
  return [...written].flatMap(([file, { unset }]) =>
    unset
      .filter(({ markupStart: start }) => !neededPlaces.has(`${file}\0${start}`))
      .map(({ key, markupStart: start, markupEnd: end }) => unsetTemplateValue({ file, start, end }, key)),
  )
}
