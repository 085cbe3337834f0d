/** The text columns of users, for all code that reads, writes, imports or exports users. */

/** The kind of each column, as `columnText` defines it. The order is that of exports. */
export const USER_COLUMN_KINDS = {
  external_id: 'text',
  email: 'email',
  slug: 'required text',
  name: 'text',
  first_name: 'text',
  middle_name: 'text',
  last_name: 'text',
  language: 'text',
} as const

export type UserText = keyof typeof USER_COLUMN_KINDS

export const USER_TEXTS = Object.keys(USER_COLUMN_KINDS) as readonly UserText[]

/** The columns that a missing `name` is composed of. */
export const NAME_PARTS = ['first_name', 'middle_name', 'last_name'] as const satisfies readonly UserText[]
