/** The error class for invalid options. */

/** Thrown for an unknown option or an invalid value. Its stack starts at the call of the package. */
export class EngineOptionError extends TypeError {
  override readonly name = 'EngineOptionError'

  constructor(message: string) {
    super(message)
    const lines = this.stack?.split('\n') ?? []
    const isFrame = (line: string) => /^\s+at /.test(line)
    // The files of the package are in one folder.
    const packageFolder = /[^\s(]*[/\\](?=[^/\\]*$)/.exec(lines.find(isFrame) ?? '')?.[0]
    const outsideLines = lines.filter((line) => packageFolder === undefined || !line.includes(packageFolder))
    if (outsideLines.some(isFrame)) this.stack = outsideLines.join('\n')
  }
}
