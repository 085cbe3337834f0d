/** Generates pages to list, show, create, change and delete rows of a table, and their test. */
import { UsageError } from '../../core/usage-error.ts'
import { docTypeOf, outputOf, sampleOf } from './fields.ts'
import { formFiles, hasPolicy, policyFile, policyLines, tableFile } from './files.ts'
import { type Files, type GeneratorOptions, leaveOut } from './model.ts'
import { type Field, findNameField, labelOf, type Names, shownName } from './names.ts'
import { columnsOf, ordersOf, queryTexts, searchedField } from './queries.ts'
import { readTemplate } from './read-template.ts'

/** Returns the files for a table. @throws UsageError when no field names a row */
export function crudFiles(names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { singular, plural, title, titles } = names
  const name = findNameField(fields)
  if (name === null) throw new UsageError('`ingot generate crud` needs a field that names a row, such as title.')
  const row = title.toLowerCase()
  const forWriters = isForAdministrators(options) ? showToAdministrators : (html: string): string => html
  const files = readTemplate('crud', {
    SINGULAR: singular,
    PLURAL: plural,
    TITLES: titles,
    ROW: row,
    A_ROW: `${/^[aeiou]/.test(row) ? 'an' : 'a'} ${row}`,
    NAME: name.name,
    NAME_TYPE: docTypeOf(name),
    GUARD: policyLines(names, options),
    ...queryTexts(names, fields),
    ...listTexts(names, fields),
    ...searchTexts(plural, name, searchedField(fields)),
    ...rowTexts(names, fields, name),
    ...translations(plural, fields),
    ADD: indented(forWriters(`  <p><a class="button" href="/${plural}/new">{{ '${plural}.new' | t }}</a></p>\n`)),
    ACTIONS: forWriters(`  <div class="actions">
    <a class="button ${plural}-edit" href="/${plural}/{{ ${singular}.id }}/edit">{{ '${plural}.edit' | t }}</a>
    {% include_form '${plural}/remove', id: ${singular}.id %}
  </div>
`),
    SIGN_UP: signUpSteps(names, options),
    ...testTexts(fields, name),
    ...relationTexts(singular, fields),
  })
  const needless = [
    ...(fields.some(({ type }) => type === 'upload') ? [] : [`app/views/partials/${plural}/file.liquid`]),
    ...(fields.some(({ related }) => related !== null) ? [] : [`app/lib/test/${plural}_relations_test.liquid`]),
    ...(whyUntested(names, options) === null ? [] : [`app/lib/test/${plural}_test.yml`]),
  ]
  return {
    ...tableFile(names, fields),
    ...formFiles(names, fields, options),
    ...policyFile(names, options),
    ...leaveOut(files, needless),
  }
}

/** Returns why no test of the pages is written; null if one is. It needs a user whom the policy of the site allows to write. */
export function whyUntested(names: Names, options: GeneratorOptions): string | null {
  const { policy } = options
  if (policy === null || !hasPolicy(names, options) || signUpSteps(names, options) !== '') return null
  return `No test of the pages was written, because it needs a user whom the policy ${policy} allows to write.`
}

/** Returns the steps of a test that sign up a user, for the policy of generated accounts that allows every user; empty for others. */
function signUpSteps({ plural }: Names, { policy, read }: GeneratorOptions): string {
  if (policy !== 'signed_in' || read?.('app/lib/accounts/is_admin.liquid') == null) return ''
  const email = `writer@${plural.replaceAll('_', '-')}.example`
  return `- GET: /sign-up
- submit: .sign-up-form
  fields:
    form[email]: ${email}
    form[password]: the password of a writer
    form[password_confirmation]: the password of a writer
  follow: true
  status: 200
`
}

/** Returns whether only administrators write, and `ingot generate accounts` has written the function that recognizes them. */
function isForAdministrators({ policy, read }: GeneratorOptions): boolean {
  return policy === 'is_admin' && read?.('app/lib/accounts/is_admin.liquid') != null
}

function showToAdministrators(html: string): string {
  return `  {% function is_admin = 'accounts/is_admin' %}
  {% if is_admin %}
${indented(html)}  {% endif %}
`
}

function indented(html: string): string {
  return html.replaceAll(/^(?=.)/gm, '  ')
}

/** Returns the texts of the list that its orders and columns decide, by placeholder. */
function listTexts({ plural }: Names, fields: readonly Field[]): Files {
  const orders = ordersOf(fields).map(({ name }) => name)
  const flags = ['newest', ...orders.map((name) => `by_${name}`)]
  const search = searchedField(fields) === null ? [] : ['q: q']
  return {
    FLAGS: flags.map((flag) => `  assign ${flag} = false\n`).join(''),
    ORDERS: orders
      .map((name) => `    when '${name}'\n      assign sort = '${name}'\n      assign by_${name} = true\n`)
      .join(''),
    ARGUMENTS: [...search, ...flags.map((flag) => `${flag}: ${flag}`)].join(', '),
    FOUND: flags.join(' | default: found.'),
    OPTIONS: orders
      .map(
        (name) =>
          `        <option value="${name}"{% if sort == '${name}' %} selected{% endif %}>{{ '${plural}.fields.${name}' | t }}</option>\n`,
      )
      .join(''),
    HEADS: columnsOf(fields)
      .map((field) => `          <th scope="col">{{ '${plural}.fields.${shownName(field)}' | t }}</th>\n`)
      .join(''),
  }
}

