/** Errors of tools, with sentences for agents. */
import { findNearest } from '../../../core/diagnostics/suggest.ts'

/** Thrown with a sentence that explains to the agent why a tool has no result. */
export class ToolError extends Error {}

/** Returns the end of a sentence about a name that does not exist, with the most similar known name. */
export function didYouMean(name: string, knownNames: Iterable<string>): string {
  const similarName = findNearest(name, knownNames)
  return similarName === null ? '.' : `: did you mean '${similarName}'?`
}
