/** The files that generators write, as texts by path. */
import { declarationOf, inputOf, rulesOf } from './fields.ts'
import { type Files, type GeneratorOptions, leaveOut } from './model.ts'
import { choiceLists } from './queries.ts'
import { readTemplate } from './read-template.ts'
import { type Field, findNameField, type Names, labelOf, parsePath } from './names.ts'

export function tableFile({ singular }: Names, fields: readonly Field[]): Files {
  const rows = fields.map(declarationOf).join('')
  return {
    [`app/schema/${singular}.yml`]: `name: ${singular}\n${rows === '' ? 'properties: []\n' : `properties:\n${rows}`}`,
  }
}

/** Returns the name of the policy for writers. */
function policyOf({ plural }: Names, { policy }: GeneratorOptions): string {
  return policy ?? `writes_${plural}`
}

export function policyLines(names: Names, options: GeneratorOptions): string {
  return `authorization_policies:\n  - ${policyOf(names, options)}\n`
}

/** Returns whether the site already has the policy for writers. */
export function hasPolicy(names: Names, options: GeneratorOptions): boolean {
  const name = policyOf(names, options)
  // Policies of modules are not looked up.
  return name.startsWith('modules/') || options.read?.(policyPath(name)) != null
}

function policyPath(name: string): string {
  return `app/authorization_policies/${name}.liquid`
}

/**
 * Generates a policy that allows everyone to write in development, and only signed-in users otherwise. Returns no file if the
 * site already has the policy that `--policy` names.
 * @throws UsageError if the name of the policy is not a valid file name
 */
export function policyFile(names: Names, options: GeneratorOptions): Files {
  if (options.policy !== null && hasPolicy(names, options)) return {}
  return readTemplate('policy', { NAME: parsePath(policyOf(names, options)) })
}

/** Generates a form that creates and changes rows of a table, and the query for its select fields. */
export function formFiles(names: Names, fields: readonly Field[], options: GeneratorOptions): Files {
  const { singular, plural } = names
  const needed = findNameField(fields)
  const rules = fields.map((field) => `\n    ${field.name}:${rulesOf(field, field === needed)}`).join('')
  const isRelated = fields.some(({ related }) => related !== null)
  const files = readTemplate('form', {
    SINGULAR: singular,
    PLURAL: plural,
    GUARD: policyLines(names, options),
    RULES: rules === '' ? ' {}' : rules,
    CHOICES: isRelated ? `  {% graphql choices = '${plural}/choices' %}\n` : '',
    INPUTS: fields.map((field) => inputOf(field, plural, field === needed)).join(''),
    RELATED: choiceLists(fields),
  })
  return isRelated ? files : leaveOut(files, [`app/graphql/${plural}/choices.graphql`])
}

/** Generates a page, with a test that requests it. */
export function pageFiles(path: string): Files {
  return readTemplate('page', { PATH: path, KEY: path.replaceAll(/[^a-z0-9]+/g, '_'), TITLE: labelOf(path) })
}

/** Generates an empty migration. @param at the time that its name begins with */
export function migrationFile(name: string, at: Date): Files {
  return readTemplate('migration', { NAME: `${at.toISOString().replaceAll(/\D/g, '').slice(0, 14)}_${name}` })
}

/** Generates a module with a public function, and its test. */
export function moduleFiles(name: string): Files {
  return readTemplate('module', { NAME: name, TITLE: labelOf(name) })
}
