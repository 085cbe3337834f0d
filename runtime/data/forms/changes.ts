/** What a submit changes. */
import type { FormEntry } from '../../page/site.ts'
import { setKey } from '../../page/values/hash.ts'
import { typed } from './cast.ts'
import { fieldPath, isSent, places, SECTIONS, storedAt } from './fields.ts'
import type { FormState } from './model.ts'
import { isSentFile } from './sent-file.ts'

/** Old and new value by field path; nothing of what stays as it is. */
export type FieldChanges = Record<string, { readonly old: unknown; readonly new: unknown }>

/** Values whose texts nobody should read in a log or a mail. */
const SECRET = /^password(?:_confirmation)?$/

/** What of the sent values differs from the stored ones. A password is named without its values; virtual fields change nothing. */
export function changesOf(form: FormEntry, state: FormState): FieldChanges {
  const changes: FieldChanges = {}
  for (const { group, prefix, sent, stored } of places(form, state)) {
    for (const section of SECTIONS) {
      for (const field of group[section]) {
        if (field.virtual || !isSent(sent, section, field.name)) continue
        const value = sent[section][field.name]
        // Of a file that was sent nobody needs to know where it lies.
        const now = isSentFile(value) ? value.fileName : typed(field, value)
        const old = typed(field, storedAt(stored, section, field.name))
        const path = fieldPath(prefix, section, field.name)
        if (section === 'attributes' && SECRET.test(field.name)) {
          if (now !== null && now !== '') setKey(changes, path, { old: null, new: null })
        } else if (!same(old, now)) setKey(changes, path, { old, new: now })
      }
    }
  }
  return changes
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== typeof b || typeof a !== 'object' || a === null || b === null) return false
  return JSON.stringify(a) === JSON.stringify(b)
}
