/** `t_escape`: the translation of a key, with arguments always escaped for HTML. */
import { esc } from '../../values/text.ts'
import type { Bool, NamedArguments, Numeric, Render, Textual, Value } from '../types.ts'
import { translate, type Translation, type WithoutDefault } from './translate.ts'

export const aliases = ['translate_escape'] as const
export const dialect = 'platform'

/**
 * Does the same as `t`, but always escapes the values of `%{name}` for HTML, regardless of the site's options.
 * A result that is too long ends the render.
 */
export function t_escape(r: Render, key: Textual, options?: WithoutDefault): Translation
export function t_escape(r: Render, key: Textual, options: unknown): unknown
export function t_escape(
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
  return translate(r, key, options, esc)
}
