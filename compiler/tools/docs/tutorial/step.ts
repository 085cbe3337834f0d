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

export function step(title: string, words: string, ...parts: readonly Part[]): Step {
  return { title, words, parts }
}

export function says(text: string): Part {
  return { kind: 'says', text }
}

export function run(...lines: readonly string[]): Part {
  return { kind: 'run', lines, prints: [] }
}

/** @param prints lines that the command prints, without surrounding white space */
export function runAndSee(line: string, ...prints: readonly string[]): Part {
  return { kind: 'run', lines: [line], prints }
}

export function write(path: string, text: string): Part {
  return { kind: 'write', path, text }
}

export function change(path: string, from: string, to: string): Part {
  return { kind: 'change', path, from, to }
}

export function mistake(path: string, from: string, to: string, prints: string): Part {
  return { kind: 'mistake', path, from, to, prints }
}

/** @param actions the first one opens a page */
export function visit(who: string, actions: readonly Action[], ...shows: readonly string[]): Part {
  return { kind: 'visit', who, actions, shows, hides: [], status: 200 }
}

/** A visit of one page. @param hides texts that the page must not show */
export function look(who: string, path: string, shows: readonly string[], hides: readonly string[] = []): Part {
  return { kind: 'visit', who, actions: [open(path)], shows, hides, status: 200 }
}

/** A visit of a page that answers 404. */
export function missing(who: string, path: string): Part {
  return { kind: 'visit', who, actions: [open(path)], shows: [], hides: [], status: 404 }
}

export function mail(to: string, subject: string): Part {
  return { kind: 'mail', to, subject, link: null, who: '', shows: [] }
}

/** A mail with a link to follow. @param shows texts on the page of the link */
export function mailWithLink(
  who: string,
  to: string,
  subject: string,
  link: string,
  ...shows: readonly string[]
): Part {
  return { kind: 'mail', to, subject, link, who, shows }
}

export function open(path: string): Action {
  return { kind: 'open', path }
}

export function enter(label: string, value: string): Action {
  return { kind: 'enter', label, value }
}

export function date(label: string, days: number, time: string): Action {
  return { kind: 'date', label, days, time }
}

export function choose(label: string, option: string): Action {
  return { kind: 'choose', label, option }
}

export function photo(label: string): Action {
  return { kind: 'photo', label }
}

export function press(button: string): Action {
  return { kind: 'press', button }
}

export function follow(link: string): Action {
  return { kind: 'follow', link }
}
