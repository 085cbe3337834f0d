/** `unread-fields`: fields that a query selects but no template reads. */
import { bookSite } from '../../../../core/diagnostics/book-site.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { Operation } from '../../../../core/model/operation.ts'
import type { OutgoingQuery, UnitFacts } from '../../walk/facts.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { SourceFile } from '../../../../core/source/file.ts'
import type { Type } from '../../../../core/model/type.ts'
import { derived } from '../../../../core/model/derived.ts'
import { operationsOf } from '../../site/actions.ts'
import { receiversOf } from '../../site/query-names.ts'
import { members } from '../../../../language/types/relate.ts'

export const unreadFields = message(
  'unread-fields',
  'info',
  'WS04',
  (paths: readonly string[]) => ({
    text: `No template reads ${joinWithAnd(paths)} of this query.`,
    hint: `Remove ${paths.length === 1 ? 'it' : 'them'}, so that the database loads less data.`,
  }),
  {
    wrong: bookSite({
      query:
        'query {\n  records(per_page: 20, filter: { table: { value: "book" } }) {\n    total_entries\n    results { title: property(name: "title") }\n  }\n}\n',
      page: `{% graphql g = 'books' %}{% for book in g.records.results %}{{ book.title }}{% endfor %}`,
    }),
    right: bookSite({
      query:
        'query {\n  records(per_page: 20, filter: { table: { value: "book" } }) {\n    total_entries\n    results { title: property(name: "title") }\n  }\n}\n',
      page: `{% graphql g = 'books' %}{{ g.records.total_entries }}{% for book in g.records.results %}{{ book.title }}{% endfor %}`,
    }),
  },
)

