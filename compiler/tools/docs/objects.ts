/** The objects of the reference: their fields from the checker's types, their descriptions, and examples that the tests run. */
import type { Example } from '../../core/model/reference.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import { LOOP, TABLE_LOOP } from '../../language/types/loops.ts'
import descriptions from '../../language/types/context.json' with { type: 'json' }
import { absentKinds, CONTEXT_FIELDS, SECRET_FIELDS } from '../../language/types/context.ts'
import { describe } from '../../language/types/relate.ts'
import type { Entry, Row } from './entry.ts'
import { firstSentence, makeEntry, paragraph, rowsOf, table } from './page.ts'
import { exampleBlock } from './tags.ts'

interface DocumentedObject {
  readonly name: string
  /** What the object is, and where it exists. */
  readonly description: string
  readonly fields: readonly Row[]
  readonly examples: readonly Example[]
}

const FORM_SITE = {
  'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: title\n',
}

function formFile(body: string): string {
  return `---\nname: dish\nresource: dish\nfields:\n  properties:\n    title:\n      validation: { presence: true }\n---\n${body}`
}

const LOOP_FIELD_TEXTS: Readonly<Record<string, string>> = {
  index: 'Position, from 1.',
  index0: 'Position, from 0.',
  rindex: 'The number of remaining iterations, including this one.',
  rindex0: 'The number of remaining iterations, excluding this one.',
  first: 'Whether this is the first iteration.',
  last: 'Whether this is the last iteration.',
  length: 'The number of iterations, after `limit` and `offset`.',
  name: 'Variable and list, as `tea-teas`.',
  parentloop: 'The `forloop` of the enclosing loop, or nil.',
  col: 'Column, from 1.',
  col0: 'Column, from 0.',
  col_first: 'Whether this is the first column of its row.',
  col_last: 'Whether this is the last column of its row.',
  row: 'Row, from 1.',
}

function loopRows(type: Type): readonly Row[] {
  if (type.kind !== 'record') return []
  return [...type.fields].map(([name, element]) => ({
    name,
    type: describe(element),
    description: LOOP_FIELD_TEXTS[name] ?? '',
  }))
}

const FORM_FIELDS = rowsOf([
  ['form.name', 'text', 'Name of the form configuration.'],
  ['form.resource', 'text', 'The resource that the form creates or changes.'],
  ['form.resource_owner', 'text', 'Who may.'],
  ['form.action', 'text', 'The URL that the form is sent to.'],
  ['form.id', 'text or nil', 'Id of the resource; nil for a new one.'],
  ['form.fields.PATH.name', 'text', 'Name of the input: `form[properties_attributes][title]`.'],
  ['form.fields.PATH.value', 'value', 'The submitted value, otherwise the stored value.'],
  ['form.fields.PATH.validation', 'hash', 'The `rules` of the field and their results: `errors`, `messages`.'],
  ['form.fields.PATH.property_options', 'hash', "The field's settings in the form configuration."],
  ['form.errors', 'hash', 'Errors by path (`properties.title`) and nested; `base` for the whole form.'],
  ['form.system_fields', 'hash', 'The hidden inputs that the `form` tag prints.'],
  ['form.changes', 'hash', 'Values that differ from the stored ones.'],
  ['form.metadata', 'value', 'Metadata of the form configuration.'],
  ['form.PATH', 'value', 'The values themselves: `form.email`, `form.properties.title`.'],
])

function contextObject(): DocumentedObject {
  return {
    name: 'context',
    description:
      'Information about the request, in every file. It is read-only: copy values to change them. Missing keys are nil. Printing it omits secrets.',
    fields: Object.entries(descriptions).flatMap(([name, description]) => [
      {
        name,
        type: describe(CONTEXT_FIELDS[name] ?? UNKNOWN),
        description: [
          description,
          ...(SECRET_FIELDS.has(name) ? ['It is omitted when the whole `context` is printed.'] : []),
          ...describeAbsence(name),
        ].join(' '),
        id: name,
      },
      ...nestedRows(name, CONTEXT_FIELDS[name] ?? UNKNOWN),
    ]),
    examples: [
      {
        description: 'The parameters of a route.',
        template:
          "---\nslug: dishes/:id\n---\nDish {{ context.params.id }}, {{ context.params.size | default: 'large' }}",
        url: '/dishes/7?size=small',
        prints: 'Dish 7, small',
      },
      {
        template:
          '---\nmetadata:\n  title: Our shop\n---\n{{ context.page.metadata.title }} at {{ context.location.pathname }}',
        prints: 'Our shop at /',
      },
      {
        description: 'Nobody is signed in.',
        template:
          '{% if context.current_user %}Hello {{ context.current_user.first_name }}{% else %}Sign in{% endif %}',
        prints: 'Sign in',
      },
    ],
  }
}

