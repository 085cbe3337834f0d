/** What is wrong with a site that was sent, a line each, as the client prints it. */
import type { Told } from './compiler.ts'
import type { DeployRow } from './rows.ts'

/** An error or a warning with its place, in the platform's words where these are known. */
export function lineOf({ file, line, message, hint, platform }: Told): string {
  if (platform !== null) return `${file}: ${platform}${platform.endsWith('.') ? ` (line ${line})` : ` at line ${line}`}`
  return `${file}:${line}: ${message}${hint === null ? '' : ` ${hint}`}`
}

/** All that is wrong. */
export function linesOf({ errors, failure }: DeployRow['result']): readonly string[] {
  return [...errors.map(lineOf), ...(failure === null ? [] : [failure])]
}
