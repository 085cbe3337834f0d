/** Texts that output functions treat specially: safe HTML, and JSON. */
import { BoxedText } from './boxed.ts'

/** Text that is not escaped again. */
export class Safe extends BoxedText {
  readonly $text: string
  constructor(text: string) {
    super()
    this.$text = text
  }
}

/**
 * JSON text. `$text` contains `<`, `>` and `&` unescaped. Output functions write them as `\u003c` …. After `html_safe`, `$raw` is set and
 * output is unchanged.
 */
export class Json extends Safe {
  readonly $raw: boolean
  constructor(text: string, raw = false) {
    super(text)
    this.$raw = raw
  }
}
