/**
 * Reads submitted values according to the configuration: accepts all spellings of the parameters, and ignores fields
 * that are not configured.
 */
import { toPlainData, DataTooLarge } from '../values/plain-data.ts'
import type { FieldDef, FieldGroup, FormEntry, NestedGroup } from '../../page/site.ts'
import { type HashValue, isHash, setKey } from '../../page/values/hash.ts'
import { fieldsOf } from './fields.ts'
import { mergeValues } from './merge.ts'
import type { Values } from './model.ts'
import { isSentFile, otherSources, takesFile } from './sent-file.ts'

export type Input = { readonly values: Values } | { readonly problem: string }

/** Thrown when the parameters have another shape than the form. */
class WrongShape extends Error {}

const NO_FILES: ReadonlySet<unknown> = new Set()

/**
 * Reads the values of a form. Names with and without `_attributes` are equivalent; if both are sent, `_attributes`
 * wins.
 * @param raw the `form` object as sent
 * @param files the files of the body; objects that only look like files, which JSON can contain, are rejected
 * @returns `problem` is the path of a wrong shape: `form.properties: expected an object`
 */
export function readInput(form: FormEntry, raw: unknown, files: ReadonlySet<unknown> = NO_FILES): Input {
  try {
    return { values: readGroup(fieldsOf(form), raw, 'form', files) }
  } catch (error) {
    if (error instanceof WrongShape) return { problem: error.message }
    throw error
  }
}

function readGroup(group: FieldGroup, raw: unknown, path: string, files: ReadonlySet<unknown>): Values {
  const object = objectAt(raw, path)
  const attributes: HashValue = {}
  for (const field of group.attributes) {
    if (Object.hasOwn(object, field.name)) readAttribute(attributes, field, field.name, object, path, files)
    for (const name of otherSources(field))
      if (Object.hasOwn(object, name)) readAttribute(attributes, field, name, object, path, files)
  }
  const properties: HashValue = {}
  if (group.properties.length > 0) {
    for (const { value, path: at } of objectsUnder(object, PROPERTIES, path)) {
      for (const field of group.properties)
        if (Object.hasOwn(value, field.name))
          setUnlessUnsent(properties, field.name, propertyValue(field, value[field.name], `${at}.${field.name}`, files))
    }
  }
  return { attributes, properties, nested: group.nested.length === 0 ? {} : readNested(group, object, path, files) }
}

function readAttribute(
  target: HashValue,
  field: FieldDef,
  name: string,
  object: HashValue,
  path: string,
  files: ReadonlySet<unknown>,
): void {
  setUnlessUnsent(target, name, attributeValue(field, object[name], `${path}.${name}`, files))
}

/** Marks an empty file input, which counts as not sent. Browsers send a file without a name and content for it. */
const UNSENT = Symbol('unsent')

function setUnlessUnsent(target: HashValue, name: string, value: unknown): void {
  if (value !== UNSENT) setKey(target, name, value)
}

const SPELLINGS: Readonly<Record<NestedGroup['kind'], readonly string[]>> = {
  profiles: ['profiles', 'user_profiles'],
  customizations: ['records', 'models', 'customizations'],
  custom_images: ['custom_images'],
  custom_attachments: ['custom_attachments'],
  custom_addresses: ['custom_addresses'],
}

function readNested(group: FieldGroup, object: HashValue, path: string, files: ReadonlySet<unknown>): Values['nested'] {
  const nestedByKind: Partial<Record<NestedGroup['kind'], Record<string, Values>>> = {}
  for (const nested of group.nested) {
    for (const kind of objectsUnder(object, SPELLINGS[nested.kind], path)) {
      for (const { value, path: at } of objectsUnder(kind.value, [nested.name], kind.path)) {
        const nestedByName = (nestedByKind[nested.kind] ??= {})
        const earlierValues = Object.hasOwn(nestedByName, nested.name) ? nestedByName[nested.name] : undefined
        const values = readGroup(nested.fields, value, at, files)
        setKey(nestedByName, nested.name, earlierValues === undefined ? values : mergeValues(earlierValues, values))
      }
    }
  }
  return nestedByKind
}

interface NamedObject {
  readonly value: HashValue
  readonly path: string
}

/**
 * Returns the objects under the names and under `<name>_attributes`. The objects under `_attributes` come last, because they take
 * precedence. Null counts as not sent.
 */
function objectsUnder(object: HashValue, names: readonly string[], path: string): readonly NamedObject[] {
  const objects: NamedObject[] = []
  for (const suffix of SUFFIXES) {
    for (const name of names) {
      const key = suffix === '' ? name : `${name}${suffix}`
      if (!Object.hasOwn(object, key) || object[key] === null || object[key] === undefined) continue
      objects.push({ value: objectAt(object[key], `${path}.${key}`), path: `${path}.${key}` })
    }
  }
  return objects
}

const SUFFIXES = ['', '_attributes'] as const
const PROPERTIES = ['properties'] as const

function objectAt(value: unknown, path: string): HashValue {
  if (isHash(value) && !isSentFile(value)) return value
  throw new WrongShape(`${path}: expected an object`)
}

function attributeValue(field: FieldDef, value: unknown, path: string, files: ReadonlySet<unknown>): unknown {
  if (isSentFile(value)) return fileValue(field, value, path, files)
  const plain = plainValue(value, path, files)
  const scalar = typeof plain !== 'object' || plain === null
  if (scalar || field.virtual || field.type === 'array') return plain
  throw new WrongShape(`${path}: expected ${typeWithArticle(field)}`)
}

function typeWithArticle(field: FieldDef): string {
  if (takesFile(field)) return 'a file'
  return field.type === 'string' ? 'a text' : `${/^[aiu]/.test(field.type) ? 'an' : 'a'} ${field.type}`
}

function propertyValue(field: FieldDef, value: unknown, path: string, files: ReadonlySet<unknown>): unknown {
  return isSentFile(value) ? fileValue(field, value, path, files) : plainValue(value, path, files)
}

function fileValue(field: FieldDef, value: unknown, path: string, files: ReadonlySet<unknown>): unknown {
  if (!files.has(value) || !isSentFile(value)) throw new WrongShape(`${path}: expected a file in a multipart body`)
  if (value.size === 0 && value.fileName === '') return UNSENT
  if (!takesFile(field)) throw new WrongShape(`${path}: expected a value, not a file`)
  return value
}

function plainValue(value: unknown, path: string, files: ReadonlySet<unknown>): unknown {
  if (typeof value !== 'object') return value ?? null
  let plainValue: unknown
  try {
    plainValue = toPlainData(value)
  } catch (error) {
    if (error instanceof DataTooLarge) throw new WrongShape(`${path}: ${error.message}`)
    throw error
  }
  // A file inside a list or an object would reveal its path on the server.
  if (files.size > 0 && containsFile(value, files)) throw new WrongShape(`${path}: expected a value, not a file`)
  return plainValue
}

function containsFile(value: unknown, files: ReadonlySet<unknown>): boolean {
  if (typeof value !== 'object' || value === null) return false
  return files.has(value) || Object.values(value).some((part) => containsFile(part, files))
}
