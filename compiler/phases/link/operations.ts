/** Analyses the operations of a site with the server's own planner, so that compiler and server agree. */
import {
  getNamedType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  parseType,
  typeFromAST,
} from 'graphql'
import { analyze, deriveIndexes, schema } from '../../../runtime/data/query/index.ts'
import { bareQueryNames } from '../../../runtime/data/query/bare-names.ts'
import type { Diagnostic, Report } from '../../core/diagnostics/diagnostic.ts'
import { mismatchSeverity } from '../../core/diagnostics/mismatch-severity.ts'
import { derived } from '../../core/model/derived.ts'
import { digest } from '../../core/model/digest.ts'
import { plain } from '../../core/model/codec.ts'
import { type Memo, NO_SOURCES } from '../../core/model/memo.ts'
import type { Steps } from '../../core/model/steps.ts'
import {
  type Analysis,
  inlineKey,
  type Operation,
  type Operations,
  type InputShape,
} from '../../core/model/operation.ts'
import type { Site } from '../../core/model/site.ts'
import { unitStamp } from '../../core/model/stamps.ts'
import type { Unit } from '../../core/model/unit.ts'
import { withOffsets } from '../../core/diagnostics/places-elsewhere.ts'
import { BRACE, markedSpan } from '../../core/source/mark.ts'
import { type Span, spanKey } from '../../core/source/span.ts'
import { type ResultDocument, resultType, type TableSpans } from '../../language/types/from-graphql.ts'
import { findDocuments } from './documents.ts'
import { dataStamp, operationStamp } from '../../language/types/operation-stamp.ts'
import { spanInFile, problemDiagnostics, type WritableProperties } from './query-problems.ts'
import { uniqueIndexNeeds } from './unique-indexes.ts'

/**
 * Analyses stored queries and those written in templates, except queries that contain Liquid, and reports their problems, with a step for
 * each query and file. `memo` keeps each analysis while its document and the site's tables do not change.
 * @param others operations of other files, if `site` has only some of its files: what they write is not a mistake where it is read
 */
export function* linkOperationSteps(
  site: Site,
  report: Report,
  memo: Memo,
  others: readonly Operation[] = [],
): Steps<Operations> {
  const { data } = site
  const tablesNow = tableSpans(site)
  const tableKey = [...tablesNow].map(([name, span]) => `${name} ${spanKey(span)}`).join('\n')
  const tables = memo.once('table places', '', [tableKey], () => tablesNow)
  const textOf = (file: string) => site.byFile.get(file)?.file.text
  const mismatch = mismatchSeverity(site)
  // A single value becomes a list with one item, which is only a warning unless the configuration sets a severity for mismatches.
  const singleValue = site.config.argumentMismatchWritten ? mismatch : 'warning'
  const moduleNames = [...site.modules].sort().join(' ')
  const unreadable = new Set(
    report.diagnostics
      .filter(({ code }) => code === 'yaml-syntax' || code === 'unreadable-file')
      .map(({ span }) => span.file),
  )
  const all: (readonly [key: string, operation: Operation])[] = []
  /** The analyses by document text, because modules and copied files contain the same queries. */
  const analyses = new Map<string, Analysis>()
  const requireTable = site.config.requireTableForRecordDeleteMutation
  const analysisOf = (document: string): Analysis => {
    let analysis = analyses.get(document)
    if (analysis === undefined) analyses.set(document, (analysis = analyze(document, data, requireTable)))
    return analysis
  }
  const operationFor = (name: string | null, document: string, span: Span): Operation => {
    const key = name ?? inlineKey(span)
    const analysis = memo.query({
      name: 'analyse',
      key,
      inputs: () => [digest(document), dataStamp(data), requireTable],
      sources: NO_SOURCES,
      codec: plain<Analysis>,
      make: () => analysisOf(document),
    })
    const fileText = textOf(span.file) ?? document
    const place = spanKey(markedSpan(span, fileText, BRACE))
    const operation = memo.once('operation', key, [analysis, tables, span.file, span.start, place], () =>
      toOperation(name, document, { span, fileText }, analysis, tables),
    )
    all.push([key, operation])
    return operation
  }
  const storedOperations = new Map<string, Operation>()
  for (const [name, { file }] of site.graphql) {
    storedOperations.set(name, operationFor(name, file.text, { file: file.path, start: 0, end: file.text.length }))
    yield
  }
  const inline = new Map<string, Operation>()
  for (const unit of site.units) {
    const documents = memo.query({
      name: 'documents',
      key: unit.file.path,
      inputs: () => [unitStamp(unit, site.config)],
      sources: NO_SOURCES,
      codec: plain<ReturnType<typeof findDocuments>>,
      make: () => findDocuments(unit),
    })
    for (const { document, span: bodySpan } of documents) {
      const span = spanOfDocument(site, document, bodySpan)
      if (span !== null) inline.set(inlineKey(bodySpan), operationFor(null, document, span))
    }
    yield
  }
  const operations = all.map(([, operation]) => operation)
  const writable = findWritableProperties([...operations, ...others])
  const sortedWritable = writable === null ? null : [...writable].toSorted().join('\n')
  for (const [key, operation] of all) {
    const { document } = operation
    const problems = memo.query({
      name: 'query problems',
      key,
      inputs: () => [
        ...[operationStamp(operation, data), digest(tableKey), requireTable],
        ...[mismatch, singleValue, moduleNames, sortedWritable],
      ],
      sources: NO_SOURCES,
      codec: plain<readonly Diagnostic[]>,
      make: () => {
        const { modules } = site
        const context = { document, schema: schema(), data }
        return problemDiagnostics(operation, context, { tables, modules, writable, mismatch, singleValue })
      },
    })
    yield
    for (const problem of problems) {
      // Properties of a table whose file cannot be read are not reported as missing.
      const followsFromFile =
        problem.code === 'unknown-table-property' && problem.related.some(({ span }) => unreadable.has(span.file))
      if (!followsFromFile) report.add(withOffsets(problem, textOf))
    }
  }
  // The same object as long as nothing changes, so that what depends on it is kept.
  const inputs = [data, ...all.flat(), ...inline.keys(), ...site.formSchemas.values()]
  return memo.once('operations', '', inputs, () => ({
    storedOperations,
    bareNames: bareQueryNames(storedOperations.keys()),
    inline,
    indexes: indexesOf(operations, site),
    data,
  }))
}

