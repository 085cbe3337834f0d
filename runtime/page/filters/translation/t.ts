/** `t`: the translation of a key. */
import { plain } from '../../values/text.ts'
import type { Bool, NamedArguments, Numeric, Render, Textual, Value } from '../types.ts'
import { translate, type Translation, type WithoutDefault } from './translate.ts'

export const aliases = ['translate'] as const
export const dialect = 'platform'

/**
 * The translation of the key in the locale of the request, with `%{name}` filled in and escaped. The translation
 * itself is safe. A missing key is looked up in English, then `default` is used, then a text that says what is
 * missing.
 * A result that is too long ends the render.
 */
export function t(r: Render, key: Textual, options?: WithoutDefault): Translation
export function t(r: Render, key: Textual, options: unknown): unknown
export function t(
  r: Render,
  key: Textual,
  options: NamedArguments<{
    locale?: Textual
    default?: Value
    fallback?: Bool
    scope?: Textual
    count?: Numeric
    [name: string]: Value
  }> = null,
): unknown {
  return translate(r, key, options, r.site.options.safeTranslate ? r.escape : plain)
}
