/** Where the values of parameters come from. */

/** The source of a parameter's value at run time. */
export type Source =
  | { readonly kind: 'constant'; readonly value: unknown }
  /** A part of the coerced variables. */
  | { readonly kind: 'variable'; readonly path: readonly (string | number)[] }
  | { readonly kind: 'list'; readonly items: readonly Source[] }
  /** An object literal that contains variables, for a JSON scalar or an argument that is passed as one value. */
  | { readonly kind: 'object'; readonly fields: readonly (readonly [string, Source])[] }
