/**
 * The mark of our own value classes (`Float`, `Safe`, `Range`, `Moment`): what is not one of them, nor an array, is a hash.
 * Their fields begin with `$`, which no Liquid name can, so templates never reach inside.
 */
export abstract class Boxed {}
