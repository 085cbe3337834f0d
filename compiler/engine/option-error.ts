/** What is said of wrong options. */

/** An option of the engine is unknown, or has a value that it cannot have. */
export class EngineOptionError extends TypeError {
  override readonly name = 'EngineOptionError'
}
