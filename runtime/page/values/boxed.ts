/**
 * Base of the runtime's value classes (`Float`, `Safe`, `Range`, `Moment`): any other object that is no array is a
 * hash. Their fields begin with `$`, which no Liquid name can, so templates cannot read them.
 */
export abstract class Boxed {}

/** A text with additional properties: wherever text is expected, its `$text` is used. */
export abstract class BoxedText extends Boxed {
  abstract readonly $text: string
}

/** Whether a value is text, with or without additional properties. */
export function isText(v: unknown): v is string | BoxedText {
  return typeof v === 'string' || v instanceof BoxedText
}
