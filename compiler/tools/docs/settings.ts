/** The settings of the reference: the keys of every kind of file, from the schemas that the compiler parses them with. */
import { fieldDocs } from '../../language/settings/form-fields.ts'
import { KINDS } from '../../language/settings/index.ts'
import {
  OWN_COLUMNS,
  PROPERTY_TYPES,
  propertyItemKeys,
  RESERVED_PROPERTIES,
} from '../../language/settings/properties.ts'
import type { ReferencePage } from '../../language/settings/setting.ts'
import { type KeyDocs, keyDocs } from '../../language/settings/key-docs.ts'
import { locationOf } from '../../core/source/kinds.ts'
import type { Block, Entry, Link, Row } from './entry.ts'
import { firstSentence, makeEntry, paragraph, table } from './page.ts'
import { parseExamples } from './parse-page.ts'
import examples from './settings/examples.md'
import { validationRows } from './validations.ts'

type DeclaredKind = {
  [Kind in keyof typeof KINDS]: (typeof KINDS)[Kind] extends { readonly kind: unknown } ? Kind : never
}[keyof typeof KINDS]

/** Kinds of files in the order in which a new site usually adds them. */
const KIND_ORDER: readonly DeclaredKind[] = [
  'page',
  'layout',
  'partial',
  'authorization_policy',
  'form',
  'email',
  'sms',
  'api_call',
  'table',
  'user_schema',
  'user_profile_schema',
  'config',
]

/** Returns one entry for each kind of file with settings, and for settings that several kinds share. */
export function settingEntries(): readonly Entry[] {
  const entries = KIND_ORDER.map(kindEntry)
  const after = (kind: DeclaredKind) => KIND_ORDER.indexOf(kind) + 1
  return [
    ...entries.slice(0, after('form')),
    fieldsEntry(),
    ...entries.slice(after('form'), after('api_call')),
    migrationEntry(),
    ...entries.slice(after('api_call'), after('user_profile_schema')),
    propertiesEntry(),
    ...entries.slice(after('user_profile_schema')),
  ]
}

/** Returns the example of a page. */
const exampleOf = parseExamples('settings', examples)

function pathOf(topic: ReferencePage): string {
  return `settings/${topic}.html`
}

function kindEntry(kind: DeclaredKind): Entry {
  const { noun, description, keys } = KINDS[kind].kind
  const words = keyDocs(keys)
  const current = words.filter(({ instead, ignored }) => instead === null && ignored === null)
  const older = words.filter(({ instead }) => instead !== null)
  const withoutEffect = words.filter(({ ignored }) => ignored !== null)
  return makeEntry({
    section: 'settings',
    name: noun,
    path: pathOf(kind),
    summary: firstSentence(description),
    badges: kind === 'user_profile_schema' ? [{ text: 'deprecated', tone: 'warn' }] : [],
    blocks: [
      ...locationBlocks(kind),
      paragraph(description),
      table('Keys', current.map(rowOf)),
      { kind: 'links', links: [diagnostic('unknown-setting')] },
      table('Older names', older.map(rowOf)),
      table('Accepted without effect', withoutEffect.map(rowOf)),
      exampleOf(kind),
    ],
    also: words.map((key) => ({ name: `${noun}.${key.name}`, summary: key.description, id: key.name })),
  })
}

function rowOf({ name, takes, description, otherwise, required, ignored, see }: KeyDocs): Row {
  return {
    name,
    type: takes,
    description: [
      description,
      ...(required ? ['Required.'] : []),
      ...(otherwise === null || ignored !== null ? [] : [`Without it: ${otherwise}.`]),
      ...(ignored === 'told' ? ['The compiler reports that it has no effect.'] : []),
      ...(ignored === 'silent' ? ['Accepted silently, without effect.'] : []),
    ].join(' '),
    id: name,
    ...(see === null ? {} : { href: pathOf(see) }),
  }
}

/** Returns the link for a key that is not allowed. */
function diagnostic(code: 'unknown-setting' | 'setting-refused'): Link {
  return { htmlBefore: 'Any other key is reported:', name: code, href: `diagnostics/${code}.html` }
}