/** Returns the texts of the list and of its test that are about the search, by placeholder. They are empty when a list has none. */
function searchTexts(plural: string, name: Field, searched: Field | null): Files {
  if (searched === null)
    return { SEARCH_PARAMETER: '', SEARCH_FIELD: '', SEARCHED: '', SEARCH_LABEL: '', SEARCH_STEPS: '' }
  const sample = sampleOf(name, false) ?? ''
  return {
    SEARCH_PARAMETER: `  assign q = null
  if context.params.q != blank
    assign q = context.params.q | append: ''
  endif
`,
    SEARCH_FIELD: `    <div class="form-field">
      <label for="${plural}-q">{{ '${plural}.search' | t }}</label>
      <input id="${plural}-q" name="q" type="search" value="{{ q }}">
    </div>
`,
    SEARCHED: '{% if q %}&amp;q={{ q | url_encode }}{% endif %}',
    SEARCH_LABEL: '    search: Search\n',
    SEARCH_STEPS: `- GET: /${plural}?sort=${name.name}&q=${encodeURIComponent(sample.slice(2))}
  selector: { "th a": ${JSON.stringify(sample)} }
- GET: /${plural}?q=${'qx'.repeat(8)}
  selector: .none
`,
  }
}

/** Returns the cells of a row in the list, and the details on its page, by placeholder. */
function rowTexts(names: Names, fields: readonly Field[], name: Field): Files {
  const { plural } = names
  const others = (shown: readonly Field[]): readonly Field[] => shown.filter((field) => field !== name)
  const label = (field: Field): string => `{{ '${plural}.fields.${shownName(field)}' | t }}`
  const details = others(fields).map(
    (field) => `    <dt>${label(field)}</dt>\n    <dd>${outputOf(field, names, fields)}</dd>\n`,
  )
  return {
    CELLS: others(columnsOf(fields))
      .map((field) => `  <td data-label="${label(field)}">${outputOf(field, names, fields)}</td>\n`)
      .join(''),
    DETAILS: details.length === 0 ? '' : `  <dl>\n${details.join('')}  </dl>\n`,
  }
}

/** Returns the translations that the fields decide, by placeholder. */
function translations(plural: string, fields: readonly Field[]): Files {
  const has = (type: Field['type']): boolean => fields.some((field) => field.type === type)
  const formats = [
    ...(has('date') ? [`      ${plural}_day: '%-d %B %Y'\n`] : []),
    ...(has('datetime') ? [`      ${plural}_minute: '%-d %B %Y, %H:%M'\n`] : []),
  ]
  return {
    FORMATS: formats.length === 0 ? '' : `  time:\n    formats:\n${formats.join('')}`,
    // Without quotes, YAML reads these words as booleans.
    YES_AND_NO: has('boolean') ? "    'yes': 'Yes'\n    'no': 'No'\n" : '',
    LABELS: fields.map((field) => `      ${shownName(field)}: ${labelOf(shownName(field))}\n`).join(''),
  }
}

/** Returns what the test of the pages types and expects, by placeholder. */
function testTexts(fields: readonly Field[], name: Field): Files {
  const typed = (useSecondSample: boolean): string =>
    fields
      .flatMap((field) => {
        const sample = sampleOf(field, useSecondSample)
        return sample === null ? [] : [`    form[properties_attributes][${field.name}]: ${JSON.stringify(sample)}\n`]
      })
      .join('')
  return {
    FIRST: JSON.stringify(sampleOf(name, false)),
    SECOND: JSON.stringify(sampleOf(name, true)),
    FIRST_SAMPLES: typed(false),
    SECOND_SAMPLES: typed(true),
    SHOWN_DATE: fields.some(({ type }) => type === 'date') ? '  text: 28 February 2026\n' : '',
  }
}

/** Returns the texts of the test that the page of a row reads the related rows, by placeholder. */
function relationTexts(singular: string, fields: readonly Field[]): Files {
  const relations = fields.flatMap(({ name, related }) => (related === null ? [] : [{ property: name, ...related }]))
  const rows = relations.map(
    ({ alias, table, label }) =>
      `    ${alias}: record_create(record: { table: "${table}", properties: [{ name: "${label}", value: "A name" }] }) { id }\n`,
  )
  const checks = relations.map(
    ({ alias, label }) => `  assign contract["total"] = contract.total | plus: 1
  if ${singular}.${alias}.${label} != 'A name'
    assign errors["${alias}"] = ["is not read with the row"]
  endif
`,
  )
  return {
    RELATED_ROWS: rows.join(''),
    RELATED_IDS: relations.map(({ alias }) => `${alias}: related.${alias}.id`).join(', '),
    RELATED_VARIABLES: relations.map(({ alias }) => `$${alias}: String`).join(', '),
    RELATED_PROPERTIES: relations.map(({ property, alias }) => `{ name: "${property}", value: $${alias} }`).join(', '),
    RELATED_CHECKS: checks.join(''),
  }
}