const FORLOOP: DocumentedObject = {
  name: 'forloop',
  description: 'The state of the innermost `for` loop, or of a `render` over a list.',
  fields: loopRows(LOOP),
  examples: [
    {
      template:
        "{% assign teas = 'green,black,white' | split: ',' %}{% for tea in teas %}{{ tea }}{% unless forloop.last %}, {% endunless %}{% endfor %}",
      prints: 'green, black, white',
    },
    {
      template:
        '{% for row in (1..2) %}{% for i in (1..2) %}{{ forloop.parentloop.index }}.{{ forloop.index }} {% endfor %}{% endfor %}',
      prints: '1.1 1.2 2.1 2.2',
    },
  ],
}

const TABLEROWLOOP: DocumentedObject = {
  name: 'tablerowloop',
  description: 'The state of the innermost `tablerow`.',
  fields: loopRows(TABLE_LOOP),
  examples: [
    {
      template: '{% tablerow i in (1..3) cols: 2 %}{{ tablerowloop.row }}/{{ tablerowloop.col }}{% endtablerow %}',
      prints:
        '<tr class="row1">\n<td class="col1">1/1</td><td class="col2">1/2</td></tr>\n<tr class="row2"><td class="col1">2/1</td></tr>',
    },
  ],
}

const FORM: DocumentedObject = {
  name: 'form',
  description:
    'In a form configuration: the form that is shown or was submitted, with its fields, their values, and their errors. Mails, calls and jobs that the form triggers can also read it. `form_builder` is the same object.',
  fields: FORM_FIELDS,
  examples: [
    {
      template: "{% include_form 'dish' %}",
      files: {
        'app/forms/dish.liquid': formFile(
          '{% form %}<input name="{{ form.fields.properties.title.name }}" value="{{ form.fields.properties.title.value }}">{{ form.errors[\'properties.title\'] }}{% endform %}',
        ),
        ...FORM_SITE,
      },
      prints: '<form…<input name="form[properties_attributes][title]" value=""></form>',
    },
  ],
}

const FORM_BUILDER: DocumentedObject = {
  name: 'form_builder',
  description:
    'Another name of `form`, for older form configurations. When it is printed, the result is the inputs of all fields.',
  fields: [],
  examples: [
    {
      template: "{% include_form 'dish' %}",
      files: { 'app/forms/dish.liquid': formFile('{% form %}{{ form_builder.name }}{% endform %}'), ...FORM_SITE },
      prints: '<form…dish</form>',
    },
  ],
}

const CONTENT_FOR_LAYOUT: DocumentedObject = {
  name: 'content_for_layout',
  description: 'The output of the page, in layouts. It is safe: it is not escaped again.',
  fields: [],
  examples: [
    {
      template: '---\nlayout: shop\n---\n<p>Welcome</p>',
      files: { 'app/views/layouts/shop.liquid': '<main>{{ content_for_layout }}</main>' },
      prints: '<main><p>Welcome</p></main>',
    },
  ],
}

const ERROR: DocumentedObject = {
  name: 'error',
  description: 'The error that `catch` binds to the given name. When it is printed, the result is its message.',
  fields: rowsOf([
    ['error.message', 'text', 'The message, with file and line.'],
    ['error.name', 'text', 'The kind of the error.'],
  ]),
  examples: [
    {
      template: '{% try %}{{ 1 | divided_by: 0 }}{% catch error %}{{ error.message }}{% endtry %}',
      prints: '…divided by 0',
    },
  ],
}

const DATA: DocumentedObject = {
  name: 'data',
  description: 'The hash passed by a mutation, in the mails, SMS and API calls that it sends.',
  fields: [],
  examples: [],
}

const RESPONSE: DocumentedObject = {
  name: 'response',
  description: 'The response of the other server, in the callback of an API call.',
  fields: rowsOf([
    ['response.status', 'number', 'Status of the response.'],
    ['response.body', 'text', 'Its body.'],
    ['response.headers', 'hash', 'The headers of the response, by name.'],
  ]),
  examples: [],
}

/** Returns every object that templates can read, by name. @internal Exported for tests. */
export function documentedObjects(): readonly DocumentedObject[] {
  return [contextObject(), FORLOOP, TABLEROWLOOP, FORM, FORM_BUILDER, CONTENT_FOR_LAYOUT, ERROR, DATA, RESPONSE]
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
