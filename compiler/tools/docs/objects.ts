/**
 * The objects of the reference: their fields from the checker's types, and their descriptions, other fields and examples from
 * `objects.json`. The tests run the examples.
 */
import * as z from 'zod'
import type { Example } from '../../core/model/reference.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import { LOOP, TABLE_LOOP } from '../../language/types/loops.ts'
import descriptions from '../../language/types/context.json' with { type: 'json' }
import { absentKinds, CONTEXT_FIELDS, SECRET_FIELDS } from '../../language/types/context.ts'
import { describe } from '../../language/types/relate.ts'
import type { Entry, Row } from './entry.ts'
import objects from './objects.json' with { type: 'json' }
import { firstSentence, makeEntry, paragraph, table } from './page.ts'
import { exampleBlock } from './tags.ts'

const text = z.string()

const texts = z.strictObject({
  /** Descriptions of the fields of loops, by name. */
  loopFields: z.record(text, text),
  objects: z.array(
    z.strictObject({
      name: text,
      /** What the object is, and where it exists. */
      description: text,
      /** The fields that have no type in the compiler. */
      fields: z.array(z.strictObject({ name: text, type: text, description: text })).default([]),
      examples: z
        .array(
          z.strictObject({
            description: text.exactOptional(),
            template: text,
            files: z.record(text, text).exactOptional(),
            url: text.exactOptional(),
            prints: text,
          }),
        )
        .default([]),
    }),
  ),
})

const TEXTS = texts.parse(objects)

interface DocumentedObject {
  readonly name: string
  /** What the object is, and where it exists. */
  readonly description: string
  readonly fields: readonly Row[]
  readonly examples: readonly Example[]
}

/** Returns every object that templates can read, by name. @internal Exported for tests. */
export function documentedObjects(): readonly DocumentedObject[] {
  return TEXTS.objects.map((object) => ({ ...object, fields: [...typedRows(object.name), ...object.fields] }))
}

/** Returns the rows of the fields whose types the compiler knows. */
function typedRows(name: string): readonly Row[] {
  if (name === 'context') return contextRows()
  if (name === 'forloop') return loopRows(LOOP)
  return name === 'tablerowloop' ? loopRows(TABLE_LOOP) : []
}

function loopRows(type: Type): readonly Row[] {
  if (type.kind !== 'record') return []
  return [...type.fields].map(([name, element]) => ({
    name,
    type: describe(element),
    description: TEXTS.loopFields[name] ?? '',
  }))
}

function contextRows(): readonly Row[] {
  return Object.entries(descriptions).flatMap(([name, description]) => {
    const type = CONTEXT_FIELDS[name] ?? UNKNOWN
    const secret = SECRET_FIELDS.has(name) ? ['It is omitted when the whole `context` is printed.'] : []
    return [
      {
        name,
        type: describe(type),
        description: [description, ...secret, ...describeAbsence(name)].join(' '),
        id: name,
      },
      ...nestedRows(name, type),
    ]
  })
}

/** Describes where a field does not exist. */
function describeAbsence(field: string): readonly string[] {
  const absent = absentKinds(field)
  const words = PLACE_NAMES.filter(([where]) => absent.includes(where)).map(([, word]) => word)
  return words.length === 0 ? [] : [`Not in ${words.join(', ').replace(/, (?=[^,]*$)/, ' and ')}.`]
}

const PLACE_NAMES = [
  ['job', 'jobs'],
  ['notification', 'mails'],
  ['migration', 'migrations'],
] as const

/** Returns a row for each nested field of a known shape. */
function nestedRows(path: string, type: Type): readonly Row[] {
  const shapes = type.kind === 'union' ? type.members : [type]
  const nestedFields = shapes.flatMap((each): readonly (readonly [string, Type])[] => {
    if (each.kind === 'record') return [...each.fields].map(([name, element]) => [`${path}.${name}`, element])
    return each.kind === 'hash' && each.element.kind === 'record' ? [[`${path}.NAME`, each.element]] : []
  })
  return nestedFields.flatMap(([name, element]) => [
    { name, type: describe(element), description: '' },
    ...nestedRows(name, element),
  ])
}

export function objectEntries(): readonly Entry[] {
  return documentedObjects().map(({ name, description, fields, examples }): Entry => {
    return makeEntry({
      section: 'objects',
      name,
      path: `objects/${name}.html`,
      summary: firstSentence(description),
      links:
        name === 'form_builder' ? [{ htmlBefore: 'Another name of', name: 'form', href: 'objects/form.html' }] : [],
      blocks: [
        paragraph(description),
        ...(fields.length === 0 ? [] : [table('Fields', fields)]),
        ...examples.map(exampleBlock),
      ],
      also: fields.flatMap((field) =>
        field.id === undefined
          ? []
          : [{ name: `${name}.${field.name}`, summary: firstSentence(field.description), id: field.id }],
      ),
    })
  })
}
