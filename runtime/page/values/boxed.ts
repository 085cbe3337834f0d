/**
 * The mark of our own value classes (`Float`, `Safe`, `Range`, `Moment`): what is not one of them, nor an array, is a hash.
 * Their fields begin with `$`, which no Liquid name can, so templates never reach inside.
 */
export abstract class Boxed {}

/** A text that carries something beside its characters: wherever text is taken, its `$text` is. */
export abstract class BoxedText extends Boxed {
  abstract readonly $text: string
}
