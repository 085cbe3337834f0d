/** Collects the files of the site that GraphQL documents refer to by name: templates of notifications, forms, and channels. */
import { type FieldNode, type ValueNode, Kind, parse, visit } from 'graphql'
import type { Memo } from '../../../core/model/memo.ts'
import type { Operation, Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'
import { channelsOf, type SentNames } from '../walk/notification-types.ts'

type NotificationChannel = 'email' | 'sms' | 'api_call'

/** A name in a document, with its place. */
interface ReferencedName {
  readonly kind: NotificationChannel | 'form' | 'channel'
  readonly name: string
  readonly span: Span
}

const CHANNEL_OF_FIELD: Readonly<Record<string, NotificationChannel>> = {
  email_send: 'email',
  sms_send: 'sms',
  api_call_send: 'api_call',
}

/**
 * Returns the paths of the templates that read the variables of an operation: those of the notifications that it sends. Null if it does
 * anything else, because others may then read the values.
 */
export function receiversOf(operation: Operation, site: Site, memo: Memo): readonly string[] | null {
  const fields = operation.analysis.schemaResult?.fields ?? []
  if (fields.length === 0 || !fields.every(({ name }) => Object.hasOwn(CHANNEL_OF_FIELD, name))) return null
  const { namedEntries } = namesOf(operation, memo)
  const channels = channelsOf(site)
  const paths = namedEntries.flatMap(
    ({ kind, name }) => channels.find(({ channel }) => channel === kind)?.units.get(name)?.file.path ?? [],
  )
  // Each field must name its template, and each template must exist.
  return paths.length === fields.length ? paths : null
}

/** Returns the names of the notifications that mutations send, by channel; null for a channel with a computed name. */
export function sentByQueries(operations: Operations, memo: Memo): SentNames {
  const sent = new Map<NotificationChannel, Set<string> | null>()
  for (const operation of [...operations.storedOperations.values(), ...operations.inline.values()]) {
    const referenced = namesOf(operation, memo)
    for (const channel of referenced.computed) sent.set(channel, null)
    for (const { kind, name } of referenced.namedEntries) {
      if (kind === 'form' || kind === 'channel') continue
      const names = sent.get(kind)
      if (names !== null) sent.set(kind, (names ?? new Set<string>()).add(name))
    }
  }
  return sent
}

/** Returns the names of notifications, forms and channels in the queries of a site. */
export function namesInQueries({ storedOperations, inline }: Operations, memo: Memo): readonly ReferencedName[] {
  return [...storedOperations.values(), ...inline.values()].flatMap(
    (operation) => namesOf(operation, memo).namedEntries,
  )
}

interface ReferencedNames {
  readonly namedEntries: readonly ReferencedName[]
  readonly computed: readonly NotificationChannel[]
}

const NONE: ReferencedNames = { namedEntries: [], computed: [] }

function namesOf(operation: Operation, memo: Memo): ReferencedNames {
  const { document, span, analysis } = operation
  if (!/_send\b|form_name|channel_name/.test(document) || analysis.problems.some(({ code }) => code === 'syntax'))
    return NONE
  return memo.once('query names', `${span.file}:${span.start}`, [operation], () => readNames(document, span))
}

function readNames(document: string, { file, start }: Span): ReferencedNames {
  const namedEntries: ReferencedName[] = []
  const computed: NotificationChannel[] = []
  const add = (kind: ReferencedName['kind'], value: ValueNode | undefined): void => {
    if (value?.kind === Kind.STRING && value.loc !== undefined) {
      const span = { file, start: start + value.loc.start, end: start + value.loc.end }
      namedEntries.push({ kind, name: value.value, span })
    } else if (value !== undefined && value.kind !== Kind.NULL && kind !== 'form' && kind !== 'channel')
      computed.push(kind)
  }
  const argumentValue = (node: FieldNode, name: string) =>
    node.arguments?.find((each) => each.name.value === name)?.value
  visit(parse(document), {
    Field(node) {
      const channel = Object.hasOwn(CHANNEL_OF_FIELD, node.name.value) ? CHANNEL_OF_FIELD[node.name.value] : undefined
      if (channel !== undefined) {
        const template = argumentValue(node, 'template')
        if (template?.kind === Kind.OBJECT) {
          add(channel, template.fields.find(({ name }) => name.value === 'name')?.value)
        } else add(channel, template?.kind === Kind.STRING ? undefined : template)
      }
      add('form', argumentValue(node, 'form_name'))
      add('channel', argumentValue(node, 'channel_name'))
    },
  })
  return { namedEntries, computed }
}
