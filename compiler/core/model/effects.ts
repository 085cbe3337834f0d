/** What the whole site says about one template: how it is called, and what calling it can do. */

/** `render` prints isolated, `value` gives what `return` gave, `shared` prints with the caller's names. */
export type Face = 'render' | 'value' | 'shared'

/** Which output function a format uses. */
export type FormatClass = 'html' | 'plain' | 'xml'

export interface Effects {
  readonly faces: ReadonlySet<Face>
  /** Faces that a computed name can reach. */
  readonly open: ReadonlySet<Face>
  /** Formats of the pages that reach it. */
  readonly formats: ReadonlySet<FormatClass>
  readonly suspends: boolean
  /** The calls that suspend, by their places in `Bound.calls`. */
  readonly awaits: ReadonlySet<number>
  /** Interrupts that leave the template for the one that includes it, also from what it includes itself. */
  readonly halts: ReadonlySet<'break' | 'continue'>
  readonly recursive: boolean
  /** Names that it, or what it includes, reads or writes in the frame. */
  readonly frame: ReadonlySet<string>
  readonly frameWrites: ReadonlySet<string>
  /** Includes a computed name somewhere, so that every visible name must be handed on. */
  readonly spills: boolean
  /** Uses counters, cycles or other state that a render shares. */
  readonly registers: boolean
  /** Names that `increment` or `decrement` count in it, in what it includes, or in what includes it by a computed name. */
  readonly counters: ReadonlySet<string>
  /** It reads `self`, or shares its variables with a template that does. */
  readonly readsSelf: boolean
  /** It, or what it includes, reads the loop around its own loops, which may be one of whoever includes it. */
  readonly asksParent: boolean
  /** Something includes it. */
  readonly included: boolean
  /** Something renders it, so that it has not all variables of the render's data as its own (base Liquid). */
  readonly rendered: boolean
}

export interface Linked {
  readonly effects: ReadonlyMap<string, Effects>
  /** The same object for as long as effects differ in nothing but the names of templates that share them with nobody. */
  readonly deeds: object
  /** Some call has a computed name. */
  readonly dynamic: boolean
}
