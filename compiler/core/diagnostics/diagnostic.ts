/** What the compiler tells the author of a site: values that are collected, never thrown. */
import type { Span } from '../source/span.ts'

export type Severity = 'error' | 'warning' | 'info'

export interface Related {
  readonly span: Span
  readonly message: string
}

/**
 * Where an edit looks for what it replaces, when that is not the span itself: the tag or output that holds it (a line, in a `liquid` tag), with the quotes
 * around it,
 * the place before or behind that, the argument that it names, the entry of YAML that it begins, its line from there on, its file.
 */
export type Reach =
  | 'markup'
  | 'quoted markup'
  | 'before markup'
  | 'behind markup'
  | 'argument'
  | 'entry'
  | 'rest of line'
  | 'file'

/** One piece of a file, and the text that comes in its place. Plain data, so that diagnostics can be kept. */
export interface Edit {
  readonly span: Span
  readonly reach?: Reach
  /** The word that is replaced there, as it is written; all of the place without one. */
  readonly part?: string
  /** Every such word in the tags and outputs of the place. */
  readonly every?: true
  /** A regular expression in place of `part`; its groups stand in the text as `$1`. */
  readonly match?: string
  readonly text: string
}

/** What is to be written so that a diagnostic goes: what its hint says, `check --fix` writes and editors offer. */
export interface Change {
  readonly edits: readonly Edit[]
  /** Nobody has to look at it first: what is there is refused or never works, or goes on to mean what it meant. */
  readonly safe: boolean
}

/** A change as the words of a code give it: an edit without a span is one at the diagnostic's own. */
export interface ChangeText {
  readonly edits: readonly (Omit<Edit, 'span'> & { readonly span?: Span })[]
  /** By default what mends an error is. */
  readonly safe?: boolean
}

/** A hint with the change that it names. */
export interface Mend {
  readonly hint: string
  readonly change?: ChangeText
}

export interface Diagnostic {
  /** The code file's own name: `unknown-filter`. */
  readonly code: string
  readonly severity: Severity
  /** The check of the published linter that this code answers to: the name in suppression comments and `.platformos-check.yml`. */
  readonly check: string
  /** One sentence: what was found, what was expected. */
  readonly message: string
  readonly span: Span
  /** One likely mend. */
  readonly hint?: string
  /** The mend as edits, where it is that exact: see `change.ts`. */
  readonly change?: Change
  /** What a deploy to the platform says of it: people search for these words, and programs look for them. */
  readonly platform?: string
  readonly related: readonly Related[]
  /** The tag or output that the hint rewrites: other diagnostics inside of it follow from this one. */
  readonly rewritten?: Span
  /** What could not be read has set no name: names are told of in its file all the same. */
  readonly setsNothing?: true
  /** The name is one of a module that is not installed: what the site says of all such names is one message a module. */
  readonly absent?: AbsentName
}

/** A name below a module that is not installed. */
export interface AbsentName {
  /** Empty for the application around modules. */
  readonly module: string
  /** The whole name: `modules/core/helpers/log`. */
  readonly name: string
}

export interface MessageText {
  readonly text: string
  readonly hint?: string | undefined
  readonly change?: ChangeText | undefined
  readonly platform?: string | undefined
  readonly related?: readonly Related[]
}

/** A code: calling it with a place and its own arguments makes a diagnostic; the rest documents it and is run by the tests. */
export interface DiagnosticCode<Arguments extends readonly unknown[]> {
  (span: Span, ...args: Arguments): Diagnostic
  readonly code: string
  readonly severity: Severity
  readonly check: string
  /** A template (or several files, by path) that yields exactly this code, and one that yields none. */
  readonly examples: { readonly wrong: Example; readonly right: Example }
}

export type Example = string | Readonly<Record<string, string>>

/**
 * Declares a code. `severity` is the severity where the place can be reached from a page, form, job or mail;
 * `Report.settle` turns errors in files that nothing reaches into warnings.
 */
export function message<Arguments extends readonly unknown[]>(
  code: string,
  severity: Severity,
  check: string,
  words: (...args: Arguments) => MessageText,
  examples: { readonly wrong: Example; readonly right: Example },
): DiagnosticCode<Arguments> {
  const make = (span: Span, ...args: Arguments): Diagnostic => {
    const { text, hint, change, platform, related = [] } = words(...args)
    return {
      code,
      severity,
      check,
      message: text,
      span,
      related,
      ...(hint === undefined ? {} : { hint }),
      ...(change === undefined ? {} : { change: changeAt(span, change, severity) }),
      ...(platform === undefined ? {} : { platform }),
    }
  }
  return Object.assign(make, { code, severity, check, examples })
}

/** The change with the places of its edits. */
export function changeAt(span: Span, { edits, safe }: ChangeText, severity: Severity): Change {
  return { edits: edits.map((edit) => ({ span, ...edit })), safe: safe ?? severity === 'error' }
}

/** The list of one run. Adding never throws and never drops. */
export class Report {
  #all: Diagnostic[] = []

  add(diagnostic: Diagnostic): void {
    this.#all.push(diagnostic)
  }

  get all(): readonly Diagnostic[] {
    return this.#all
  }

  /** Whether the site has errors. */
  get refuses(): boolean {
    return this.#all.some((d) => d.severity === 'error')
  }

  /** Base severities become final: an error in a file that nothing reaches is a warning. Sorted by file and place, doubles dropped. */
  settle(reached: (file: string, code: string) => boolean): void {
    const seen = new Set<string>()
    const settled: Diagnostic[] = []
    for (const d of this.#all) {
      const key = `${d.code}\0${d.span.file}\0${d.span.start}\0${d.span.end}\0${d.message}`
      if (seen.has(key)) continue
      seen.add(key)
      settled.push(d.severity === 'error' && !reached(d.span.file, d.code) ? { ...d, severity: 'warning' } : d)
    }
    this.#all = settled.sort(inFiles)
  }
}

/** The order of files and places. */
export function inFiles(a: Diagnostic, b: Diagnostic): number {
  return a.span.file < b.span.file ? -1 : a.span.file > b.span.file ? 1 : a.span.start - b.span.start
}