function locationBlocks(kind: DeclaredKind | 'migration'): readonly Block[] {
  const { paths, extension } = locationOf(kind)
  const [first = '', ...older] = paths.map((path) => `\`${path}\``)
  const ending = extension === null ? '' : `, in files that end in \`${extension}\``
  if (older.length === 0 && first.endsWith('.yml`')) return []
  const also = older.length === 0 ? '' : ` Also in ${older.join(' and ')}.`
  return [paragraph(`In ${first}${ending}; a module has the same folders.${also}`)]
}

function migrationEntry(): Entry {
  const description =
    'A template that runs once in each database, before the site serves its new files. Its name begins with the UTC time that determines its order, `YYYYMMDDhhmmss`; settings in it are ignored.'
  return makeEntry({
    section: 'settings',
    name: 'migration',
    path: pathOf('migration'),
    summary: firstSentence(description),
    blocks: [...locationBlocks('migration'), paragraph(description), exampleOf('migration')],
  })
}

function fieldsEntry(): Entry {
  const { groups, keys, options } = fieldDocs()
  const rows = (from: typeof groups): readonly Row[] =>
    from.map(({ name, aliases, takes, description }) => ({
      name,
      type: takes,
      description:
        aliases.length === 0
          ? description
          : `${description} Also ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`,
      id: name,
    }))
  const description =
    'The fields that a form accepts: names of attributes of its resource, each with an empty value or a mapping, and groups of further fields.'
  return makeEntry({
    section: 'settings',
    name: 'fields',
    path: pathOf('fields'),
    summary: description,
    links: [{ htmlBefore: 'A key of a', name: 'form', href: pathOf('form') }],
    blocks: [
      paragraph(description),
      table('Groups of fields', rows(groups)),
      table('Keys of a field', rows(keys)),
      table('property_options', rows(options)),
      table('validation', validationRows()),
      exampleOf('fields'),
    ],
    also: [...groups, ...keys, ...options].map((each) => ({
      name: `fields.${each.name}`,
      summary: each.description,
      id: each.name,
    })),
  })
}

function propertiesEntry(): Entry {
  const words = keyDocs(propertyItemKeys)
  const types = Object.entries(PROPERTY_TYPES)
  const description =
    'The properties of records of a table, of users, or of their profiles: a list of mappings, one for each property.'
  return makeEntry({
    section: 'settings',
    name: 'properties',
    path: pathOf('properties'),
    summary: description,
    links: (['table', 'user_schema', 'user_profile_schema'] as const).map((kind) => ({
      htmlBefore: kind === 'user_schema' ? 'A key of the schema of the' : 'A key of a',
      name: KINDS[kind].kind.noun,
      href: pathOf(kind),
    })),
    blocks: [
      paragraph(description),
      table('Keys of a property', words.map(rowOf)),
      table(
        'Types',
        types.map(([name, { description, old }]) => ({
          name,
          type: '',
          description: old === true ? `For older sites. ${description}` : description,
          id: `type-${name}`,
        })),
      ),
      paragraph(
        `In a table, the names ${inCode(OWN_COLUMNS.keys())} refer to the columns that every record has: they are read, filtered, ` +
          `sorted and written there, and declared types are ignored. No property of users and their profiles can be named ` +
          `${inCode(RESERVED_PROPERTIES)}, and none of a table ${inCode(RESERVED_PROPERTIES.filter((name) => !OWN_COLUMNS.has(name)))}.`,
      ),
      exampleOf('properties'),
    ],
    also: [
      ...words.map((key) => ({ name: `properties.${key.name}`, summary: key.description, id: key.name })),
      ...types.map(([name, { description }]) => ({
        name: `properties.type: ${name}`,
        summary: description,
        id: `type-${name}`,
      })),
    ],
  })
}

function inCode(names: Iterable<string>): string {
  return [...names].map((name) => `\`${name}\``).join(', ')
}
