/** `fulltext`: a case-insensitive search for words in the texts of a row. */
import type { Build, Input } from '../model.ts'
import type { ConditionContext } from './column-filter.ts'
import { fieldsOf, itemsOf, leafOf } from './input.ts'
import { columnOf, columnSql, declaredProperties, propertyOf, type RowScope } from './scope.ts'
import { propertySql } from './property.ts'
import { plainText } from './comparison-values.ts'
import { arrayText } from '../../sql/quote.ts'
import { sql, type Sql, join } from '../../sql/sql.ts'

/** The separators of words. SQL uses the same separators. */
const SEPARATORS = /[^\p{L}\p{N}]+/u

/**
 * Functions that convert a word to a pattern for `like`, or for `~` with `FUZZY`. The patterns match texts whose words are separated by
 * single spaces.
 */
const PATTERNS: Readonly<Record<string, (word: string) => string>> = {
  EXACT: wholeWord,
  STARTS_WITH: (word) => `% ${word}%`,
  ENDS_WITH: (word) => `%${word} %`,
  CONTAINS: (word) => `%${word}%`,
  FUZZY: (word) => `${word}| (?:${fuzzyPatterns(word).join('|')}) `,
}

function wholeWord(word: string): string {
  return `% ${word} %`
}

/** Minimum and maximum length of words that are searched with one typing error. */
const [MIN_FUZZY_LENGTH, MAX_FUZZY_LENGTH] = [3, 40]

/** Regular expressions that match a word with one wrong, missing or extra letter, or with two adjacent letters swapped. */
function fuzzyPatterns(word: string): readonly string[] {
  const letters = [...word]
  if (letters.length < MIN_FUZZY_LENGTH || letters.length > MAX_FUZZY_LENGTH) return [word]
  const anyLetter = '[^ ]?'
  return letters.flatMap((letter, at) => {
    const [textBefore, textAfter] = [letters.slice(0, at).join(''), letters.slice(at + 1).join('')]
    const nextLetter = letters[at + 1]
    const swapped =
      nextLetter === undefined ? [] : [`${textBefore}${nextLetter}${letter}${letters.slice(at + 2).join('')}`]
    return [
      `${textBefore}${anyLetter}${textAfter}`,
      `${textBefore}${letter}${anyLetter}${textAfter}`,
      ...(at === 0 ? [`${anyLetter}${word}`] : []),
      ...swapped,
    ]
  })
}

type Convert = (value: unknown) => string | null

const CONVERTS: ReadonlyMap<unknown, Convert> = new Map(
  Object.entries(PATTERNS).map(([name, pattern]) => [name, (value: unknown) => patternsOfWords(value, pattern)]),
)

/** Converts a keyword to the patterns for `EXACT`, which is the default. */
const wholeWords: Convert = (value) => patternsOfWords(value, wholeWord)

/** Maximum number of words, because each word is searched in every row. */
const MAX_WORDS = 32

function patternsOfWords(value: unknown, pattern: (word: string) => string): string | null {
  const text = plainText(value)?.toLowerCase()
  if (text === undefined) return null
  // Words consist of letters and digits, so they contain no special characters of patterns.
  const words = text.split(SEPARATORS).filter((word) => word !== '')
  return arrayText([...new Set(words)].slice(0, MAX_WORDS).map(pattern))
}

/** Returns the condition of a `Query` input; null when it has no keyword. */
export function fulltextCondition(input: Input | undefined, scope: RowScope, context: ConditionContext): Sql | null {
  const fields = fieldsOf(input)
  const keyword = leafOf(fields?.['keyword'])
  if (fields === null || keyword === null) return null
  const texts = searchedTexts(fields, scope, context.build)
  const match = leafOf(fields['match_type'])?.value
  const convert = CONVERTS.get(match) ?? wholeWords
  const wordPatterns = context.build.bind(keyword, 'text[]', convert)
  context.need?.unindexed.push({ reason: 'no index serves `fulltext`', range: keyword.range })
  const words = sql`(' ' || regexp_replace(lower(${texts}), '[^[:alnum:]]+', ' ', 'g') || ' ')`
  const matchesAnyWord = leafOf(fields['operator'])?.value === 'OR'
  const matches = match === 'FUZZY' ? sql`~` : sql`like`
  // A keyword without words matches every row.
  return matchesAnyWord
    ? sql`(${wordPatterns} = '{}' or ${words} ${matches} any(${wordPatterns}))`
    : sql`${words} ${matches} all(${wordPatterns})`
}

/** Returns the SQL of the searched texts: those that the query names, otherwise every text property. */
function searchedTexts(fields: Readonly<Record<string, Input | undefined>>, scope: RowScope, build: Build): Sql {
  const texts: Sql[] = []
  const declared = declaredProperties(scope, build)
  for (const field of itemsOf(fields['fields'])) {
    const leaf = leafOf(field['name'])
    if (leaf === null) continue
    const name = leaf.isKnown && typeof leaf.value === 'string' ? leaf.value : ''
    const isProperty = declared?.some((property) => property.name === name) ?? false
    const column = isProperty ? null : columnOf(scope, name)
    texts.push(
      column !== null ? sql`${columnSql(scope, column)}::text` : propertyOf(scope, leaf, build, 'filter').sql('whole'),
    )
  }
  for (const { name } of itemsOf(fields['properties'])) {
    const leaf = leafOf(name)
    if (leaf !== null) texts.push(propertyOf(scope, leaf, build, 'filter').sql('whole'))
  }
  return sql`concat_ws(' ', ${join(texts.length > 0 ? texts : allTextProperties(scope, build))})`
}

const SEARCHED: ReadonlySet<string> = new Set(['string', 'binary', 'array', 'address'])

function allTextProperties(scope: RowScope, build: Build): readonly Sql[] {
  const column = sql`${scope.alias}.properties`
  const declared = declaredProperties(scope, build)
  if (declared === null) return [sql`jsonb_path_query_array(${column}, '$.* ? (@.type() == "string")')::text`]
  const searchedNames = declared.filter(({ type, column: own }) => SEARCHED.has(type) && own !== true)
  return searchedNames.length === 0
    ? [sql`''`]
    : searchedNames.map(({ name }) => propertySql(column, build.nameLiteral(name), 'whole'))
}
