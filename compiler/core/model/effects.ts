/** Site-wide information about a template: how it is called, and the effects of calling it. */

/** `render` prints in isolation, `value` returns the value of `return`, `shared` prints with the variables of the caller. */
export type EntryPoint = 'render' | 'value' | 'shared'

/** The output function of a format. */
export type FormatClass = 'html' | 'plain' | 'xml'

export interface Effects {
  readonly entryPoints: ReadonlySet<EntryPoint>
  /** The entry points with which a computed name can call the template. */
  readonly open: ReadonlySet<EntryPoint>
  /** The formats of the pages that call the template. */
  readonly formats: ReadonlySet<FormatClass>
  readonly suspends: boolean
  /** The async calls, by their indexes in `Bound.calls`. */
  readonly awaits: ReadonlySet<number>
  /** Interrupts that end the including template, also from files that this template includes. */
  readonly halts: ReadonlySet<'break' | 'continue'>
  readonly recursive: boolean
  /** Variables in the frame that the template, or a file that it includes, reads or writes. */
  readonly frame: ReadonlySet<string>
  readonly frameWrites: ReadonlySet<string>
  /** Whether the template includes a computed name, so that all visible variables must be passed. */
  readonly spills: boolean
  /** Whether the template uses counters, cycles or other state that is shared in a render. */
  readonly registers: boolean
  /** Counters (`increment`, `decrement`) in the template, in files that it includes, or in files that include it by a computed name. */
  readonly counters: ReadonlySet<string>
  /** Whether the template reads `self`, or shares its variables with a template that does. */
  readonly readsSelf: boolean
  /** Whether the template, or a file that it includes, reads a parent loop, which may be a loop of the including template. */
  readonly asksParent: boolean
  /** Whether any template includes this template. */
  readonly included: boolean
  /** Whether any template renders it, so that it does not own all variables of the data (base Liquid). */
  readonly rendered: boolean
}

export interface LinkedEffects {
  readonly effects: ReadonlyMap<string, Effects>
  /** An identity for caches. It stays the same if only variable names change, in templates that no other template includes. */
  readonly sharedEffects: object
  /** Whether a call has a computed name. */
  readonly dynamic: boolean
}
