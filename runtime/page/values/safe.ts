/** Texts that output treats specially: safe for HTML, and the result of the filter `json`. */
import { BoxedText } from './boxed.ts'

/** Text that is not escaped again. */
export class Safe extends BoxedText {
  readonly $text: string
  constructor(text: string) {
    super()
    this.$text = text
  }
}

/** JSON text: `$text` holds `<`, `>`, `&` as they are, output writes them as `\u003c` …; after `html_safe` it is `$raw`. */
export class Json extends Safe {
  readonly $raw: boolean
  constructor(text: string, raw = false) {
    super(text)
    this.$raw = raw
  }
}
