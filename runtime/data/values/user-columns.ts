/** The text columns of users. All code that reads, writes, imports or exports users has them from here. */

/** The names of the columns, in the order of exports. */
export const USER_TEXTS = [
  'external_id',
  'email',
  'slug',
  'name',
  'first_name',
  'middle_name',
  'last_name',
  'language',
] as const

export type UserText = (typeof USER_TEXTS)[number]

/** The kind of each column, as defined in `query/writes/columns.ts`. */
export const USER_COLUMN_KINDS = {
  external_id: 'text',
  email: 'email',
  slug: 'required text',
  name: 'text',
  first_name: 'text',
  middle_name: 'text',
  last_name: 'text',
  language: 'text',
} as const satisfies Readonly<Record<UserText, string>>

/** The columns from which a missing `name` is composed. */
export const NAME_PARTS = ['first_name', 'middle_name', 'last_name'] as const satisfies readonly UserText[]
