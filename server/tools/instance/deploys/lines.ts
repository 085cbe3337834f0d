/** Formats the errors and warnings of a deployed site, one line each, for the command-line client. */
import type { SiteFinding } from './compiler.ts'
import type { DeployRow } from './rows.ts'

/** Formats an error or a warning with its location, in the platform's words when they are known. */
export function formatFinding({ file, line, message, hint, platform }: SiteFinding): string {
  if (platform !== null) return `${file}: ${platform}${platform.endsWith('.') ? ` (line ${line})` : ` at line ${line}`}`
  return `${file}:${line}: ${message}${hint === null ? '' : ` ${hint}`}`
}

/** Formats all errors of a deploy. */
export function formatErrorLines({ errors, failure }: DeployRow['result']): readonly string[] {
  return [...errors.map(formatFinding), ...(failure === null ? [] : [failure])]
}
