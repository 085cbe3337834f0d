/** The validations that a form's fields can have. */

/** By every name that configurations give them; the value is the validation's own name. */
export const RULES: Readonly<Record<string, string>> = {
  presence: 'presence',
  absence: 'absence',
  email: 'email',
  confirmation: 'confirmation',
  length: 'length',
  inclusion: 'inclusion',
  exclusion: 'exclusion',
  format: 'format',
  numericality: 'numericality',
  unique: 'unique',
  uniqueness: 'unique',
  acceptance: 'acceptance',
  datetime: 'datetime',
  date: 'date',
  phone_number: 'phone_number',
  geometry: 'geometry',
  file_content_type: 'file_content_type',
}
