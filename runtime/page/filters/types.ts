/**
 * What filters say of their parameters. All are `unknown` to TypeScript: a filter converts what it is given; the names tell
 * the compiler what is expected, so that it can warn, and print arrays and hashes the dialect's way where text is taken.
 */

/** Any value, taken as text. */
export type Textual = unknown

/** Any value, taken as a number. */
export type Numeric = unknown

/** An array, or what counts as one. */
export type List = unknown

/** A hash. */
export type Hash = unknown

/** Any value, taken as it is. */
export type Value = unknown

/** Any value, taken as true or false. */
export type Bool = unknown

/** The group of named arguments, which arrives as one hash; a hash value may stand in its place. An index signature takes any name. */
export type NamedArguments<Options extends Record<string, unknown>> = Options | Hash

export type { Render } from '../render.ts'
export type { Numeral } from '../values/number.ts'
