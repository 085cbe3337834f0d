/**
 * The parts of the tutorial. A chapter is data, so that a test does what the page says: it runs the commands, writes the files, and
 * visits the pages in a browser.
 */

/** What a visitor does on a page. Labels and buttons are written as the page shows them. */
export type Action =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'enter'; readonly label: string; readonly value: string }
  /** Enters a day and a time that are some days ahead. */
  | { readonly kind: 'date'; readonly label: string; readonly days: number; readonly time: string }
  | { readonly kind: 'choose'; readonly label: string; readonly option: string }
  /** Chooses any photo of the reader. */
  | { readonly kind: 'photo'; readonly label: string }
  | { readonly kind: 'press'; readonly button: string }
  | { readonly kind: 'follow'; readonly link: string }

export type Part =
  /** Text with `code` in backticks. */
  | { readonly kind: 'says'; readonly text: string }
  /** Commands of a shell, in the folder of the site. `prints` are lines that they print. */
  | { readonly kind: 'run'; readonly lines: readonly string[]; readonly prints: readonly string[] }
  /** A whole file. It replaces an existing one. */
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /** Replaces text that occurs once in a file. */
  | { readonly kind: 'change'; readonly path: string; readonly from: string; readonly to: string }
  /** A mistake that the reader makes and undoes. `prints` is what `ingot check` prints. */
  | {
      readonly kind: 'mistake'
      readonly path: string
      readonly from: string
      readonly to: string
      readonly prints: string
    }
  /** A visit of a page. `shows` are texts on the last page. `status` is its HTTP status. */
  | {
      readonly kind: 'visit'
      readonly who: string
      readonly actions: readonly Action[]
      readonly shows: readonly string[]
      readonly hides: readonly string[]
      readonly status: number
    }
  /** A mail in the outbox. With `link`, the reader follows the link of this name in it. */
  | {
      readonly kind: 'mail'
      readonly to: string
      readonly subject: string
      readonly link: string | null
      readonly who: string
      readonly shows: readonly string[]
    }

export interface Step {
  readonly title: string
  /** Words that the search also finds. */
  readonly words: string
  readonly parts: readonly Part[]
}

export interface Chapter {
  /** Name of the page in `tutorial/`, without extension. */
  readonly file: string
  readonly name: string
  /** One sentence. */
  readonly summary: string
  readonly words: string
  readonly steps: readonly Step[]
}