/** Returns the undeclared properties that the operations can write. */
function findWritableProperties(operations: readonly Operation[]): WritableProperties {
  const names = new Set<string>()
  for (const { analysis } of operations) {
    if (analysis.undeclaredWrites === null) return null
    for (const name of analysis.undeclaredWrites) names.add(name)
  }
  return names
}

function toOperation(
  name: string | null,
  document: string,
  place: ResultDocument,
  analysis: Analysis,
  tables: TableSpans,
): Operation {
  const { span } = place
  const variables = analysis.variables.map(({ name, type, required, range }) => ({
    name,
    type,
    required,
    span: spanInFile(span, range),
    get shape() {
      return inputShape(schema(), type)
    },
  }))
  return { name, span, document, analysis, variables, result: resultType(analysis.result, place, tables) }
}

/** Returns the files that declare tables, users and profiles. */
export function tableUnits(site: Pick<Site, 'units'>): readonly Unit[] {
  return site.units.filter(
    ({ file: { kind } }) => kind === 'table' || kind === 'user_schema' || kind === 'user_profile_schema',
  )
}

/** Returns the place of each table's list of properties, or of its name if it has none. */
function tableSpans(site: Site): TableSpans {
  const spans = new Map<string, Span>()
  for (const unit of tableUnits(site)) {
    const { settings, file } = unit
    if (settings.kind !== 'table' || spans.has(settings.name)) continue
    const firstSpan = settings.properties[0]?.span
    const last = settings.properties.at(-1)?.span
    const span = firstSpan === undefined || last === undefined ? settings.nameSpan : { ...firstSpan, end: last.end }
    spans.set(settings.name, markedSpan(span, file.text))
  }
  return spans
}

/** Returns the span of a document in its tag's body, which white-space control may have trimmed. */
function spanOfDocument(site: Site, document: string, span: Span): Span | null {
  const text = site.byFile.get(span.file)?.file.text.slice(span.start, span.end) ?? ''
  const at = text.indexOf(document)
  return at < 0 ? null : { file: span.file, start: span.start + at, end: span.start + at + document.length }
}

function indexesOf(operations: readonly Operation[], { formSchemas }: Site): Operations['indexes'] {
  const specs = new Map<string, Operations['indexes'][number]>()
  for (const { analysis } of operations) for (const spec of analysis.indexes) specs.set(JSON.stringify(spec), spec)
  for (const spec of uniqueIndexes(formSchemas)) specs.set(JSON.stringify(spec), spec)
  return [...specs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, spec]) => spec)
}

const uniqueIndexes = derived((forms: Site['formSchemas']) => deriveIndexes(uniqueIndexNeeds(forms.values())))

/**
 * Returns the shape of a type as written in a document, such as `[String!]`. An unknown type accepts anything, because it is reported
 * elsewhere.
 */
function inputShape(schema: GraphQLSchema, typeText: string): InputShape {
  const type = typeFromAST(schema, parseType(typeText))
  return isInputType(type) ? shapeOf(type) : ANY
}

const ANY: InputShape = { kind: 'any' }

const SCALARS: Readonly<Record<string, InputShape>> = {
  String: { kind: 'text' },
  Int: { kind: 'integer' },
  Float: { kind: 'float' },
  Boolean: { kind: 'boolean' },
  ID: { kind: 'id' },
}

function shapeOf(type: GraphQLInputType): InputShape {
  if (isNonNullType(type)) return shapeOf(type.ofType)
  if (isListType(type)) return { kind: 'list', element: shapeOf(type.ofType) }
  if (isEnumType(type)) return { kind: 'enum', values: type.getValues().map(({ name }) => name) }
  if (isInputObjectType(type)) {
    return {
      kind: 'object',
      fields: () => new Map(Object.values(type.getFields()).map((field) => [field.name, shapeOf(field.type)])),
    }
  }
  return SCALARS[getNamedType(type).name] ?? ANY
}
