/** Site-wide information about a template: how it is called, and the effects of calling it. */

/** `render` prints in isolation, `value` returns the value of `return`, `shared` prints with the variables of the caller. */
export type Face = 'render' | 'value' | 'shared'

/** The output function of a format. */
export type FormatClass = 'html' | 'plain' | 'xml'

export interface Effects {
  readonly faces: ReadonlySet<Face>
  /** The faces that a computed name can call. */
  readonly open: ReadonlySet<Face>
  /** The formats of the pages that call it. */
  readonly formats: ReadonlySet<FormatClass>
  readonly suspends: boolean
  /** The async calls, by their indexes in `Bound.calls`. */
  readonly awaits: ReadonlySet<number>
  /** Interrupts that end the including template, also from files that this template includes. */
  readonly halts: ReadonlySet<'break' | 'continue'>
  readonly recursive: boolean
  /** Variables in the frame that it, or a file that it includes, reads or writes. */
  readonly frame: ReadonlySet<string>
  readonly frameWrites: ReadonlySet<string>
  /** Whether it includes a computed name, so that all visible variables must be passed. */
  readonly spills: boolean
  /** Whether it uses counters, cycles or other state that is shared in a render. */
  readonly registers: boolean
  /** The counters of `increment` and `decrement` in it, in files that it includes, or in files that include it by a computed name. */
  readonly counters: ReadonlySet<string>
  /** Whether it reads `self`, or shares its variables with a template that does. */
  readonly readsSelf: boolean
  /** Whether it, or a file that it includes, reads the parent loop of its loops, which may be a loop of the including template. */
  readonly asksParent: boolean
  /** Whether any template includes it. */
  readonly included: boolean
  /** Whether any template renders it, so that it does not own all variables of the data (base Liquid). */
  readonly rendered: boolean
}

export interface LinkedEffects {
  readonly effects: ReadonlyMap<string, Effects>
  /** The same object as long as only the names of templates with unshared effects change. */
  readonly sharedEffects: object
  /** Whether a call has a computed name. */
  readonly dynamic: boolean
}
