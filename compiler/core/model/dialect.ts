/** The language variants that the grammar supports. */

/** `platform`: the dialect of the platform. `liquid`: base Liquid with the output of the reference implementation. */
export type Dialect = 'platform' | 'liquid'

/** How base Liquid treats invalid markup. The platform dialect has only one mode. */
export type Syntax = 'lax' | 'strict' | 'strict2'
