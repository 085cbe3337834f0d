/** What is said of wrong options. */

/** An option of the engine is unknown, or has a value that it cannot have. Its stack begins where the package is called. */
export class EngineOptionError extends TypeError {
  override readonly name = 'EngineOptionError'

  constructor(message: string) {
    super(message)
    const lines = this.stack?.split('\n') ?? []
    const isFrame = (line: string) => /^\s+at /.test(line)
    // The files of the package lie beside each other.
    const own = /[^\s(]*[/\\](?=[^/\\]*$)/.exec(lines.find(isFrame) ?? '')?.[0]
    const outside = lines.filter((line) => own === undefined || !line.includes(own))
    if (outside.some(isFrame)) this.stack = outside.join('\n')
  }
}
