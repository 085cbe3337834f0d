/**
 * Types of filter parameters. All are `unknown` to TypeScript, because a filter converts its arguments. The compiler uses the names of the
 * types for warnings. For a text parameter, it also emits code that converts arrays and hashes as the dialect requires.
 */

/** Any value, converted to text. */
export type Textual = unknown

/** Any value, converted to a number. */
export type Numeric = unknown

/** An array, or a value that is treated as one. */
export type List = unknown

/** A hash. */
export type Hash = unknown

/** Any value, used unchanged. */
export type Value = unknown

/** Any value, used as true or false. */
export type Bool = unknown

/** Named arguments. They arrive as one hash, and a template may also pass a hash. Options with an index signature accept any name. */
export type NamedArguments<Options extends Record<string, unknown>> = Options | Hash

export type { Render } from '../render.ts'
export type { Numeral } from '../values/number.ts'
