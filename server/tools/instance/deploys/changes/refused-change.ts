/** The refusal of a change. A separate file, because most requests do not need the plans of changes. */

/** Thrown for a change that is refused. */
export class RefusedChange extends Error {
  override readonly name = 'RefusedChange'
  /** The index of the change. */
  readonly change: number

  constructor(message: string, change: number) {
    super(message)
    this.change = change
  }
}
