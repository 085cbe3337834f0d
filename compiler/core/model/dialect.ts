/** The languages that one grammar reads. */

/** `platform`: the service's dialect. `liquid`: base Liquid as the reference prints it. */
export type Dialect = 'platform' | 'liquid'

/** How base Liquid treats broken markup; the platform's dialect has one mode. */
export type Syntax = 'lax' | 'strict' | 'strict2'
