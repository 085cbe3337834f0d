/** Determines what a submission changes. */
import type { FormEntry } from '../../page/site.ts'
import { setKey } from '../../page/values/hash.ts'
import { toDeclaredType } from './cast.ts'
import { fieldPath, isSent, resourcesOf, SECTIONS, storedValueOf } from './fields.ts'
import type { FormState } from './model.ts'
import { isSentFile } from './sent-file.ts'

/** The old and new values of changed fields, by path. */
export type FieldChanges = Record<string, { readonly old: unknown; readonly new: unknown }>

/** Fields whose values must not appear in logs and mails. */
const SECRET = /^password(?:_confirmation)?$/

/**
 * Compares the sent values with the stored ones. Passwords are listed without their values, virtual fields not at all.
 */
export function changesOf(form: FormEntry, state: FormState): FieldChanges {
  const changes: FieldChanges = {}
  for (const { group, prefix, sentValues, storedValues } of resourcesOf(form, state)) {
    for (const section of SECTIONS) {
      for (const field of group[section]) {
        if (field.virtual || !isSent(sentValues, section, field.name)) continue
        const value = sentValues[section][field.name]
        // The temporary path of a file is not shown.
        const now = isSentFile(value) ? value.fileName : toDeclaredType(field, value)
        const oldValue = toDeclaredType(field, storedValueOf(storedValues, section, field.name))
        const path = fieldPath(prefix, section, field.name)
        if (section === 'attributes' && SECRET.test(field.name)) {
          if (now !== null && now !== '') setKey(changes, path, { old: null, new: null })
        } else if (!isEqualJson(oldValue, now)) setKey(changes, path, { old: oldValue, new: now })
      }
    }
  }
  return changes
}

function isEqualJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== typeof b || typeof a !== 'object' || a === null || b === null) return false
  return JSON.stringify(a) === JSON.stringify(b)
}
