/** Types of the diagnostics that the compiler reports. Diagnostics are collected, never thrown. */
import type { Span } from '../source/span.ts'

export type Severity = 'error' | 'warning' | 'info'

interface Related {
  readonly span: Span
  readonly message: string
}

/** Returns a related place, or none without a span. */
export function relatedAt(span: Span | null | undefined, text: string): readonly Related[] {
  return span == null ? [] : [{ span, message: text }]
}

/**
 * The range in which an edit searches for the text to replace, if that is not the span itself:
 * - `markup`: the tag or output that contains the span; in a `liquid` tag, the line. `quoted markup` includes the quotes around it.
 * - `before markup` and `after markup`: the empty place before or after it.
 * - `argument`: the named argument at the span.
 * - `entry`: the YAML entry that begins at the span.
 * - `rest of line`: from the start of the span to the end of the line.
 * - `file`: the whole file.
 */
export type EditTarget =
  | 'markup'
  | 'quoted markup'
  | 'before markup'
  | 'after markup'
  | 'argument'
  | 'entry'
  | 'rest of line'
  | 'file'

/** A replacement in a file. It is plain data, so that diagnostics can be stored. */
export interface Edit {
  readonly span: Span
  readonly target?: EditTarget
  /** The word to replace in the target, exactly as written. Without it, the whole target is replaced. */
  readonly part?: string
  /** Replaces every occurrence of `part` in the tags and outputs of the target. */
  readonly every?: true
  /** A regular expression instead of `part`. `text` refers to its groups as `$1`. */
  readonly match?: string
  readonly text: string
}

/** The edits that fix a diagnostic. `check --fix` applies them, and editors offer them. */
export interface Change {
  readonly edits: readonly Edit[]
  /** Whether the change can be applied without a review: the old code is rejected or never works, or the meaning stays the same. */
  readonly safe: boolean
}

/** A change as a diagnostic code declares it. An edit without a span applies to the span of the diagnostic. */
export interface ChangeText {
  readonly edits: readonly (Omit<Edit, 'span'> & { readonly span?: Span })[]
  /** Whether the change can be applied without a review. By default, true for errors only. */
  readonly safe?: boolean
}

/** A hint with the change that it describes. */
export interface Fix {
  readonly hint: string
  readonly change?: ChangeText
  /** The name that was probably meant. */
  readonly meant?: string
}

/** What a diagnostic is about, at its span. Rules about diagnostics read the subject, and never the words. It is plain data. */
export interface Subject {
  readonly kind: SubjectKind
  readonly name: string
  /** What the subject belongs to: the partial of an argument, the table of a property, the tag of a stray markup. */
  readonly of?: string | null
  /** The name that was probably meant, if `name` is a misspelling. */
  readonly meant?: string
  /** What is written instead of the name. */
  readonly written?: string | null
  /** The type that was found. */
  readonly type?: string
  /** All names, if there are several. */
  readonly names?: readonly string[]
}

type SubjectKind =
  | 'argument'
  | 'asset'
  | 'field'
  | 'filter'
  | 'form'
  | 'format'
  /** A list that is used like one of its elements. */
  | 'list'
  | 'markup'
  | 'notification'
  | 'object'
  | 'option'
  | 'parameter'
  | 'partial'
  | 'placeholder'
  /** Of a table or of a profile in a form. Without `of`: of several tables. */
  | 'property'
  | 'profile property'
  | 'user property'
  | 'query'
  | 'query variable'
  /** A method and a path: `POST /books`. */
  | 'route'
  | 'setting'
  | 'table'
  | 'tag'
  | 'translation'
  | 'validation'
  | 'variable'
  /** What a rule of GraphQL found: `query: unknown field`. */
  | `query: ${string}`
  /** The name consists of the plain arguments of the code. */
  | 'other'

export interface Diagnostic {
  /** The name of the code's file: `unknown-filter`. */
  readonly code: string
  readonly subject: Subject
  readonly severity: Severity
  /** The corresponding check of the published linter. Suppression comments and `.platformos-check.yml` use this name. */
  readonly check: string
  /** One sentence: what was found and what was expected. */
  readonly message: string
  readonly span: Span
  /** One likely fix. */
  readonly hint?: string
  /** The fix as edits, if the exact edits are known. See `change.ts`. */
  readonly change?: Change
  /** The error message of a deploy to the platform. Users and programs search for it. */
  readonly platform?: string
  readonly related: readonly Related[]
  /** The tag or output that the change rewrites. Other diagnostics in this range follow from this diagnostic. */
  readonly rewritten?: Rewrite
  /** The invalid markup sets no variable, so undefined variables are still reported in its file. */
  readonly setsNothing?: true
  /** Set if the name belongs to a module that is not installed. All such names are reported as one message per module. */
  readonly absent?: AbsentName
}

