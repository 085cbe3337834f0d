/** Finds the known name that is most similar to an unknown one. Spelling is compared in the same way as in the query planner. */
import { distance, nearest as nearestSpelling } from '../../../runtime/data/query/suggest.ts'
import { getOrMake } from '../source/maps.ts'
import synonyms from './synonyms.json' with { type: 'json' }

export { distance } from '../../../runtime/data/query/suggest.ts'

/** Common words and names from other languages, with their equivalents here. The first one that is known is suggested. */
const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(Object.values(synonyms).flatMap(Object.entries))

/**
 * Returns the known name that differs by one typo; null if there is none. Use this where a missing name alone is not an error.
 * Names that differ only in digits, such as `line_1` and `line_2`, are different names.
 */
export function findTypo(name: string, knownNames: Iterable<string>): string | null {
  if (name.length < 4) return null
  for (const candidate of knownNames)
    if (candidate !== name && isTypo(name, candidate) && withoutDigits(name) !== withoutDigits(candidate))
      return candidate
  return null
}

/** Like `findTypo`, but also accepts short names with one extra letter. Use it where no other meaning is possible. */
export function findLikelyTypo(name: string, knownNames: Iterable<string>): string | null {
  for (const candidate of knownNames) {
    if (candidate === name || withoutDigits(name) === withoutDigits(candidate)) continue
    const isNear =
      Math.max(name.length, candidate.length) >= 4
        ? isTypo(name, candidate)
        : name.length === candidate.length + 1 && (name.startsWith(candidate) || name.endsWith(candidate))
    if (isNear) return candidate
  }
  return null
}

function isTypo(name: string, candidate: string): boolean {
  return Math.abs(name.length - candidate.length) <= 1 && distance(name, candidate, 1) <= 1
}

function withoutDigits(name: string): string {
  return name.replace(/\d+/g, '')
}

/** Cached results by list of names. Many lookups use the same list, such as a broken menu link on each page. */
const cachedResults = new WeakMap<readonly string[], Map<string, string | null>>()

/**
 * Returns the known name that is most similar in spelling, in its words or in meaning; null if none is similar.
 * @param knownNames an array must never be changed, because results are cached for it
 */
export function findNearest(name: string, knownNames: Iterable<string>): string | null {
  if (!Array.isArray(knownNames)) return computeNearest(name, [...knownNames])
  const list: readonly string[] = knownNames
  const names = getOrMake(cachedResults, list, () => new Map<string, string | null>())
  return getOrMake(names, name, () => computeNearest(name, list))
}

function computeNearest(name: string, allNames: readonly string[]): string | null {
  return findSynonym(name, allNames) ?? nearestSpelling(name, allNames) ?? findBySameWords(name, allNames)
}

/** Returns the nearest name as a hint, or undefined. */
export function didYouMean(name: string, knownNames: Iterable<string>): string | undefined {
  const suggestion = findNearest(name, knownNames)
  return suggestion === null ? undefined : `Did you mean \`${suggestion}\`?`
}

/** Returns the only known name with all words of the given name: `record_update` for `update_record`, `http_status` for `status`. */
function findBySameWords(name: string, knownNames: readonly string[]): string | null {
  const words = splitWords(name)
  if (name.length < 3 || name.length > 80) return null
  const namesWithSameWords = knownNames.filter((each) => {
    const candidateWords = splitWords(each)
    return each !== name && words.every((word) => candidateWords.includes(word))
  })
  if (namesWithSameWords.length === 1) return namesWithSameWords[0] ?? null
  const namesWithAllWords =
    namesWithSameWords.length > 0 ? [] : knownNames.filter((each) => each.startsWith(name) && each.length > name.length)
  return namesWithAllWords.length === 1 ? (namesWithAllWords[0] ?? null) : null
}

function splitWords(name: string): readonly string[] {
  return name
    .toLowerCase()
    .split(/[_\s-]+/)
    .filter((word) => word !== '')
}

function findSynonym(name: string, knownNames: readonly string[]): string | null {
  return SYNONYMS.get(name.toLowerCase())?.find((word) => knownNames.includes(word)) ?? null
}

/** Folders and extensions of a path that are not part of the name. */
const FOLDERS_AND_EXTENSIONS =
  /^(?:(?:app|marketplace_builder)\/)?(?:views\/)?(?:partials|layouts|lib|graphql|graph_queries)\/|(?:\.html|\.json)?\.(?:liquid|graphql)$/g

/** Returns the nearest of names with folders. Older sites use the file name without its folders, so that matches too. */
export function findNearestPath(name: string, knownNames: Iterable<string>): string | null {
  const allNames = [...knownNames]
  const baseName = name.replace(FOLDERS_AND_EXTENSIONS, '').replace(/^\.?\//, '')
  if (baseName !== name && allNames.includes(baseName)) return baseName
  const matchesInFolders = allNames.filter((each) => each.endsWith(`/${name}`))
  return matchesInFolders.length === 1 ? (matchesInFolders[0] ?? null) : findNearest(name, allNames)
}
