/** Finds the name that a misspelled one was probably meant to be: the planner of queries and the compiler suggest alike. */
import { nearest } from '../../runtime/query/suggest.ts'

export { didYouMean, distance, nearest } from '../../runtime/query/suggest.ts'

/** The nearest of names with folders. A file's own name without its folders is what older sites write. */
export function nearestPath(name: string, known: Iterable<string>): string | null {
  const all = [...known]
  const below = all.filter((each) => each.endsWith(`/${name}`))
  return below.length === 1 ? (below[0] ?? null) : nearest(name, all)
}