/** Matches code that reads a value as a whole or by a computed name, or that stores it for other templates. */
const WHOLE_READ =
  /\|\s*(?:json|to_json|to_csv|inspect|hash_(?:keys|values|merge|each|fetch|to_array|diff)|querify|to_querify|compact|deep_clone|array_\w+|map|pretty_json|as_json|type_of)\b|\bargs:|\b(?:hash_)?dig\s*:\s*[^'"\s]|\b(?:hash_)?dig\s*:[^|%\n]*,\s*[^'"\s]|\binclude_form\s+\S+\s*,[^%\n]*:\s*[A-Za-z_]\w*(?![\w.[])|\{%-?\s*(?:export|session|log|print|background|theme_render_rc|redirect_to)\b|^\s*(?:export|session|log|print|background|theme_render_rc)\s|\[\s*[a-z_][\w.]*\s*\]/m

/** Matches a value that is printed as it is. */
const PRINTED_VALUE = /\{\{-?\s*([\w.]+)\s*-?\}\}/g
/** Matches a variable that holds a whole result. */
const RESULT_VARIABLE = /\b(?:graphql|function)\s+(\w+)\b|\bfor\s+\w+\s+in\s+(\w+)\b(?![.[])/g

/** Matches a value that gets another name: `assign item = found.item`, `for item in found.items`, `item: found.item`. */
const RENAMED_VALUE = /(\w+)['"]?\s*(?:=|:|\bin\b)\s*(?:(?:\w+\.)*(\w+)|\{([^%\n]*)\})/g

const READ_NAME = /\.\s*([A-Za-z_]\w*)|['"]([^'"\n]{1,80})['"]/g

/** Fields that the language adds to every result. */
const RESULT_FIELDS: ReadonlySet<string> = new Set(['errors', '__typename'])

/**
 * Reports fields that a query selects and no template can read. The result is followed through calls and into mails. Every name in a file
 * that the result may reach counts as read.
 */
export function checkUnreadFields({
  site,
  operations,
  siteTemplates,
  memo,
  factsOf,
}: CheckedSite): readonly Diagnostic[] {
  const flow = flowOf(siteTemplates, factsOf, (query) => {
    const [operation, ...others] = operationsOf({ operations }, query)
    return operation === undefined || others.length > 0 ? null : receiversOf(operation, site, memo)
  })
  const namesIn = (path: string): FileNames | null => {
    const unit = site.byFile.get(path)
    return unit === undefined ? NO_NAMES : namesInFile(unit.file)
  }
  const unreadOf = (operation: Operation, runners: ReadonlySet<string>): readonly Diagnostic[] => {
    const file = site.byFile.get(operation.span.file)?.file
    if (file === undefined || file.module !== null) return []
    if (operation.analysis.kind !== 'query' || operation.analysis.problems.length > 0) return []
    const files: FileNames[] = []
    for (const each of flow.reachedFrom(runners) ?? [null]) {
      const own = each === null ? null : namesIn(each)
      if (own === null) return []
      files.push(own)
    }
    const printed = printedIn(files)
    // The names of the files are not joined, because most files have many more names than a query has fields.
    const isRead = (key: string) => files.some(({ readNames }) => readNames.has(key))
    const unread = unreadIn(operation.result, { isRead, isPrinted: (key) => printed.has(key) }, '')
    const [first] = unread
    return first === undefined ? [] : [unreadFields(spanOfField(operation, first), unread)]
  }
  const diagnostics: Diagnostic[] = []
  for (const [name, operation] of operations.storedOperations) {
    const runners = flow.runners.get(name)
    if (runners !== undefined && !flow.uncertain.has(name)) diagnostics.push(...unreadOf(operation, runners))
  }
  for (const operation of operations.inline.values())
    diagnostics.push(...unreadOf(operation, new Set([operation.span.file])))
  return diagnostics
}

interface FileNames {
  /** The names under which the file reads parts of values. */
  readonly readNames: ReadonlySet<string>
  /** The names of values that the file prints as they are. */
  readonly printedNames: ReadonlySet<string>
  /** New names of values, each with the name of the value. */
  readonly renamedValues: readonly (readonly [string, string])[]
}

const NO_NAMES: FileNames = { readNames: new Set(), printedNames: new Set(), renamedValues: [] }

/** How the files that a result reaches read a field. */
interface FieldReads {
  readonly isRead: (name: string) => boolean
  /** Whether the value is printed as it is. */
  readonly isPrinted: (name: string) => boolean
}

/** Returns the names of values that some of the files print. A value counts as printed if it is printed under a new name. */
function printedIn(files: readonly FileNames[]): ReadonlySet<string> {
  const printed = new Set(files.flatMap(({ printedNames }) => [...printedNames]))
  let count: number
  do {
    count = printed.size
    for (const { renamedValues } of files)
      for (const [name, value] of renamedValues) if (printed.has(name)) printed.add(value)
  } while (printed.size > count)
  return printed
}

/** Returns the names of a file; null if it may read any part of a value. */
const namesInFile = derived(({ text }: SourceFile): FileNames | null => {
  if (WHOLE_READ.test(text)) return null
  const [readNames, printedNames] = [new Set<string>(), new Set<string>()]
  const results = new Set([...text.matchAll(RESULT_VARIABLE)].map(([, result, list]) => result ?? list))
  for (const [, whole = ''] of text.matchAll(PRINTED_VALUE)) {
    if (!whole.includes('.') && results.has(whole)) return null
    printedNames.add(whole.slice(whole.lastIndexOf('.') + 1))
  }
  for (const [, key, quoted] of text.matchAll(READ_NAME))
    for (const word of (key ?? quoted ?? '').match(/\w+/g) ?? []) readNames.add(word)
  const renamedValues = [...text.matchAll(RENAMED_VALUE)].flatMap(([, name = '', value, hash]) =>
    (value === undefined ? (hash?.match(/\w+/g) ?? []) : [value]).map((each) => [name, each] as const),
  )
  return { readNames, printedNames, renamedValues }
})

/** Returns the paths of the outermost fields whose names are not read. */
function unreadIn(type: Type, reads: FieldReads, path: string): readonly string[] {
  return members(type).flatMap((member) => {
    if (member.kind === 'list') return unreadIn(member.element, reads, path)
    // A field that comes from a table's schema was not selected.
    if (member.kind !== 'record' || member.origin?.source === 'table') return []
    return [...member.fields].flatMap(([key, field]) => {
      if (RESULT_FIELDS.has(key)) return []
      const whole = path === '' ? key : `${path}.${key}`
      // A value that is printed as it is counts as read with all of its fields.
      if (reads.isPrinted(key)) return []
      return reads.isRead(key) ? unreadIn(field, reads, whole) : [whole]
    })
  })
}

/** Returns the span of a selected field: its name or alias, after the fields around it. */
function spanOfField({ document, span }: Operation, path: string): Operation['span'] {
  let at = Math.max(0, document.indexOf('{'))
  let end = at
  for (const key of path.split('.')) {
    const match = new RegExp(`(?<![\\w$"])${key}(?!\\w|")`).exec(document.slice(end))
    if (match === null) break
    at = end + match.index
    end = at + key.length
  }
  return { ...span, start: span.start + at, end: span.start + end }
}

function addTo(sets: Map<string, Set<string> | null> | Map<string, Set<string>>, key: string, item: string): void {
  const known = sets.get(key)
  if (known == null) sets.set(key, new Set([item]))
  else known.add(item)
}

interface ResultFlow {
  /** The files that run each query, by the query's name. */
  readonly runners: ReadonlyMap<string, ReadonlySet<string>>
  /** Queries that a computed name may refer to. */
  readonly uncertain: ReadonlySet<string>
  /** Returns the files that a value in these files may reach; null if some are unknown. */
  reachedFrom(files: ReadonlySet<string>): ReadonlySet<string> | null
}

function flowOf(
  siteTemplates: readonly SiteTemplate[],
  factsOf: (key: string) => UnitFacts | undefined,
  receiversOfQuery: (query: OutgoingQuery) => readonly string[] | null,
): ResultFlow {
  const runners = new Map<string, Set<string>>()
  const uncertain = new Set<string>()
  const targetsByFile = new Map<string, Set<string> | null>()
  const callersByFile = new Map<string, Set<string>>()
  for (const { key, unit } of siteTemplates) {
    const { path } = unit.file
    const facts = factsOf(key)
    if (facts === undefined) continue
    const addTargets = (targets: readonly string[] | null): void => {
      if (targets === null) targetsByFile.set(path, null)
      else if (targetsByFile.get(path) !== null) for (const target of targets) addTo(targetsByFile, path, target)
    }
    for (const query of facts.queries) {
      const { names, open } = query
      for (const name of names) {
        addTo(runners, name, path)
        if (open || names.length > 1) uncertain.add(name)
      }
      if (query.takesRecords) addTargets(receiversOfQuery(query))
    }
    for (const { targets, open, kind } of facts.calls) {
      addTargets(open ? null : targets)
      if (kind === 'function' || kind === 'include')
        for (const target of targets ?? []) addTo(callersByFile, target, path)
    }
  }
  return { runners, uncertain, reachedFrom }

  function reachedFrom(files: ReadonlySet<string>): ReadonlySet<string> | null {
    const callers = new Set(files)
    for (const file of callers) for (const caller of callersByFile.get(file) ?? []) callers.add(caller)
    const foundNames = new Set(callers)
    for (const file of foundNames) {
      const targets = targetsByFile.get(file)
      if (targets === null) return null
      for (const target of targets ?? []) foundNames.add(target)
    }
    return foundNames
  }
}