/** A diagnostic that a tag of a host reports. Without a subject, it is about its message. */
export type HostDiagnostic = Omit<Diagnostic, 'subject'> & { readonly subject?: Subject }

export function withSubject(diagnostic: HostDiagnostic): Diagnostic {
  return { subject: { kind: 'other', name: diagnostic.message }, ...diagnostic }
}

/** A markup that a change rewrites. */
interface Rewrite {
  readonly span: Span
  /** The new text: of a long markup, only the changed part with the words around it. */
  readonly text: string
}

/** A name in a module that is not installed. */
interface AbsentName {
  /** The name of the module; empty for the application. */
  readonly module: string
  /** The full name: `modules/core/helpers/log`. */
  readonly name: string
}

interface MessageText {
  /** By default, the plain arguments of the code. */
  readonly subject?: Subject
  /** The `meant` of the subject. */
  readonly meant?: string | undefined
  readonly text: string
  readonly hint?: string | undefined
  readonly change?: ChangeText | undefined
  readonly platform?: string | undefined
  readonly related?: readonly Related[]
}

/** A diagnostic code. Calling it with a span and its arguments creates a diagnostic. The tests run its examples. */
export interface DiagnosticCode<Arguments extends readonly unknown[]> {
  (span: Span, ...args: Arguments): Diagnostic
  readonly code: string
  readonly severity: Severity
  readonly check: string
  /** `wrong` yields exactly this code, and `right` yields none. A string is one template; a record has files by path. */
  readonly examples: { readonly wrong: Example; readonly right: Example }
}

export type Example = string | Files

/** Texts by path. */
type Files = Readonly<Record<string, string>>

/** The examples of a code as it declares them. `both`: files that both sites have, in addition to a template or to other files. */
interface Examples {
  readonly wrong: Example
  readonly right: Example
  readonly both?: Files
}

function withFiles(example: Example, files: Files): Example {
  return typeof example === 'string' ? { 'app/views/pages/index.liquid': example, ...files } : { ...files, ...example }
}

/**
 * Declares a diagnostic code. `severity` applies if the file can be reached from a page, form, job or email.
 * `Report.settle` turns errors in unreachable files into warnings.
 */
export function message<Arguments extends readonly unknown[]>(
  code: string,
  severity: Severity,
  check: string,
  describe: (...args: Arguments) => MessageText,
  { wrong, right, both }: Examples,
): DiagnosticCode<Arguments> {
  const make = (span: Span, ...args: Arguments): Diagnostic => {
    const { text, hint, change, platform, related = [], meant, subject = plainSubject(args) } = describe(...args)
    return {
      code,
      subject: meant === undefined ? subject : { ...subject, meant },
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
  const examples =
    both === undefined ? { wrong, right } : { wrong: withFiles(wrong, both), right: withFiles(right, both) }
  return Object.assign(make, { code, severity, check, examples })
}

function plainSubject(args: readonly unknown[]): Subject {
  const plainArguments = args.filter((each) => each !== null && !/object|function|undefined/.test(typeof each))
  return { kind: 'other', name: plainArguments.join('\0') }
}

/** Returns a key that is equal for diagnostics with the same code and subject, in any place. */
export function findingKey({ code, subject }: Diagnostic): string {
  return JSON.stringify([code, subject])
}

/** Returns the change with a span for each edit. */
function changeAt(span: Span, { edits, safe }: ChangeText, severity: Severity): Change {
  return { edits: edits.map((edit) => ({ span, ...edit })), safe: safe ?? severity === 'error' }
}

/** Collects the diagnostics of one run. `add` never throws and never drops a diagnostic. */
export class Report {
  #all: Diagnostic[] = []

  add(diagnostic: Diagnostic): void {
    this.#all.push(diagnostic)
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#all
  }

  /** Whether there are errors. */
  get hasErrors(): boolean {
    return this.#all.some((d) => d.severity === 'error')
  }

  /** Makes severities final (an error in an unreachable file becomes a warning), removes duplicates, and sorts by file and place. */
  settle(reached: (file: string, code: string) => boolean): void {
    const seen = new Set<string>()
    const settled: Diagnostic[] = []
    for (const d of this.#all) {
      const key = `${d.span.file}\0${d.span.start}\0${d.span.end}\0${findingKey(d)}`
      if (seen.has(key)) continue
      seen.add(key)
      settled.push(d.severity === 'error' && !reached(d.span.file, d.code) ? { ...d, severity: 'warning' } : d)
    }
    this.#all = settled.sort(compareByPlace)
  }
}

/** Compares two diagnostics by file and place. */
export function compareByPlace(a: Diagnostic, b: Diagnostic): number {
  return a.span.file < b.span.file ? -1 : a.span.file > b.span.file ? 1 : a.span.start - b.span.start
}
